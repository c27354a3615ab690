import fc from "fast-check";
import { sized } from "@toolrack/testkit/sized";
import { describe, expect, it } from "vitest";
import { validateValue } from "@toolrack/json-schema";
import { adaptSchema } from "../../../src/providers/adapt/adapt.ts";
import { schemaTargets } from "../../../src/providers/providers.ts";
import { checkVendorSchema } from "../../../src/providers/rules/rules.ts";
import { accepts } from "../../../../json-schema/test/normal/judge.ts";
import { createRandom, randomTool } from "./random.ts";

describe.each(schemaTargets)("any schema, for %s", (target) => {
  // row: G3, G2
  it("is accepted by the rules, keeps every valid value through encode, and decode brings it back", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const tool = randomTool(createRandom(seed));
        // Both validators, because the other one does not look at properties named __proto__.
        const values = Array.from({ length: 3 }, () => tool.value()).filter(
          (value) => accepts(tool.schema, value) && validateValue(tool.schema, value, { formats: false }).ok,
        );
        if (values.length === 0) return;
        const adapted = adaptSchema(tool.schema, target, { undeclared: "carry" });
        expect(checkVendorSchema(adapted.schema, target)).toEqual([]);
        expect(adapted.strict).toBe(target.endsWith("-strict"));
        for (const value of values) {
          const encoded = adapted.encode(value);
          if (!accepts(adapted.schema, encoded)) expect.fail(report("refused", tool.schema, adapted.schema, value, encoded));
          const decoded = adapted.decode(structuredClone(encoded));
          if (!isSame(decoded, value)) expect.fail(report("changed", tool.schema, adapted.schema, value, encoded, decoded));
        }
      }),
      { numRuns: sized(3, 25) },
    );
  });
});

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => [key, sorted(inner)]);
}

function report(...parts: readonly unknown[]): string {
  return parts.map((part) => JSON.stringify(part)).join("\n");
}
