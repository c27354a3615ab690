import { createResources } from "../../../src/validate/engine/resources.ts";
import { createRun } from "../../../src/validate/engine/rule.ts";
import { createRules } from "../../../src/validate/engine/rules.ts";
import type { Issue, Fault } from "../../../src/validate/issues.ts";
import { readSchema } from "../../../src/schema/read-schema.ts";

/** A schema judged by its rules, as on hosts that forbid making code from text. */
export function rulesOf(schema: unknown): { check(value: unknown): boolean; explain(value: unknown): readonly Issue[] } {
  const resources = createResources(readSchema(schema), { dialect: "2020-12" });
  const rule = createRules(resources, { formats: true })(resources.root);
  return {
    check: (value) => rule(value, createRun(undefined), undefined),
    explain(value) {
      const issues: Fault[] = [];
      rule(value, createRun(issues), undefined);
      return issues.map((issue) => issue.toIssue());
    },
  };
}
