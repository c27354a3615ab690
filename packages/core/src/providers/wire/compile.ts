import { type JsonSchema, readSchema } from "@toolrack/json-schema";
import { ToolError } from "../../errors.ts";
import type { ToolDefinition } from "../../tool/tool.ts";
import { adaptTo } from "../adapt/adapt.ts";
import type { ExportOptions } from "./options.ts";
import type { Loss } from "../loss.ts";
import { modeOf } from "../mode.ts";
import type { Provider } from "../provider.ts";
import { createProviderMemory } from "../provider-memory.ts";
import { findViolations } from "../rules/find-violations.ts";
import { resolveAliases, withAliases } from "./aliases.ts";

export interface ExportDiagnostic {
  readonly tool: string;
  /** "error": the tool was left out. "warning": it is there, and differs from what you may expect. */
  readonly severity: "error" | "warning";
  readonly code: "schema" | "duplicate" | "name" | "property-name" | "model" | "too-many" | "not-strict";
  readonly message: string;
}

/** One tool, ready for one vendor. */
export interface CompiledTool {
  readonly name: string;
  readonly declaration: unknown;
  readonly text: string;
  readonly schema: JsonSchema;
  readonly strict: boolean;
  readonly losses: readonly Loss[];
  readonly diagnostics: readonly Omit<ExportDiagnostic, "tool">[];
  decode(input: unknown): unknown;
}

const compiledTools = createProviderMemory<ToolDefinition, CompiledTool>();

/** The options that change how one tool is compiled, as a text under which a compiled tool is found again. */
export function compileKey(options: ExportOptions): string {
  return JSON.stringify([
    options.strict,
    options.examples,
    options.allowedCallers,
    options.outputSchemas,
    options.undeclared,
    options.plain,
  ]);
}

/** Compiles a tool, once per vendor, vendor name and options. Throws if the vendor would refuse it. */
export function compileTool(
  tool: ToolDefinition,
  name: string,
  provider: Provider,
  options: ExportOptions,
  optionsKey: string = compileKey(options),
): CompiledTool {
  const deferred = isDeferred(tool, options.deferred);
  const key = `${deferred ? "+" : "-"}${name} ${optionsKey}`;
  const cached = compiledTools.get(provider, tool, key);
  if (cached !== undefined) return cached;
  const compiled = compile(tool, name, provider, options, deferred);
  // Only a frozen tool is sure to be the same next time.
  if (Object.isFrozen(tool)) compiledTools.set(provider, tool, key, compiled);
  return compiled;
}

function compile(tool: ToolDefinition, name: string, provider: Provider, options: ExportOptions, deferred: boolean): CompiledTool {
  if (typeof tool.description !== "string") throw new ToolError("DEFINITION_INVALID", "its description is not a text.");
  const original = readSchema(tool.inputSchema);
  const isStrict = modeOf(provider, options.strict).strict;
  const { aliases } = tool.metadata ?? {};
  const shown = provider.aliases === true && !isStrict && aliases !== undefined ? withAliases(original, aliases) : original;
  const adapted = adaptTo(shown, provider, options);
  const [violation] = findViolations(adapted.schema, modeOf(provider, adapted.strict).rules);
  if (violation !== undefined) {
    throw new ToolError("SCHEMA_INVALID", `${provider.name} would refuse its schema at "${violation.path || "/"}": ${violation.message}.`);
  }
  const declaration = deepFreeze(
    provider.wire.declare({
      name,
      description: tool.description,
      schema: adapted.schema,
      strict: adapted.strict,
      ...(options.examples &&
        tool.metadata?.examples?.length && { examples: tool.metadata.examples.map(({ input }) => structuredClone(adapted.encode(input))) }),
      ...(deferred && { deferred }),
      ...(options.allowedCallers && { allowedCallers: [...options.allowedCallers] }),
      ...(options.outputSchemas && tool.outputSchema && { outputSchema: readSchema(tool.outputSchema) }),
    }),
  );
  return {
    name: tool.name,
    declaration,
    text: JSON.stringify(declaration),
    schema: adapted.schema,
    strict: adapted.strict,
    losses: adapted.losses,
    diagnostics: [
      ...oddNames(tool.name, original),
      ...((isStrict || options.strict) && !adapted.strict ? [notStrict(tool.name, provider)] : []),
    ],
    decode: (input) => (provider.aliases === true ? resolveAliases(adapted.decode(input), tool) : adapted.decode(input)),
  };
}

function isDeferred(tool: ToolDefinition, deferred: ExportOptions["deferred"]): boolean {
  if (typeof deferred === "function") return deferred(tool);
  return Array.isArray(deferred) ? deferred.includes(tool.name) : deferred === true;
}

/** Names that models, SDKs and JavaScript itself are known to handle badly. */
const trapNames = new Set(["", "__proto__", "constructor", "prototype", "$ref"]);

function oddNames(tool: string, schema: JsonSchema): readonly Omit<ExportDiagnostic, "tool">[] {
  const properties = schema["properties"];
  const odd = typeof properties === "object" && properties !== null ? Object.keys(properties).filter((key) => trapNames.has(key)) : [];
  return odd.map((key) => ({
    severity: "warning",
    code: "property-name",
    message: `Tool "${tool}" has a parameter named ${JSON.stringify(key)}, which some models and libraries lose. Give it a plain name and keep this one as an alias.`,
  }));
}

function notStrict(tool: string, { name, strict }: Provider): Omit<ExportDiagnostic, "tool"> {
  const reason = strict === undefined ? `${name} has no strict mode` : "its schema is larger than strict mode allows";
  return { severity: "warning", code: "not-strict", message: `Tool "${tool}" is sent without strict: ${reason}.` };
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}
