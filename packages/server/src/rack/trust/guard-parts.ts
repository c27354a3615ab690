import type { AnyTool, Logger, ToolSource } from "@toolrack/core";
import type { AcceptedFinding } from "@toolrack/core/scan";
import type { Records } from "../store/records.ts";
import type { Ledger } from "./ledger.ts";
import type { SourceTrust } from "./source-trust.ts";

/** What the guards of all sources share. */
export interface GuardParts {
  readonly ledger: Ledger;
  readonly log: Logger;
  readonly server: { readonly name: string };
  now(): number;
  readonly waits: Records;
  readonly listings: Records;
  /** Does something after what was begun before; nobody waits for it. */
  later(task: () => Promise<void>): void;
  /** Does one thing after the other: a name that one source takes, the next one finds taken. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  trustOf(id: string): SourceTrust;
  liveServers(): Promise<readonly string[]>;
  isAgreed(trust: SourceTrust): boolean;
  /** Findings that `scan.accept` of the settings accepts. */
  accepted(): readonly AcceptedFinding[];
  /** The names of the tools of other sources, those that models know and those of the upstreams. */
  others(source: string): readonly { readonly name: string }[];
  onClosed(source: ToolSource): void;
}

/** What a source lists, as it is served. */
export interface Decided {
  readonly shapes: readonly AnyTool[];
  /** All of it is on record and served as it is. */
  readonly isClean: boolean;
  /** By record: the print that was seen. */
  readonly prints: ReadonlyMap<string, string>;
}
