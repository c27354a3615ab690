import type { JsonSchema } from "@toolrack/json-schema";
import { describeThrown } from "../../tool/result.ts";
import { isForModel } from "../../tool/models.ts";
import { originOf } from "../../tool/list-origin.ts";
import { isFixed } from "../../tool/per-list.ts";
import type { ToolDefinition } from "../../tool/tool.ts";
import { anthropicStrictLimits, strictCosts } from "../rules/strict-limits.ts";
import { compileKey, compileTool, type CompiledTool, type ExportDiagnostic, type ExportOptions } from "./compile.ts";
import { freeWireName } from "./names.ts";
import type { Loss, ProviderTarget } from "../provider.ts";
import { providerFor } from "../providers.ts";

/** Tools as one vendor takes them. */
export interface ExportedTools {
  readonly target: ProviderTarget;
  /** What goes into the request. */
  readonly tools: readonly unknown[];
  /** The same as JSON text, byte for byte equal for equal tools. */
  readonly text: string;
  /** From the vendor's name of each tool to its own. */
  readonly names: Readonly<Record<string, string>>;
  readonly losses: readonly ToolLoss[];
  readonly diagnostics: readonly ExportDiagnostic[];
  /** Brings a model's arguments for a tool, by either name, back into the form of the tool's schema. */
  decode(name: string, input: unknown): unknown;
}

export interface ToolLoss extends Loss {
  readonly tool: string;
}

const lastExports = new Map<string, { readonly tools: readonly ToolDefinition[]; readonly exported: ExportedTools }>();
/** Lists that cannot change are known by their identity. */
const byList = new WeakMap<readonly ToolDefinition[], Map<string, ExportedTools>>();

/**
 * Exports tools for a vendor. A tool that cannot be exported is left out alone, with a diagnostic that names it.
 * Each tool is compiled once per target, so that exporting unchanged tools again costs next to nothing.
 */
export function exportTools(tools: readonly ToolDefinition[], target: ProviderTarget, given: ExportOptions = {}): ExportedTools {
  const options = forListCaller(tools, given);
  const key = optionsKey(target, options);
  if (key === undefined) return assemble(tools, target, options);
  const known = byList.get(tools)?.get(key);
  if (known !== undefined) return known;
  const last = lastExports.get(key);
  const isSame = last !== undefined && last.tools.length === tools.length && last.tools.every((tool, index) => tool === tools[index]);
  if (isSame) return keepFor(tools, key, last.exported);
  const exported = assemble(tools, target, options);
  if (!tools.every(isFixed)) return exported;
  rememberExport(key, { tools: [...tools], exported });
  return keepFor(tools, key, exported);
}

/** The options with the model and provider of the caller that the list was made for, if they name none. */
export function forListCaller(tools: readonly ToolDefinition[], options: ExportOptions): ExportOptions {
  const { model, provider } = originOf(tools)?.caller ?? {};
  return { ...(model !== undefined && { model }), ...(provider !== undefined && { provider }), ...options };
}

function keepFor(tools: readonly ToolDefinition[], key: string, exported: ExportedTools): ExportedTools {
  if (Object.isFrozen(tools)) byList.set(tools, (byList.get(tools) ?? new Map<string, ExportedTools>()).set(key, exported));
  return exported;
}

/** The last export of a few targets is kept whole; options that are functions cannot be compared. */
function optionsKey(target: ProviderTarget, options: ExportOptions): string | undefined {
  return typeof options.deferred === "function" ? undefined : JSON.stringify([target, options]);
}

function rememberExport(key: string, entry: { readonly tools: readonly ToolDefinition[]; readonly exported: ExportedTools }): void {
  lastExports.delete(key);
  lastExports.set(key, entry);
  const oldest = lastExports.keys().next().value;
  if (lastExports.size > 32 && oldest !== undefined) lastExports.delete(oldest);
}

/** "openai-chat" → "openai" */
function vendorOf(target: ProviderTarget): string {
  return target.split("-", 1)[0]!;
}

function assemble(tools: readonly ToolDefinition[], target: ProviderTarget, options: ExportOptions): ExportedTools {
  const provider = providerFor(target);
  const key = compileKey(target, options);
  const diagnostics: ExportDiagnostic[] = [];
  const losses: ToolLoss[] = [];
  const byName = new Map<string, CompiledTool>();
  const wireNames = new Map<string, CompiledTool>();
  const exact = new Set(tools.map((tool) => tool?.name).filter((name) => provider.limits.name.test(name)));
  const budget = { ...anthropicStrictLimits } as { tools: number; optional: number; unions: number };

  for (const tool of tools) {
    const named = typeof tool?.name === "string" ? tool.name : String(tool?.name);
    const report = (severity: ExportDiagnostic["severity"], code: ExportDiagnostic["code"], message: string): void => {
      diagnostics.push({ tool: named, severity, code, message });
    };
    if (!isForModel(tool?.metadata?.models, { provider: options.provider ?? vendorOf(target), model: options.model })) {
      report(
        "error",
        "model",
        `Tool "${named}" is only for models like ${tool.metadata!.models!.join(", ")}, and this is ${options.model ?? "an unknown model"}.`,
      );
      continue;
    }
    if (byName.has(named)) {
      report("error", "duplicate", `Two tools are named "${named}". The first was exported; give the other another name.`);
      continue;
    }
    if (provider.limits.tools !== undefined && byName.size >= provider.limits.tools) {
      report(
        "error",
        "too-many",
        `Tool "${named}" is beyond the ${provider.limits.tools} tools that ${provider.name} takes. Narrow the policy, or let tools be searched.`,
      );
      continue;
    }
    try {
      const name = freeWireName(named, provider.limits, (taken) => wireNames.has(taken) || (taken !== named && exact.has(taken)));
      let compiled = compileTool(tool, name, target, options, key);
      if (compiled.strict && provider.limits.strict !== undefined && !spend(budget, compiled.schema)) {
        compiled = compileTool(tool, name, target, { ...options, strict: false });
        report(
          "warning",
          "not-strict",
          `Tool "${named}" is sent without strict: together with the tools before it, it is over the vendor's budget for strict tools.`,
        );
      }
      for (const { severity, code, message } of compiled.diagnostics) report(severity, code, message);
      if (name !== named)
        report(
          "warning",
          "name",
          `Tool "${named.slice(0, 140)}" is called "${name}" here, because ${provider.name} takes ${provider.limits.name.source}.`,
        );
      for (const loss of compiled.losses) losses.push({ tool: named, ...loss });
      byName.set(named, compiled);
      wireNames.set(name, compiled);
    } catch (error) {
      report("error", "schema", `Tool "${named.slice(0, 140)}" was left out: ${describeThrown(error)}`);
    }
  }

  const compiledTools = [...byName.values()];
  const names: Record<string, string> = Object.create(null);
  for (const [wire, { name }] of wireNames) names[wire] = name;
  const declarations = Object.freeze(compiledTools.map(({ declaration }) => declaration));
  let text: string | undefined;
  return Object.freeze({
    target,
    tools: provider.frame?.(declarations) ?? declarations,
    get text(): string {
      return (text ??= joinTexts(compiledTools, provider.frame));
    },
    names,
    losses,
    diagnostics,
    decode(name: string, input: unknown): unknown {
      const compiled = wireNames.get(name) ?? byName.get(name);
      return compiled === undefined ? input : compiled.decode(input);
    },
  });
}

function joinTexts(tools: readonly CompiledTool[], frame: ((declarations: readonly unknown[]) => readonly unknown[]) | undefined): string {
  const list = `[${tools.map(({ text }) => text).join(",")}]`;
  if (frame === undefined) return list;
  const mark = "\u0000tools\u0000";
  return JSON.stringify(frame(tools.length === 0 ? [] : [mark])).replace(`[${JSON.stringify(mark)}]`, () => list);
}

function spend(budget: { tools: number; optional: number; unions: number }, schema: JsonSchema): boolean {
  const { optional, unions } = strictCosts(schema);
  if (budget.tools < 1 || budget.optional < optional || budget.unions < unions) return false;
  budget.tools--;
  budget.optional -= optional;
  budget.unions -= unions;
  return true;
}
