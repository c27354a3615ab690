import type { JsonObject } from "@toolrack/json-schema/internal";
import { own } from "../document/json.ts";
import type { Work } from "../document/references.ts";
import { OperationFault } from "../fault.ts";

const maxDepth = 100;
const maxValues = 100_000;
const keywords = ["default", "example", "examples", "enum", "const"] as const;

/**
 * Refuses values in a schema that are circular, nested too deeply, or multiplied by aliases: nothing can write them as JSON. Each value, and each thousand
 * characters of one, is a step, as often as the schema is written out.
 */
export function checkValues(schema: JsonObject, work: Work): void {
  for (const keyword of keywords) {
    const value = own(schema, keyword);
    if (typeof value === "object" && value !== null) checkValue(value, keyword, work);
    else work.spend(stepsOf(value));
  }
}

function stepsOf(value: unknown): number {
  return typeof value === "string" ? Math.ceil(value.length / 1_000) : 0;
}

function checkValue(start: object, keyword: string, work: Work): void {
  const waiting: { readonly value: object; readonly depth: number }[] = [{ value: start, depth: 1 }];
  let count = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.depth > maxDepth)
      throw new OperationFault(
        `The "${keyword}" of a schema is circular, or nested more than ${maxDepth} deep.`,
        "Shorten it, or exclude the operation.",
      );
    for (const inner of Object.values(next.value) as unknown[]) {
      work.spend(1 + stepsOf(inner));
      if (++count > maxValues)
        throw new OperationFault(
          `The "${keyword}" of a schema has more than ${maxValues} values.`,
          "Shorten it, or exclude the operation.",
        );
      if (typeof inner === "object" && inner !== null) waiting.push({ value: inner, depth: next.depth + 1 });
    }
  }
}
