import type { CallableTool, GrammarLoss } from "@toolrack/core/grammar";
import { grammarInThread } from "@toolrack/core/node";
import type { ExportedTools, ProviderTarget } from "@toolrack/core/vendors";
import { checkPart } from "../http/request/input.ts";
import { defineRoute, type RoutesOf } from "../http/route.ts";
import { listOf, objectOf, ok } from "./_answers.ts";
import type { Rack } from "../rack/rack.ts";
import { bundleParameter, toolsFor } from "./shared/bundles.ts";
import { callerFor, runAsParameters } from "./shared/callers.ts";

export interface ExportTargets {
  readonly vendors: readonly string[];
  readonly grammars: readonly string[];
}

/** Tools in the format of a vendor. */
export type ToolExport = Omit<ExportedTools, "decode">;

export interface GrammarExport {
  readonly notation: "gbnf" | "lark" | "structural-tag";
  readonly grammar: string;
  readonly losses: readonly GrammarLoss[];
}

export interface ExportAnswers {
  "GET /exports": ExportTargets;
  "GET /exports/{target}": ToolExport;
  "GET /exports/grammars/{notation}": GrammarExport;
}

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const grammars = ["gbnf", "lark", "structural-tag"] as const;
const anyObject = { type: "object", additionalProperties: true } as const;

const targets = defineRoute({
  method: "GET",
  path: "/exports",
  id: "listExports",
  group: "exports",
  summary: "List the vendors and grammars that tools can be exported for.",
  answers: ok("Their names.", objectOf<ExportTargets>({ vendors: listOf(text), grammars: listOf(text) })),
  run: async ({ rack }) => ({ body: { vendors: await vendorsOf(rack), grammars } }),
});

const vendor = defineRoute({
  method: "GET",
  path: "/exports/{target}",
  isCompressed: true,
  id: "exportTools",
  isHeavy: true,
  group: "exports",
  summary: "Export the tools that the caller may use in the format of a vendor, with the losses.",
  params: {
    type: "object",
    properties: { target: { ...text, description: "A built-in vendor, or one that a module adds: GET /exports lists them." } },
    required: ["target"],
    additionalProperties: false,
  },
  query: {
    type: "object",
    properties: { model: text, strict: flag, examples: flag, ...bundleParameter, ...runAsParameters },
    additionalProperties: false,
  },
  answers: ok(
    "`tools` is for the request; `text` is the same as JSON, byte-stable for equal tools.",
    objectOf<ToolExport>({
      target: text,
      tools: { type: "array", items: {} },
      text,
      names: { type: "object", additionalProperties: text, description: "The vendor's name of each tool → its own name." },
      losses: listOf(objectOf<ToolExport["losses"][number]>({ tool: text, path: text, keyword: text, note: text })),
      diagnostics: listOf(
        objectOf<ToolExport["diagnostics"][number]>({ tool: text, severity: { enum: ["error", "warning"] }, code: text, message: text }),
      ),
    }),
  ),
  async run(request) {
    const { exportTools } = await vendors();
    const { model, strict, examples } = request.query;
    const caller = callerFor(request, request.query);
    const { rack } = request;
    const { target } = checkPart("path", { type: "object", properties: { target: { enum: await vendorsOf(rack) } } }, request.params) as {
      readonly target: ProviderTarget;
    };
    const { decode: _, ...exported } = exportTools(
      toolsFor(request, caller, request.query.bundle),
      rack.modules.vendors.get(target) ?? target,
      {
        ...(model !== undefined && { model }),
        ...(strict !== undefined && { strict }),
        ...(examples !== undefined && { examples }),
      },
    );
    return { body: { ...exported, target } };
  },
});

const grammar = defineRoute({
  method: "GET",
  path: "/exports/grammars/{notation}",
  id: "exportGrammar",
  isHeavy: true,
  group: "exports",
  summary: "Create a grammar for local models: calls of the tools that the caller may use.",
  params: { type: "object", properties: { notation: { enum: grammars } }, required: ["notation"], additionalProperties: false },
  query: {
    type: "object",
    properties: {
      tool: { type: "string", description: "One tool, by its name. Default: all tools." },
      parallel: flag,
      form: { enum: ["name", "tool"], description: 'The form of a call: {"name", "arguments"} or {"tool", "args"}.' },
      text: { ...flag, description: "Whether the model may also answer with text." },
      ...bundleParameter,
      ...runAsParameters,
    },
    additionalProperties: false,
  },
  answers: ok(
    "The grammar and its losses.",
    objectOf<GrammarExport>({ notation: { enum: grammars }, grammar: text, losses: { type: "array", items: anyObject } }),
  ),
  async run(request) {
    const { tool, parallel, form, text: prose, bundle } = request.query;
    const caller = callerFor(request, request.query);
    const options = {
      ...(tool !== undefined && { choice: { tool } }),
      ...(parallel !== undefined && { parallel }),
      ...(form !== undefined && { form }),
      ...(prose !== undefined && { text: prose }),
    };
    const tools = toolsFor(request, caller, bundle).map(({ name, inputSchema }): CallableTool => ({ name, inputSchema }));
    const { notation } = request.params;
    const { signal } = request;
    if (notation === "gbnf")
      return { body: { notation, ...(await grammarInThread("toolCallGrammarWithReport", [tools, options], { signal })) } };
    if (notation === "lark")
      return { body: { notation, ...(await grammarInThread("toolCallLarkWithReport", [tools, options], { signal })) } };
    const { structuralTag, losses } = await grammarInThread("toolCallStructuralTagWithReport", [tools, options], { signal });
    return { body: { notation, grammar: JSON.stringify(structuralTag), losses } };
  },
});

export const exportRoutes: RoutesOf<ExportAnswers> = [targets, grammar, vendor];

/** The names of all vendors: built-in ones, and those of modules. */
async function vendorsOf({ modules }: Pick<Rack, "modules">): Promise<readonly string[]> {
  const { providerTargets } = await vendors();
  return [...providerTargets, ...modules.vendors.keys()];
}

/** Loaded with the first export: `toolrack list` does without it. */
function vendors(): Promise<typeof import("@toolrack/core/vendors")> {
  return import("@toolrack/core/vendors");
}
