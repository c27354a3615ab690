import { expect, it } from "vitest";
import { validateValue } from "../../src/validate/validate.ts";

it.each([
  [{ format: false }, 'A validation has the unknown option "format". Did you mean "formats"?'],
  [{ strictness: 3 }, 'A validation has the unknown option "strictness". Known options: remotes, formats, dialect.'],
  [{ formats: "no" }, 'The option "formats" of a validation must be true or false.'],
  [{ dialect: "draft-03" }, 'The option "dialect" of a validation must be "2020-12" or "draft-07".'],
  [{ remotes: [] }, 'The option "remotes" of a validation must be an object of documents by their URI.'],
  ["2020-12", "The options of a validation must be an object with remotes, formats, dialect."],
])("a validation refuses the options %j", (options, message) => {
  expect(() => validateValue({ type: "object" }, {}, options as object)).toThrow(message);
});
