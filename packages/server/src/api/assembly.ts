import type { Caller, ToolDefinition } from "@toolrack/core";
import { registeredNameOf } from "@toolrack/core/internal";
import { assemblyStages, coreToolGroups, type StageNote, type StageTrace, type ToolStage, toSentence } from "@toolrack/core/policy";
import { defineRoute, type RoutesOf } from "../http/route.ts";
import type { Rack } from "../rack/rack.ts";
import { listOf, objectOf, ok } from "./_answers.ts";
import { callerFor, runAsParameters, shownCallerSchema } from "./shared/callers.ts";

/** How the tools of a caller come together. */
export interface AssemblyReport {
  readonly caller: Caller;
  /** All seven, in their order. */
  readonly stages: readonly StageTrace[];
}

export interface AssemblyAnswers {
  "GET /assembly": AssemblyReport;
}

const text = { type: "string" } as const;
const noteSchema = objectOf<StageNote>({ name: text, reason: text }, ["name"]);

const show = defineRoute({
  method: "GET",
  path: "/assembly",
  id: "showAssembly",
  group: "exports",
  summary: "Show in seven stages how the tools of a caller come together: how many there are after each, and what it did.",
  needs: ["subscriber", "curator", "admin"],
  isHeavy: true,
  query: { type: "object", properties: runAsParameters, additionalProperties: false },
  answers: ok(
    "The stages: base (files), runtime (programs), model (only for some models), own (all others), channel (only for this caller), policy, wrappers.",
    objectOf<AssemblyReport>({
      caller: shownCallerSchema,
      stages: listOf(
        objectOf<StageTrace>({
          stage: { enum: assemblyStages },
          count: { type: "integer", description: "The number of tools after this stage." },
          added: listOf(text),
          removed: listOf(noteSchema),
          wrapped: listOf(text),
          refused: { ...listOf(noteSchema), description: "What the stage did not let in." },
        }),
      ),
    }),
  ),
  run(request) {
    const caller = callerFor(request, request.query);
    return { body: { caller, stages: stagesOf(request.rack, caller) } };
  },
});

export const assemblyRoutes: RoutesOf<AssemblyAnswers> = [show];

/** The decisions are those of the caller's view, so the last stage has exactly the tools that the caller is offered. */
function stagesOf({ registry }: Rack, caller: Caller): readonly StageTrace[] {
  const { known, tools, decision } = registry.view(caller);
  const shared = new Set(registry.entries().map(({ tool }) => tool));
  const brought = new Map<ToolStage, ToolDefinition[]>();
  const refused: StageNote[] = [];
  for (const tool of known) {
    const decided = decision(tool.name);
    const stage = shared.has(tool) ? stageOf(tool) : "channel";
    if (decided?.rule === "model") refused.push({ name: tool.name, reason: toSentence(decided) });
    else if (brought.has(stage)) brought.get(stage)!.push(tool);
    else brought.set(stage, [tool]);
  }
  const offered = new Set(tools);
  const whyHidden = ({ name }: ToolDefinition): string => {
    const decided = decision(name);
    // What the policy allows may still be disabled, or wait for something.
    return decided?.allowed === false ? toSentence(decided) : registry.explain(name, caller).sentences.join(" ");
  };
  // The registry tells the wrappers of tools that everybody shares; all others are called through the same ones.
  const isWrapped = (tool: ToolDefinition): boolean => !shared.has(tool) || registry.wrappers(tool.name).length > 0;
  let count = 0;
  return assemblyStages.map((stage): StageTrace => {
    const added = (stage === "policy" || stage === "wrappers" ? [] : (brought.get(stage) ?? [])).map(({ name }) => name);
    const removed =
      stage === "policy"
        ? [...brought.values()].flat().flatMap((tool) => (offered.has(tool) ? [] : [{ name: tool.name, reason: whyHidden(tool) }]))
        : [];
    const wrapped = stage === "wrappers" ? tools.filter(isWrapped).map(({ name }) => name) : [];
    count += added.length - removed.length;
    return { stage, count, added, removed, wrapped, refused: stage === "model" ? refused : [] };
  });
}

/** Which stage brings a tool that everybody shares. */
function stageOf(tool: ToolDefinition): ToolStage {
  const { metadata } = tool;
  if (metadata?.models !== undefined && metadata.models.length > 0) return "model";
  const isIn = (group: string): boolean =>
    coreToolGroups.get(`group:${group}`)?.includes(registeredNameOf(tool)) === true || metadata?.groups?.includes(group) === true;
  if (isIn("runtime")) return "runtime";
  return isIn("fs") ? "base" : "own";
}
