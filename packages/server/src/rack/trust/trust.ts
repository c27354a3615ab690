import type { ToolDefinition, ToolSource } from "@toolrack/core";
import type { AcceptedFinding, ScanFinding } from "@toolrack/core/scan";
import type { ChangeVerdict, DefinitionChange } from "@toolrack/core/trust";
import type { Breadcrumb, BreadcrumbStore, JsonObject } from "@toolrack/store";
import type { Author } from "../audit/author.ts";
import type { KnownTool } from "../sources/absent-tools.ts";
import type { TextKind } from "./noted-texts.ts";

/**
 * The ledger of definitions and the lock. Every source passes through `guard`: what it lists is on record, and what a person has to look at
 * first is not served.
 */
export interface Trust {
  /** The source without the tools that wait for a person, and with the approved text of those whose text changed. */
  guard(source: ToolSource): ToolSource;
  /** Everything that waits for a person, the oldest first. */
  waiting(): readonly WaitingDefinition[];
  get(id: string): WaitingDefinition | undefined;
  /** Approves or refuses exactly the definition with this digest. Undefined if nothing waits under this id; throws for another digest. */
  decide(id: string, decision: DefinitionDecision): Promise<WaitingDefinition | undefined>;
  /** Approves all that waits of one source, as far as it needs no look at each: new tools without a finding, and changes of wording. */
  approveSource(source: string, decision: Omit<DefinitionDecision, "approved">): Promise<readonly WaitingDefinition[]>;
  /** The digest of what `approveSource` would approve. */
  bulkOf(source: string): { readonly digest: string; readonly definitions: readonly WaitingDefinition[] };
  /** A tool that is not served because its definition waits, or was refused. */
  held(tool: string): WaitingDefinition | undefined;
  /** The same, by the id of its source and its name there. */
  heldAt(origin: { readonly sourceId: string; readonly tool: string }): WaitingDefinition | undefined;
  /** The record of a tool that is served now; undefined for stored definitions, and for names that no tool has. */
  recordIdOf(tool: string): string | undefined;
  /** The tools that a source had, also while it is away. */
  knownOf(source: string): Promise<readonly KnownTool[]>;
  /** Whether a served tool says what its source says now, and not an earlier text that was approved. */
  isAsSeen(tool: Pick<ToolDefinition, "handler">): boolean;
  /** Shows models an earlier definition again. Throws STATE_INVALID for tools of our own code. */
  restore(id: string, version: number, by: Author, expected?: number): Promise<Breadcrumb | undefined>;
  /**
   * What the scanner finds in a served definition, and which waiting definitions imitate or steer the tool. Words that nobody has approved are
   * in it only with `withUnapproved`, for those who decide about definitions.
   */
  findings(tool: string, options?: { readonly withUnapproved?: boolean }): Promise<readonly ScanFinding[]>;
  /** Takes the tools of sources that are neither configured nor loaded any more out of the catalog. */
  archiveRemoved(): void;
  /** Findings that the settings accept: they count as infos, here and in every scan. */
  accepted(): readonly AcceptedFinding[];
  /** Decides again about what is listed, if the settings treat it otherwise now. */
  apply(): void;
  /** Resolves when everything that was seen so far is on record. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** A definition that waits for a person. */
export interface WaitingDefinition {
  readonly id: string;
  readonly kind: "definition";
  /** What is defined: a tool, or what a source says to models beside its tools. */
  readonly what: "tool" | TextKind;
  /** The name by which models know the tool, or would. */
  readonly tool: string;
  readonly source: string;
  /** The upstream's own name for it. */
  readonly name: string;
  /** The print of the definition: an answer is for exactly this one. */
  readonly digest: string;
  readonly reason: "new" | "changed";
  /** What it is beyond that: "renamed from …", "re-pointed …". Sentences. */
  readonly told: readonly string[];
  readonly effect: WaitingEffect;
  /** Of a change. */
  readonly verdict?: ChangeVerdict;
  readonly changes: readonly DefinitionChange[];
  readonly findings: readonly ScanFinding[];
  /** Tools of other sources that it imitates or steers. */
  readonly about: readonly string[];
  /** In the upstream's own form. Nothing in it can be trusted. */
  readonly definition: JsonObject;
  /** The record of the tool. */
  readonly record: string;
  readonly seenAt: number;
  /** The server that saw it, as `toolrack status` shows it: "6c1d0e on web-1". */
  readonly seenBy: string;
  /** A person refused it. */
  readonly refused?: boolean;
}

/**
 * - `held`: not listed, found or callable.
 * - `old-text`: models see the approved text, and calls go on.
 * - `old-definition`: models see the approved text and schema, and arguments are checked against both.
 * - `reported`: it is served all the same, because `trust.enforce` is false.
 */
export type WaitingEffect = "held" | "old-text" | "old-definition" | "reported";

export interface DefinitionDecision {
  readonly approved: boolean;
  readonly digest: string;
  readonly reason?: string;
  readonly by: Author;
}

/** What happened to a definition, for the log of definitions. */
export interface DefinitionEvent {
  readonly kind: "first-sight" | "change" | "approval" | "refusal" | "restore";
  readonly source: string;
  readonly identity: string;
  /** The upstream's own name. */
  readonly name: string;
  readonly tool: string;
  readonly print: string;
  /** The server that saw it, or the person who decided. */
  readonly by: string;
}

/** Adds events to a log in the transaction that `tx` belongs to. */
export type LogDefinitions = (tx: BreadcrumbStore, events: readonly DefinitionEvent[]) => Promise<void>;
