import { declaredBy, type DeclaredNames } from "@toolrack/core/internal";
import { defineLintRule, type ToolRule } from "@toolrack/core/lint";
import { nearestNames } from "@toolrack/json-schema/internal";
import { handlerReads } from "./handler-reads.ts";

/** No rule of a module may have the same. */
export const driftRuleId = "drift";

/** A lint rule about handlers, which are read and not run. The parser is loaded with the rule. */
export async function loadDriftRule(): Promise<ToolRule> {
  const { parse } = await import("acorn");
  return defineLintRule({
    id: driftRuleId,
    severity: "error",
    finds: "Handlers that read parameters which the input schema does not declare.",
    check({ input, handler, metadata }, report) {
      if (input === undefined || handler === undefined) return;
      const aliases = Object.keys((metadata["aliases"] as object | undefined) ?? {});
      const declared = declaredBy(input);
      for (const { at, name } of handlerReads(handler.run, handler.inputAt, parse)?.reads ?? []) {
        const place = at.reduce<DeclaredNames>((outer, part) => outer.below(part), declared);
        if (place.isFree || place.names.includes(name) || name in Object.prototype) continue;
        if (at.length === 0 && aliases.includes(name)) continue;
        const whole = [...at, name].join(".").replaceAll(".[]", "[]");
        const near = nearestNames(name, place.names, 1)[0];
        report(
          "/handler",
          `The handler reads "${whole}", which the input schema does not declare.`,
          near === undefined
            ? `Declare "${name}" under properties, or do not read it.`
            : `Did you mean "${near}"? Else declare "${name}" under properties.`,
        );
      }
    },
  });
}
