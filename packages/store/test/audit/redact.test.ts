import { secretForms, secretsToHide } from "@toolrack/testkit/secret-forms";
import { expect, it } from "vitest";
import { createRedaction } from "../../src/audit/redact.ts";

const cases = secretsToHide.flatMap((secret) => Object.keys(secretForms).map((form) => [form, secret] as const));

it.each(cases)("S28: a secret stands in no line of the audit: %s of %j", (form, secret) => {
  const text = secretForms[form]!(secret);
  const redact = createRedaction({ values: () => [secret] })();
  const shown = JSON.stringify(redact({ content: text, data: [{ [text]: text }] }));
  expect(shown).toContain("[redacted]");
  expect(shown).not.toContain(JSON.stringify(text).slice(1, -1));
});
