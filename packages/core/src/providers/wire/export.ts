import type { JsonSchema } from "@toolrack/json-schema";
import { describeThrown } from "../../tool/result.ts";
import { isForModel } from "../../tool/models.ts";
import { originOf } from "../../tool/list-origin.ts";
import { checkIsList, checkIsTool } from "../../tool/check-list.ts";
import { isFixed } from "../../tool/per-list.ts";
import type { ToolDefinition } from "../../tool/tool.ts";
import { strictCosts } from "../rules/strict-costs.ts";
import { checkFields } from "../../util/check-fields.ts";
import { compileKey, compileTool, type CompiledTool, type ExportDiagnostic } from "./compile.ts";
import type { ExportOptions } from "./options.ts";
import { checkNames, freeWireName } from "./names.ts";
import { exportFields } from "./options.ts";
import type { Loss } from "../loss.ts";
import type { Provider, ProviderWire } from "../provider.ts";
import { createProviderMemory } from "../provider-memory.ts";
import { providerFor, type ProviderTarget, type ShapesOf, targetOf, type VendorTarget } from "../providers.ts";

/** Tools as one vendor takes them. */
export interface ExportedTools<Target extends VendorTarget = VendorTarget, Tool = ShapesOf<Target>["tool"]> {
  /** The vendor: the name of a built-in one, or the provider itself. */
  readonly target: Target extends ProviderTarget ? Target : VendorTarget;
  /** What goes into the request, of the type that the vendor's SDK takes. Frozen: add to it with `[...exported.tools, another]`. */
  readonly tools: Tool[];
  /** The same as JSON text, byte for byte equal for equal tools. */
  readonly text: string;
  /** From the vendor's name of each tool to its own. */
  readonly names: Readonly<Record<string, string>>;
  readonly losses: readonly ToolLoss[];
  readonly diagnostics: readonly ExportDiagnostic[];
  /** Brings a model's arguments for a tool, by either name, back into the form of the tool's schema. */
  decode(name: string, input: unknown): unknown;
}

/** The export for a target; for one of several, the export of each. */
export type ExportFor<Target extends VendorTarget> = Target extends VendorTarget ? ExportedTools<Target> : never;

/** The target of an export, or the target itself. */
export type TargetOf<Source extends VendorTarget | ExportedTools> =
  Source extends ExportedTools<infer Target, unknown> ? Target : Source extends VendorTarget ? Source : VendorTarget;

export interface ToolLoss extends Loss {
  readonly tool: string;
}

/** The last exports of frozen tools in lists that are not frozen: known again by their tools. */
const lastExports: LastExport[] = [];
const maxLastExports = 32;

interface LastExport {
  readonly provider: Provider;
  readonly key: string;
  readonly tools: readonly ToolDefinition[];
  readonly exported: ExportedTools;
}

/** A frozen list is known by its identity. */
const byList = createProviderMemory<readonly ToolDefinition[], ExportedTools>();

/**
 * Exports tools for a vendor: a built-in one by its name, or one made by `defineProvider`. A tool that cannot be exported is left out alone,
 * with a diagnostic that names it. Each tool is compiled once per vendor, so that exporting unchanged tools again costs next to nothing.
 */
export function exportTools<const Target extends VendorTarget>(
  tools: readonly ToolDefinition[],
  target: Target,
  options?: ExportOptions & { readonly allowedCallers?: readonly ShapesOf<Target>["caller"][] },
): ExportFor<Target>;
export function exportTools(tools: readonly ToolDefinition[], target: VendorTarget, given: ExportOptions = {}): ExportedTools {
  checkIsList(tools, "exportTools");
  const provider = providerFor(target);
  const options = forListCaller(tools, given);
  // Functions cannot be compared.
  if (typeof options.deferred === "function") return assemble(tools, provider, options);
  const key = JSON.stringify(options);
  const known = byList.get(provider, tools, key);
  if (known !== undefined) return known;
  const last = lastExports.find((entry) => entry.key === key && entry.provider === provider && hasSameItems(entry.tools, tools));
  const exported = last?.exported ?? assemble(tools, provider, options);
  if (last === undefined && !tools.every(isFixed)) return exported;
  if (last === undefined) rememberExport({ provider, key, tools: [...tools], exported });
  if (Object.isFrozen(tools)) byList.set(provider, tools, key, exported);
  return exported;
}

function hasSameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

/** The options with the model and provider of the caller that the list was made for, if they name none. */
export function forListCaller(tools: readonly ToolDefinition[], options: ExportOptions): ExportOptions {
  const { model, provider } = originOf(tools)?.model ?? {};
  return { ...(model !== undefined && { model }), ...(provider !== undefined && { provider }), ...options };
}

/** Keeps one export for each vendor and options, of the last few. */
function rememberExport(entry: LastExport): void {
  const before = lastExports.findIndex(({ provider, key }) => provider === entry.provider && key === entry.key);
  if (before !== -1) lastExports.splice(before, 1);
  lastExports.push(entry);
  if (lastExports.length > maxLastExports) lastExports.shift();
}

function assemble(tools: readonly ToolDefinition[], provider: Provider, options: ExportOptions): ExportedTools {
  checkFields(options, exportFields, { subject: "exportTools", word: "option" });
  if (Array.isArray(options.deferred)) checkNames(options.deferred, new Set(tools.map((tool) => tool?.name)), 'exportTools: "deferred"');
  const { limits, wire } = provider;
  const key = compileKey(options);
  const diagnostics: ExportDiagnostic[] = [];
  const losses: ToolLoss[] = [];
  const byName = new Map<string, CompiledTool>();
  const wireNames = new Map<string, CompiledTool>();
  const exact = new Set(tools.map((tool) => tool?.name).filter((name) => limits.name.test(name)));
  const budget = limits.strict === undefined ? undefined : { ...limits.strict };

  for (const [index, tool] of tools.entries()) {
    checkIsTool(tool, index, "exportTools");
    const named = tool.name;
    const report = (severity: ExportDiagnostic["severity"], code: ExportDiagnostic["code"], message: string): void => {
      diagnostics.push({ tool: named, severity, code, message });
    };
    if (!isForModel(tool.metadata?.models, { provider: options.provider ?? provider.vendor ?? provider.name, model: options.model })) {
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
    if (limits.tools !== undefined && byName.size >= limits.tools) {
      report(
        "error",
        "too-many",
        `Tool "${named}" is beyond the ${limits.tools} tools that ${provider.name} takes. Narrow the policy, or let tools be searched.`,
      );
      continue;
    }
    try {
      const name = freeWireName(named, limits, (taken) => wireNames.has(taken) || (taken !== named && exact.has(taken)));
      let compiled = compileTool(tool, name, provider, options, key);
      if (compiled.strict && budget !== undefined && !spend(budget, compiled.schema)) {
        compiled = compileTool(tool, name, provider, { ...options, strict: false });
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
          `Tool "${named.slice(0, 140)}" is called "${name}" here, because ${provider.name} takes ${limits.name.source}.`,
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
    target: targetOf(provider),
    tools: (wire.frame?.(declarations) ?? declarations) as unknown[],
    get text(): string {
      return (text ??= joinTexts(compiledTools, wire));
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

function joinTexts(tools: readonly CompiledTool[], wire: ProviderWire): string {
  const list = `[${tools.map(({ text }) => text).join(",")}]`;
  if (wire.frame === undefined) return list;
  const mark = "\u0000tools\u0000";
  return JSON.stringify(wire.frame(tools.length === 0 ? [] : [mark])).replace(`[${JSON.stringify(mark)}]`, () => list);
}

function spend(budget: { tools: number; optional: number; unions: number }, schema: JsonSchema): boolean {
  const { optional, unions } = strictCosts(schema);
  if (budget.tools < 1 || budget.optional < optional || budget.unions < unions) return false;
  budget.tools--;
  budget.optional -= optional;
  budget.unions -= unions;
  return true;
}
