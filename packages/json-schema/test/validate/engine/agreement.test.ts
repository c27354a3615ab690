import Ajv2020 from "ajv/dist/2020.js";
import fc from "fast-check";
import { Compile } from "typebox/schema";
import { sized } from "@toolrack/testkit/sized";
import { describe, expect, it } from "vitest";
import { subschemas } from "../../../src/schema/keywords.ts";
import type { JsonSchema } from "../../../src/schema/schema.ts";
import { validatorFor } from "../../../src/validate/validate.ts";
import { isObject } from "../../../src/util/json.ts";
import { type RandomSchemas, randomSchemas } from "./random-schema.ts";
import { rulesOf } from "./rules-of.ts";

/** TOOLRACK_PROPERTY_RUNS=50000 digs deeper after a change of the engine. */
const numRuns = Number(process.env["TOOLRACK_PROPERTY_RUNS"] ?? sized(300, 1_000));

function forAll({ schema, value }: RandomSchemas, holds: (schema: Record<string, unknown>, values: readonly unknown[]) => void): void {
  fc.assert(fc.property(schema, fc.array(value, { minLength: 1, maxLength: 6 }), holds), { numRuns });
}

function without(schemas: RandomSchemas, errs: (parts: readonly JsonSchema[]) => boolean): RandomSchemas {
  return { ...schemas, schema: schemas.schema.filter((candidate) => !errs(partsOf(candidate))) };
}

function partsOf(schema: JsonSchema): JsonSchema[] {
  return [schema, ...[...subschemas(schema)].flatMap(([, part]) => (isObject(part) ? partsOf(part) : []))];
}

/**
 * `contains` accepts the empty list beside `prefixItems`, and counts for `unevaluatedItems` as a look at every item; one
 * `unevaluated…` inside another counts even where its branch failed, and items seen through a reference to the whole are forgotten.
 */
function ajvErrs(parts: readonly JsonSchema[]): boolean {
  const unevaluated = parts.filter((part) => "unevaluatedItems" in part || "unevaluatedProperties" in part);
  const isMixed = parts.some((part) => "contains" in part) && parts.some((part) => "prefixItems" in part || "unevaluatedItems" in part);
  const isRecursive = unevaluated.length > 0 && parts.some((part) => "$ref" in part);
  return isMixed || isRecursive || unevaluated.length > 1;
}

/** `unevaluatedProperties` is applied to lists, `unevaluatedItems` forgets items below a reference, `format` is always checked. */
function typeboxErrs(parts: readonly JsonSchema[]): boolean {
  return parts.some((part) => "unevaluatedProperties" in part || "unevaluatedItems" in part || "format" in part);
}

/** ajv writes code that breaks off on some schemas with both `oneOf` and `patternProperties`: then it has no verdict. */
function verdictOf(judge: () => boolean): boolean | undefined {
  try {
    return judge();
  } catch {
    return undefined;
  }
}

describe("random schemas and values", () => {
  // Peers take an inherited "constructor" or "toString" for a property, or call it.
  const peerProof = randomSchemas(["a", "b", "c", "foo"]);
  const any = randomSchemas(["a", "b", "c", "constructor", "toString", "__proto__"]);

  it("get the same verdict from ajv", () => {
    const ajv = new Ajv2020.default({ strict: false, ownProperties: true, validateFormats: false, validateSchema: false, logger: false });
    forAll(without(peerProof, ajvErrs), (schema, values) => {
      const theirs = ajv.compile(schema);
      ajv.removeSchema();
      const ours = validatorFor(schema, { formats: false });
      for (const value of values) {
        const verdict = verdictOf(() => theirs(value));
        if (verdict !== undefined) expect(ours.check(value), JSON.stringify(value)).toBe(verdict);
      }
    });
  });

  it("get the same verdict from typebox", () => {
    forAll(without(peerProof, typeboxErrs), (schema, values) => {
      const theirs = Compile(schema);
      const ours = validatorFor(schema, { formats: false });
      for (const value of values) expect(ours.check(value), JSON.stringify(value)).toBe(theirs.Check(value));
    });
  });

  it("have faults to list exactly when they are refused", () => {
    forAll(any, (schema, values) => {
      const { check, explain } = validatorFor(schema);
      for (const value of values) expect(explain(value).length === 0, JSON.stringify(value)).toBe(check(value));
    });
  });

  const agree = (schema: JsonSchema, values: readonly unknown[]): void => {
    const written = validatorFor(schema);
    const rules = rulesOf(schema);
    for (const value of values) {
      expect(rules.check(value)).toBe(written.check(value));
      expect(JSON.stringify(rules.explain(value))).toBe(JSON.stringify(written.explain(value)));
    }
  };

  it("get the same verdict and the same faults from the rules alone as from generated code", () => forAll(any, agree));

  it("get the same from both, too, if the values are not JSON", () => forAll({ ...any, value: any.oddValue }, agree));
});
