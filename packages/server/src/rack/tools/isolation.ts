import type { ToolDefinition } from "@toolrack/core";
import type { Capabilities, CapabilityCheck } from "@toolrack/core/node";
import { browserDriverRemedy, findIsolation, hasBrowserDriver, isolationRemedy, reservedRemedy } from "@toolrack/tools";
import type { RackConfig } from "../../config/config.ts";

/** How programs of tools run: isolated by one of two means, unconfined, refused, or off if no pack runs programs. */
export type ProgramsState = "bubblewrap" | "unshare" | "unconfined" | "refused" | "off";

export const programsStates: readonly ProgramsState[] = ["bubblewrap", "unshare", "unconfined", "refused", "off"];

/** Isolation is looked for only if a pack runs programs. If packs differ, the less safe state is returned. */
export function programsState(config: RackConfig): ProgramsState {
  const isOn = (name: ProgramPack): boolean => (config.tools?.packs?.[name] ?? false) !== false;
  const on = programPacks.filter(isOn);
  if (on.length === 0) return "off";
  const packs = on.filter((name) => refusedPacks.get(config)?.has(name) !== true).map((name) => config.tools?.packs?.[name]);
  if (packs.length === 0) return "refused";
  if (packs.some((pack) => typeof pack === "object" && pack["unconfined"] === true)) return "unconfined";
  const { kind } = findIsolation();
  return kind === "none" ? "refused" : kind;
}

type ProgramPack = "runtime" | "code";
const programPacks: readonly ProgramPack[] = ["runtime", "code"];

/** The packs of a configuration whose programs are refused, because they could reach the server's own files. */
const refusedPacks = new WeakMap<RackConfig, ReadonlySet<ProgramPack>>();

/** Remembers which packs were opened without programs. `tools` are those of the registry. */
export function noteRefusedPrograms(config: RackConfig, tools: readonly ToolDefinition[]): void {
  const isRefused = (program: string): boolean =>
    tools.some(({ name, metadata }) => name === program && metadata?.requiresCapabilities?.includes("separate-workspace") === true);
  refusedPacks.set(config, new Set(programPacks.filter((pack) => isRefused(pack === "runtime" ? "exec" : "git"))));
}

/** Capabilities that tools which run programs may require, in addition to those of every registry. */
export const programChecks: Readonly<Record<ProgramCapability, CapabilityCheck>> = {
  isolation: { has: () => findIsolation().kind !== "none", remedy: isolationRemedy },
  // Required only by tools whose folder holds files of the server.
  "separate-workspace": { has: () => false, remedy: reservedRemedy },
  "playwright-core": { has: hasBrowserDriver, remedy: `${browserDriverRemedy}.` },
};

export type ProgramCapability = "isolation" | "separate-workspace" | "playwright-core";

/** The given capabilities, with those that tools of this server need. */
export function withChecks(capabilities: Capabilities, checks: Readonly<Record<string, CapabilityCheck>>): Capabilities {
  const own = new Map<string, CapabilityCheck>(Object.entries(checks).filter(([name]) => !capabilities.knows(name)));
  return {
    knows: (name) => own.has(name) || capabilities.knows(name),
    has: (name) => own.get(name)?.has() ?? capabilities.has(name),
    remedy: (name) => own.get(name)?.remedy ?? capabilities.remedy(name),
    names: () => [...capabilities.names(), ...own.keys()],
  };
}
