import { type AnyTool, createMetaTools } from "@toolrack/core";
import { approveDefinition } from "@toolrack/store";
import { createUnavailableTools, createUtilityTools } from "@toolrack/tools";
import type { PackName, PacksConfig } from "../config/config.ts";
import { type Pack, type PackPlace, recordsOf } from "./pack.ts";

export interface PacksOptions extends Omit<PackPlace, "onClose"> {
  /** @default utility and unavailable: nothing that reads files or runs programs */
  readonly packs: PacksConfig | undefined;
}

export interface OpenedPacks {
  readonly tools: readonly AnyTool[];
  /** Ends the programs that tools started. */
  close(): Promise<void>;
}

/** The built-in tools that are configured. */
export async function openPacks({ packs: wanted = {}, ...place }: PacksOptions): Promise<OpenedPacks> {
  const closes: (() => Promise<void>)[] = [];
  const tools: AnyTool[] = [];
  for (const [name, config] of Object.entries({ utility: true, unavailable: true, ...wanted })) {
    if (config === false) continue;
    const open = await loadPack(name as PackName);
    tools.push(...open(config === true ? {} : config, { ...place, onClose: (close) => closes.push(close) }));
  }
  return { tools, close: async () => void (await Promise.all(closes.map((close) => close()))) };
}

/** Most racks have few of the packs that reach out, so these are loaded by those that do. */
async function loadPack(name: PackName): Promise<Pack> {
  if (isInner(name)) return innerPacks[name];
  const { reachingPacks } = await import("./reaching-packs.ts");
  return reachingPacks[name];
}

function isInner(name: PackName): name is keyof typeof innerPacks {
  return Object.hasOwn(innerPacks, name);
}

/** Those that touch the records and the registry of the rack alone. */
const innerPacks = {
  utility: (config, { store }) =>
    createUtilityTools({
      ...config,
      breadcrumbs: (context) => recordsOf(store, context),
      approve: (context, id, reason) => approveDefinition(recordsOf(store, context), id, { reason }),
    }),
  search: (config, { registry }) => createMetaTools(registry, config),
  unavailable: () => createUnavailableTools(),
} satisfies Partial<Record<PackName, Pack>>;
