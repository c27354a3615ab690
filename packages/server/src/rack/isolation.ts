import type { Capabilities, CapabilityCheck } from "@toolrack/core";
import { findIsolation, isolationRemedy, reservedRemedy } from "@toolrack/tools";
import type { RackConfig } from "../config/config.ts";

/** How programs that tools start are run: isolated by one of two means, unconfined, refused, or not at all where no pack runs any. */
export type ProgramsState = "bubblewrap" | "unshare" | "unconfined" | "refused" | "off";

export const programsStates: readonly ProgramsState[] = ["bubblewrap", "unshare", "unconfined", "refused", "off"];

/** Nothing is looked for where no pack runs programs. Where packs differ, the one that is less safe is told. */
export function programsState({ tools }: RackConfig): ProgramsState {
  const packs = [tools?.packs?.runtime, tools?.packs?.code].filter((pack) => pack !== undefined && pack !== false);
  if (packs.length === 0) return "off";
  if (packs.some((pack) => typeof pack === "object" && pack["unconfined"] === true)) return "unconfined";
  const { kind } = findIsolation();
  return kind === "none" ? "refused" : kind;
}

/** What tools that run programs may require, beside what every registry knows. */
export const programChecks: Readonly<Record<ProgramCapability, CapabilityCheck>> = {
  isolation: { has: () => findIsolation().kind !== "none", remedy: isolationRemedy },
  // Required only by tools whose folder holds files of the server.
  "separate-workspace": { has: () => false, remedy: reservedRemedy },
};

export type ProgramCapability = "isolation" | "separate-workspace";

/** Capabilities that somebody handed in, with those that tools of this server need. */
export function withProgramChecks(capabilities: Capabilities): Capabilities {
  const own = new Map<string, CapabilityCheck>(Object.entries(programChecks).filter(([name]) => !capabilities.knows(name)));
  return {
    knows: (name) => own.has(name) || capabilities.knows(name),
    has: (name) => own.get(name)?.has() ?? capabilities.has(name),
    remedy: (name) => own.get(name)?.remedy ?? capabilities.remedy(name),
    names: () => [...capabilities.names(), ...own.keys()],
  };
}
