import { normalizeToolName } from "@toolrack/core/compat";
import type { Caller } from "@toolrack/core";
import { governedNames } from "@toolrack/core/internal";
import type { RegisteredName, ToolExplanation } from "@toolrack/core/policy";
import type { RouteRequest, SchemaOf } from "../http/route.ts";
import { listOf, objectOf } from "./_answers.ts";
import { seesOthers } from "./shared/callers.ts";

const text = { type: "string" } as const;

const finding = {
  matched: { ...text, description: "The name that the entry matched, if the tool was renamed." },
  step: text,
  rule: text,
  label: { ...text, description: "The path in the configuration." },
  entry: { ...text, description: "The deciding entry, as written there." },
  source: { ...text, description: "The line of the file, or the record." },
  reason: text,
} as const;

const registered = {
  ...objectOf<RegisteredName>({
    name: text,
    isConfirmed: { type: "boolean", description: "Whether entries that allow may name the tool as it is shown." },
  }),
  description: "How its source registered the tool, if it was renamed.",
};

/** Why a caller may or may not use a tool. */
export const explanationSchema: SchemaOf<ToolExplanation> = objectOf<ToolExplanation>(
  {
    name: text,
    known: { type: "boolean" },
    allowed: { type: "boolean" },
    decision: objectOf<NonNullable<ToolExplanation["decision"]>>(
      { name: text, allowed: { type: "boolean" }, ask: { type: "object", additionalProperties: true }, registered, ...finding },
      ["ask", "registered", "matched", "step", "label", "entry", "source", "reason"],
    ),
    trace: listOf(
      objectOf<ToolExplanation["trace"][number]>(
        { outcome: { enum: ["hides", "keeps", "asks", "sets-aside"] }, remedy: text, ...finding },
        ["remedy", "matched", "step", "entry", "source", "reason"],
      ),
    ),
    checks: listOf(objectOf<ToolExplanation["checks"][number]>({ label: text, source: text, text }, ["source"])),
    sentences: listOf(text),
  },
  ["decision"],
);

/** The explanation of the registry. Without a role that sees others, similar names are left out: they may be hidden. */
export function explainFor({ rack, identity }: Pick<RouteRequest, "rack" | "identity">, name: string, caller: Caller): ToolExplanation {
  const explanation = rack.registry.explain(name, caller);
  if (explanation.known) return { ...explanation, sentences: [...explanation.sentences, ...disabledActions(rack, explanation.name)] };
  if (seesOthers(identity)) return explanation;
  return { ...explanation, sentences: [`No tool is named \`${name.slice(0, 140)}\` here, so no policy decides about it.`] };
}

function disabledActions({ settings, registry }: RouteRequest["rack"], name: string): readonly string[] {
  const idle = settings.problems.filter((problem) => problem.includes("so nothing is disabled"));
  return governedNames(registry.get(name) ?? { name }).flatMap((own) => {
    const tool = normalizeToolName(own);
    return [...(settings.disabledActions().get(tool) ?? [])]
      .filter(
        ([action]) =>
          !idle.some((problem) => [`tools.actions.${tool}:`, `tools.actions.${tool}.${action}:`].some((key) => problem.startsWith(key))),
      )
      .map(([action, origin]) => `Its action "${action}" is disabled by tools.actions.${tool}.${action} (${origin}).`);
  });
}
