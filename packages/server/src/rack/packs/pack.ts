import type { Model } from "@toolrack/agent";
import type { AnyTool, Caller, Registry } from "@toolrack/core";
import type { Reranker } from "@toolrack/core/search";
import type { IsOwnAddress } from "@toolrack/fetch";
import type { JsonSchema } from "@toolrack/json-schema";
import type { BreadcrumbStore, RecordSource } from "@toolrack/store";
import type { CanvasHost, OpenSessions } from "@toolrack/tools";
import type { DefinitionFindings } from "../access/guarded-writes.ts";
import type { Schedules } from "../automation/schedules/schedules.ts";
import type { Jobs } from "../jobs/jobs.ts";
import type { Programs } from "../programs/programs.ts";
import type { Proposals } from "../proposals/proposals.ts";

/** A pack of tools that a module adds, enabled by `tools.packs.<name>`. */
export interface PackDefinition {
  /** Lower-case letters, digits and single hyphens: "tickets". */
  readonly name: string;
  /** A JSON Schema for the options in the configuration. @default an object without properties */
  readonly options?: JsonSchema;
  /** Creates the tools of the pack. */
  open(options: PackConfig, context: PackContext): readonly AnyTool[] | Promise<readonly AnyTool[]>;
}

/** Makes the tools of one built-in pack from its options in the configuration. */
export type OpenPack = (config: PackConfig, context: PackContext) => readonly AnyTool[];

export type PackConfig = Readonly<Record<string, unknown>>;

/** What a pack gets from the server. */
export interface PackContext {
  /** The workspace: the folder that tools work in. */
  readonly root: string;
  /** Files and folders of the server itself, as absolute paths: no tool may read or change them, and no program may see them. */
  readonly ownFiles: readonly string[];
  /** The store with the rights of the server; use `store.as(actor)` for what a caller may see. */
  readonly store: BreadcrumbStore;
  /** The registry that will hold the tools, for tools that find other tools. */
  readonly registry: Registry;
  /** What can be said about stored definitions that are not served yet. */
  readonly definitions?: Pick<RecordSource, "kinds" | "problemOf"> & { readonly findingsOf?: DefinitionFindings };
  /** Runs programs over the tools of the registry. */
  readonly programs?: Programs;
  /** Sessions of agents, with the eyes of a caller. */
  readonly sessions?: OpenSessions;
  /** Pages that are shown to people. */
  readonly canvases?: CanvasHost;
  /** What tools plan and propose, and other machines: there once the server is open. */
  readonly hosts?: () => PackHosts;
  /** The model of an agent that this server runs. Rejects with CONFIG_INVALID if there is no such agent. */
  readonly modelOf?: (agent: string) => Promise<Model>;
  /** The addresses of this server itself. @default none is known */
  readonly isOwnAddress?: IsOwnAddress;
  /** Hides the values of secrets in a text. @default none are known */
  readonly redact?: (text: string) => string;
  /** Reorders searches by meaning; absent unless `search.embeddings` is configured. */
  readonly reranker?: Reranker;
  /** Logs a warning for the operator: name the problem and the remedy. */
  onProblem(problem: string): void;
  /** Calls the listener when callers can no longer sign in: end what runs on their behalf. */
  onCallersEnd(listener: (isOver: (caller: Caller) => boolean) => void): void;
  /** Registers what has to be closed when the server stops. */
  onClose(close: () => Promise<void>): void;
}

/** Parts of the server that are opened after the packs. */
export interface PackHosts {
  readonly schedules: Schedules;
  readonly jobs: Pick<Jobs, "list">;
  readonly settings: { list(): readonly PackSetting[] };
  readonly proposals: Proposals;
  readonly sources: { list(): readonly PackSource[] };
}

/** A setting in force. */
export interface PackSetting {
  readonly key: string;
  readonly value: unknown;
  readonly origin: string;
}

/** A source of tools, as far as packs see it. */
export interface PackSource {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly tools: readonly string[];
}
