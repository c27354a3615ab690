import type { ErrorCode } from "../errors.ts";
import type { JsonSchema } from "@toolrack/json-schema";
import type { InvokeOptions } from "../call/host.ts";
import type { EventListener } from "../events.ts";
import type { ConfiguredPolicy } from "../policy/config/config.ts";
import type { ToolExplanation } from "../policy/explain/explain.ts";
import type { SourceStatus, ToolSource } from "../sources/source.ts";
import type { ToolBundle } from "../tool/bundle.ts";
import type { Caller } from "../tool/context.ts";
import type { ToolOptionality } from "../tool/metadata.ts";
import type { ToolResult } from "../tool/result.ts";
import type { AnyTool } from "../tool/shapes.ts";
import type { ToolDefinition } from "../tool/tool.ts";
import type { RegistryView } from "./permission.ts";
import type { ConflictMode } from "./tool-map.ts";
import type { ToolState } from "./availability.ts";

/**
 * An ordered, observable collection of tools, and the one door through which they are called.
 * A registry with some services takes tools that need no others: one with more services can stand in for one with fewer.
 */
// Any: code that handles registries of all kinds does not name their services.
export interface Registry<out Services = any> {
  /** Counts the changes: equal numbers mean equal lists. */
  readonly revision: number;
  /** How many tools are registered, whatever their state. */
  readonly count: number;

  /** Hangs a tool up, in any accepted shape. Another version of a known name hangs beside it. */
  register(tool: AnyTool<Services>, options?: RegisterOptions): ToolDefinition;
  /** Takes a tool off: all its versions, or "name@1.0.0" alone. An unknown name throws TOOL_NOT_FOUND. */
  unregister(name: string): void;
  has(name: string): boolean;
  /** By exact name, else "name@range", else the normalised name ("Bash" finds "exec"). */
  get(name: string): ToolDefinition | undefined;

  /** The tools on offer, in the order of their registration: a snapshot that later changes do not affect. */
  list(): readonly ToolDefinition[];
  listByCategory(category: string): readonly ToolDefinition[];
  listByOptionality(optionality: ToolOptionality): readonly ToolDefinition[];
  /** The standard categories and every other one in use. */
  categories(): readonly { readonly name: string; readonly description?: string; readonly tools: number }[];
  /** Every registered tool, with its source and its state. */
  entries(): readonly RegistryEntry[];
  /** Name, description and parameters of the tools on offer: plain JSON, for prompts. */
  describe(): readonly ToolDescription[];
  /** The input schema of each tool on offer, by name. */
  schemas(): Readonly<Record<string, JsonSchema>>;

  /**
   * What one caller may see, and what decided about each tool. Its list is the same array until something changes, so that what is made
   * from it is made once: `exportTools`, `searchTools`, `toolSection`, `toolCallGrammar`.
   */
  view(caller: Caller): RegistryView;
  /** Why a caller may or may not use a tool: as data, and as sentences. */
  explain(name: string, caller: Caller): ToolExplanation;
  /** Puts another policy in place: `readPolicyConfig(config)`; undefined takes it away. Anything else throws and changes nothing. */
  setPolicy(policy: ConfiguredPolicy | undefined): void;

  /**
   * Switches a tool off, in every version, while conversations run: it is no longer listed, and a late call answers TOOL_DISABLED. With
   * "name@range", only the newest version in the range.
   */
  disable(name: string, reason?: string): void;
  enable(name: string): void;
  /**
   * Disables these names, each with the reason, and no other that an earlier call disabled: also tools that are not there yet, that exist for
   * one caller only, or that are shown under another name. They stay disabled whatever `enable` is told.
   */
  setDisabled(disabled: ReadonlyMap<string, string>): void;

  /** The tools of a bundle that are on offer, in its order, and those that are missing. */
  applyBundle(bundle: ToolBundle): BundleTools;

  /** Keeps the registry in step with a source of tools. */
  addSource(source: ToolSource): Promise<SourceStatus>;
  refreshSource(id: string): Promise<SourceStatus>;
  /** Takes a source away, and its tools with it. */
  removeSource(id: string): Promise<void>;
  sources(): readonly SourceStatus[];

  subscribe(listener: EventListener): void;
  unsubscribe(listener: EventListener): void;

  /** Finds, permits, validates, runs, checks and records one call. Never rejects. */
  invoke(name: string, input: unknown, options?: InvokeOptions): Promise<ToolResult>;
  /** The calls of one model reply, at the same time; the results in the order of the calls. */
  callAll(calls: readonly ToolCallRequest[], options?: InvokeOptions): Promise<readonly ToolResult[]>;
  /** What stands around a tool's handler, outermost first. */
  wrappers(name: string): readonly string[];

  /** A registry of its own with the same tools and options. */
  clone(): Registry<Services>;
  /** Takes over another registry's tools; with conflicts, and no mode to settle them, nothing changes. */
  merge(other: Registry, options?: RegisterOptions): MergeReport;
  /** Lets go of all sources. */
  close(): Promise<void>;
}

export interface RegisterOptions {
  /** What happens when the name (and version) is taken. @default "error" */
  readonly onConflict?: ConflictMode;
}

export interface RegistryEntry {
  readonly tool: ToolDefinition;
  /** "code" for tools registered by hand. */
  readonly source: string;
  readonly state: ToolState;
  readonly reason?: string;
  /** Of the definition without its handler: changes when the tool does. */
  readonly hash: string;
}

export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
}

export interface BundleTools {
  readonly tools: readonly ToolDefinition[];
  readonly missing: readonly string[];
  /** Optional tools that are missing. */
  readonly missingOptional: readonly string[];
}

export interface ToolCallRequest {
  readonly name: string;
  readonly input: unknown;
  readonly callId?: string;
  /** Why `readCalls` could not read the call: it is answered with this, and not run. */
  readonly error?: { readonly code: ErrorCode; readonly message: string };
}

export interface MergeReport {
  readonly added: readonly string[];
  readonly replaced: readonly string[];
  readonly conflicts: readonly string[];
}
