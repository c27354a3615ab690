import type {
  Caller,
  RegistryEntry,
  RegistryView,
  ToolAnnotations,
  ToolDefinition,
  ToolMetadata,
  ToolOptionality,
  ToolState,
} from "@toolrack/core";
import type { ToolExplanation, ToolNeeds } from "@toolrack/core/policy";
import { governedNames } from "@toolrack/core/internal";
import { nearestNames } from "@toolrack/json-schema/internal";
import type { ToolHit } from "@toolrack/core/search";
import type { JsonSchema } from "@toolrack/json-schema";
import { agentsCapability } from "../../rack/agents/agents-check.ts";
import type { Rack } from "../../rack/rack.ts";
import type { OverlayInfo } from "../../rack/trust/overlay-info.ts";
import { Problem } from "../../http/reply/problem.ts";
import type { SchemaOf } from "../../http/route.ts";
import { type FieldsOf, objectOf } from "../_answers.ts";
import { explanationSchema } from "../_explanations.ts";
import { overlayInfoSchema } from "./overlays.ts";

const text = { type: "string" } as const;
const texts = { type: "array", items: text } as const;
const flag = { type: "boolean" } as const;

/** There is no tool of this name; the nearest of those that the caller may see is suggested. */
export function noTool(name: string, visible: readonly { readonly name: string }[]): Problem {
  const [near] = nearestNames(
    name,
    visible.map((tool) => tool.name),
    1,
  );
  const next = near === undefined ? "List the tools to see what there is." : `Did you mean "${near}"?`;
  return new Problem(404, "TOOL_NOT_FOUND", `There is no tool "${name.slice(0, 140)}". ${next}`, { tool: name.slice(0, 140) });
}

/** Whether a source is the one of this name, with or without its type. "packs" stands for all packs, also those of modules. */
export function ofSource({ sources }: Pick<Rack, "sources">, name: string): (source: string) => boolean {
  const wanted = sources.registryIdOf(name);
  return (source) => source === wanted || (wanted === "packs" && source.startsWith("pack:"));
}

export const toolStates: readonly ToolState[] = [
  "ready",
  "deprecated",
  "resting",
  "disabled",
  "unavailable",
  "needs-configuration",
  "draft",
  "archived",
];

/** A tool in a list. */
export interface ToolSummary {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly version?: string;
  readonly category?: string;
  readonly optionality?: ToolOptionality;
  readonly tags?: readonly string[];
  readonly groups?: readonly string[];
  /** Its source: tools, packs, records, mcp:github. */
  readonly source: string;
  /** The source failed at its last read: the tool may be outdated, and calls may fail. */
  readonly sourceFailed?: true;
  readonly state: ToolState;
  /** Why it is in this state, and what to do about it. */
  readonly reason?: string;
  /** A known tool for which this server has no host. */
  readonly withoutHost?: true;
  /** Changes when the definition does. */
  readonly hash: string;
  /** Whether the caller may call it. */
  readonly allowed: boolean;
  /** Whether each call waits for approval. */
  readonly asks: boolean;
  readonly annotations?: ToolAnnotations;
  readonly secrets?: readonly string[];
  readonly configurable: boolean;
  /** The origin of the setting that disabled it. */
  readonly origin?: string;
}

/** A tool with all details. */
export interface ToolDetails extends ToolSummary {
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly metadata?: Omit<ToolMetadata, "when">;
  /** Resources that the tool declares: hosts, secrets, files, programs. */
  readonly needs?: DeclaredNeeds;
  /** What is changed here about the tool of its source; shown to those who see hidden tools. */
  readonly overlay?: OverlayInfo;
  /** The wrappers around the handler, outermost first. */
  readonly wrappers?: readonly string[];
  readonly explanation: ToolExplanation;
}

/** The needs of a tool, and what they are worth. */
export interface DeclaredNeeds extends ToolNeeds {
  readonly status: "declared, not enforced";
}

const summaryFields: FieldsOf<ToolSummary> = {
  name: text,
  title: text,
  description: text,
  version: text,
  category: text,
  optionality: { enum: ["required", "optional", "conditional"] },
  tags: texts,
  groups: texts,
  source: { ...text, description: "Its source: tools, packs, records, mcp:github." },
  sourceFailed: { const: true, description: "The source failed at its last read: the tool may be outdated, and calls may fail." },
  state: { enum: toolStates },
  reason: { ...text, description: "Why it is in this state, and what to do about it." },
  withoutHost: {
    const: true,
    description: "A built-in tool that this server has nothing to run with: a program that one install would add, or an agent.",
  },
  hash: { ...text, description: "Changes when the definition does." },
  allowed: { ...flag, description: "Whether the caller may call it." },
  asks: { ...flag, description: "Whether each call waits for approval." },
  annotations: objectOf<ToolAnnotations>({ readOnly: flag, destructive: flag, idempotent: flag, openWorld: flag }, [
    "readOnly",
    "destructive",
    "idempotent",
    "openWorld",
  ]),
  secrets: texts,
  configurable: flag,
  origin: { ...text, description: "The origin of the setting that disabled it." },
};
const summaryOptional = [
  "title",
  "version",
  "category",
  "optionality",
  "tags",
  "groups",
  "sourceFailed",
  "reason",
  "withoutHost",
  "annotations",
  "secrets",
  "origin",
] as const;
export const summarySchema: SchemaOf<ToolSummary> = objectOf<ToolSummary>(summaryFields, summaryOptional);
const anyObject = { type: "object", additionalProperties: true } as const;
const needsSchema = objectOf<DeclaredNeeds>(
  {
    status: { const: "declared, not enforced", description: "Nothing holds the tool to what it declares." },
    memoryMb: { type: "number" },
    hosts: texts,
    files: objectOf<NonNullable<ToolNeeds["files"]>>({ read: texts, write: texts }, ["read", "write"]),
    programs: texts,
    permissions: texts,
  },
  ["memoryMb", "hosts", "files", "programs", "permissions"],
);
export const toolSchema: SchemaOf<ToolDetails> = objectOf<ToolDetails>(
  {
    ...summaryFields,
    inputSchema: anyObject,
    outputSchema: anyObject,
    metadata: anyObject,
    needs: needsSchema,
    overlay: overlayInfoSchema,
    wrappers: texts,
    explanation: explanationSchema,
  },
  [...summaryOptional, "outputSchema", "metadata", "needs", "overlay", "wrappers"],
);

export function entryOf({ registry }: Rack, tool: ToolDefinition): RegistryEntry {
  return registry.entries().find((entry) => entry.tool === tool) ?? { tool, source: "caller", state: "ready", hash: "" };
}

export function summaries(rack: Rack, caller: Caller, all: boolean): readonly ToolSummary[] {
  const entries = rack.registry.entries();
  const one = seenBy(rack, caller);
  const listed = new Set(one.view.tools);
  const seen: Seen = { ...one, isListed: (tool) => listed.has(tool) };
  if (all) return entries.map((entry) => summary(rack, entry, seen));
  const byTool = new Map(entries.map((entry) => [entry.tool, entry]));
  return seen.view.tools.map((tool) => summary(rack, byTool.get(tool) ?? entryOf(rack, tool), seen));
}

/** The tools for a task, best first: by words, and by meaning where `search.embeddings` is configured. Finds only what the caller may see. */
export async function findTools(
  { registry, reranker }: Rack,
  caller: Caller,
  query: string,
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
): Promise<readonly ToolHit<ToolDefinition>[]> {
  const { tools } = registry.view(caller);
  // Words are loaded with the first search.
  const { searchTools, searchToolsByMeaning } = await import("@toolrack/core/search");
  return reranker === undefined ? searchTools(tools, query, { limit }) : searchToolsByMeaning(tools, query, { limit, reranker, signal });
}

export async function searched(rack: Rack, query: string, caller: Caller, signal: AbortSignal): Promise<readonly ToolSummary[]> {
  const byName = new Map(summaries(rack, caller, false).map((tool) => [tool.name, tool]));
  const hits = await findTools(rack, caller, query, { limit: maxHits, signal });
  return hits.flatMap(({ tool }) => byName.get(tool.name) ?? []);
}

const maxHits = 100;

/** What one caller may see. */
export interface Seen {
  readonly view: RegistryView;
  isListed(tool: ToolDefinition): boolean;
  /** Sources that failed at their last read. */
  readonly failed: ReadonlySet<string>;
}

export function seenBy({ registry }: Rack, caller: Caller): Seen {
  const view = registry.view(caller);
  const failed = registry.sources().flatMap(({ id, state }) => (state === "failed" ? [id] : []));
  return { view, isListed: (tool) => view.offered(tool.name) === tool, failed: new Set(failed) };
}

/** Whether it is a built-in tool that this server has nothing to run with: a program that one install would add, or an agent. */
export function isWithoutHost({ tool, source, state, reason }: Pick<RegistryEntry, "tool" | "source" | "state" | "reason">): boolean {
  if (state !== "unavailable" || source !== "packs") return false;
  return tool.metadata?.requiresCapabilities?.some((name) => isOptional(name) && reason?.includes(`"${name}"`) === true) === true;
}

function isOptional(capability: string): boolean {
  return capability === agentsCapability || capability.startsWith("binary:") || capability === "playwright-core";
}

/** The setting that switches a tool off, under any of its names. */
function switchOrigin(settings: Rack["settings"], tool: ToolDefinition): string | undefined {
  const found = governedNames(tool).flatMap((name) => settings.get(`tools.${name}`) ?? []);
  return (found.find(({ value }) => (value as { readonly enabled?: unknown } | null)?.enabled === false) ?? found[0])?.origin;
}

export function summary({ settings }: Rack, { tool, source, state, reason, hash }: RegistryEntry, seen: Seen): ToolSummary {
  const { name, title, description, version, metadata } = tool;
  const { category, optionality, tags, groups, annotations, secrets, configSchema } = metadata ?? {};
  const origin = state === "disabled" ? switchOrigin(settings, tool) : undefined;
  return {
    name,
    ...(title !== undefined && { title }),
    description,
    ...(version !== undefined && { version }),
    ...(category !== undefined && { category }),
    ...(optionality !== undefined && { optionality }),
    ...(tags !== undefined && { tags }),
    ...(groups !== undefined && { groups }),
    source,
    ...(seen.failed.has(source) && { sourceFailed: true as const }),
    state,
    ...(reason !== undefined && { reason }),
    ...(isWithoutHost({ tool, source, state, ...(reason !== undefined && { reason }) }) && { withoutHost: true as const }),
    hash,
    allowed: seen.isListed(tool),
    asks: seen.view.decision(name)?.ask !== undefined,
    ...(annotations !== undefined && { annotations }),
    ...(secrets !== undefined && { secrets }),
    configurable: configSchema !== undefined,
    ...(origin !== undefined && { origin }),
  };
}
