import { expect, it } from "vitest";
import { routes } from "../../src/routes.ts";

interface Schema {
  readonly required?: readonly string[];
  readonly oneOf?: readonly Schema[];
}

/** The command takes an object without fields for the answer of something else than a server. */
it("every JSON answer has a field that is always there", () => {
  const hasField = ({ required = [], oneOf = [] }: Schema): boolean => required.length > 0 || (oneOf.length > 0 && oneOf.every(hasField));
  const bodies = routes.flatMap(({ method, path, answers }) =>
    Object.entries(answers).flatMap(([status, { schema }]) =>
      schema === undefined ? [] : [{ name: `${method} ${path} ${status}`, schema: schema as Schema }],
    ),
  );
  expect(bodies.length).toBeGreaterThan(120);
  expect(bodies.filter(({ schema }) => !hasField(schema)).map(({ name }) => name)).toEqual([]);
});
