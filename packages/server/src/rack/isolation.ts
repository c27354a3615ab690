import type { Capabilities, CapabilityCheck } from "@toolrack/core";
import { findIsolation, isolationRemedy } from "@toolrack/tools";
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

export const isolationCheck: CapabilityCheck = { has: () => findIsolation().kind !== "none", remedy: isolationRemedy };

/** Capabilities that somebody handed in, with the one that tools of this server need. */
export function withIsolation(capabilities: Capabilities): Capabilities {
  if (capabilities.knows("isolation")) return capabilities;
  return {
    knows: (name) => name === "isolation" || capabilities.knows(name),
    has: (name) => (name === "isolation" ? isolationCheck.has() : capabilities.has(name)),
    remedy: (name) => (name === "isolation" ? isolationCheck.remedy : capabilities.remedy(name)),
    names: () => [...capabilities.names(), "isolation"],
  };
}
