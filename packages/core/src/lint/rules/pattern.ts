import { compilePattern } from "@toolrack/json-schema";
import { escapePointer, isObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../../errors.ts";
import type { ToolRule } from "../rule.ts";

export const pattern: ToolRule = {
  id: "pattern",
  severity: "error",
  finds: "Patterns that are no regular expressions, or that cannot be checked in linear time.",
  explainsRefusal: true,
  check({ inputs, outputs }, report) {
    for (const { schema, path } of [...inputs, ...outputs]) {
      const keys = isObject(schema["patternProperties"]) ? Object.keys(schema["patternProperties"]) : [];
      const found = [
        [schema["pattern"], `${path}/pattern`],
        ...keys.map((key) => [key, `${path}/patternProperties/${escapePointer(key)}`]),
      ];
      for (const [source, at] of found as [unknown, string][]) {
        const fault = typeof source === "string" ? faultOf(source) : undefined;
        if (fault !== undefined) report(at, fault, "Write it without backreferences and large counts, or check the value in the handler.");
      }
    }
  },
};

function faultOf(source: string): string | undefined {
  try {
    compilePattern(source);
    return undefined;
  } catch (error) {
    if (ToolError.is(error)) return error.message;
    throw error;
  }
}
