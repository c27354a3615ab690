import { pointerTo, rewriteSchema } from "@toolrack/json-schema/internal";
import type { JsonSchema } from "@toolrack/json-schema";
import type { NodeRule, VendorRule, Violation } from "./rule.ts";

/** Everything in a schema that breaks one of the rules: first what concerns the whole schema, then every schema in it. */
export function findViolations(schema: JsonSchema, rules: readonly VendorRule[]): readonly Violation[] {
  const violations: Violation[] = [];
  const nodeRules: NodeRule[] = [];
  for (const rule of rules) {
    if ("node" in rule) nodeRules.push(rule);
    else rule.whole(schema, (path, keyword, message) => violations.push({ path, keyword, message }));
  }
  // The pointer is written only when there is something to report.
  rewriteSchema(schema, (node, place) => {
    const report = (keyword: string, message: string): void => void violations.push({ path: pointerTo(place), keyword, message });
    for (const rule of nodeRules) rule.node(node, report, schema);
    return node;
  });
  return violations;
}
