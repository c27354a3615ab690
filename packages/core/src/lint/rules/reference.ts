import { createResources, type JsonObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../../errors.ts";
import type { LocatedSchema } from "../located-schemas.ts";
import type { ToolRule, Report } from "../rule.ts";

export const reference: ToolRule = {
  id: "reference",
  severity: "error",
  finds: "References that lead nowhere, or to another machine: nothing is ever fetched.",
  check({ input, inputs, output, outputs, remotes }, report) {
    if (input) checkReferences(input, inputs, remotes, report);
    if (output) checkReferences(output, outputs, remotes, report);
  },
};

function checkReferences(
  root: JsonObject,
  found: readonly LocatedSchema[],
  remotes: Readonly<Record<string, unknown>>,
  report: Report,
): void {
  const isReferring = found.filter(({ schema }) => typeof schema["$ref"] === "string" || typeof schema["$dynamicRef"] === "string");
  if (isReferring.length === 0) return;
  const resources = createResources(root, { dialect: "2020-12", remotes });
  for (const { schema, path } of isReferring) {
    for (const keyword of ["$ref", "$dynamicRef"]) {
      const target = schema[keyword];
      if (typeof target !== "string") continue;
      try {
        resources.resolve(target, resources.resourceOf(schema, resources.root.resource));
      } catch (error) {
        if (!ToolError.is(error)) throw error;
        report(`${path}/${keyword}`, error.message, 'Put the schema under "$defs" and refer to it as "#/$defs/name".');
      }
    }
  }
}
