import path from "node:path";
import { type AnyTool, type CallContext, createMetaTools, type Registry } from "@toolrack/core";
import { approveDefinition, type BreadcrumbStore, type Role } from "@toolrack/store";
import {
  createCodeTools,
  createCommerceTools,
  createFilesTools,
  createMemoryTools,
  createProcessOperations,
  createRuntimeTools,
  createUnavailableTools,
  createUtilityTools,
  createWebTools,
  type ProcessOperations,
} from "@toolrack/tools";
import type { PackName, PacksConfig } from "../config/config.ts";
import { createSampleShop } from "./sample-shop.ts";

export interface PacksOptions {
  /** @default utility and unavailable: nothing that reads files or runs programs */
  readonly packs: PacksConfig | undefined;
  /** The folder that tools work in. */
  readonly root: string;
  readonly store: BreadcrumbStore;
  /** Where the tools will hang: those that find other tools look there. */
  readonly registry: Registry;
}

export interface OpenedPacks {
  readonly tools: readonly AnyTool[];
  /** Ends the programs that tools started. */
  close(): Promise<void>;
}

/** The built-in tools that are configured. */
export function openPacks({ packs: wanted = {}, root, store, registry }: PacksOptions): OpenedPacks {
  const programs: ProcessOperations[] = [];
  const place: PackPlace = {
    store,
    registry,
    rootOf: (config) => (typeof config["root"] === "string" ? path.resolve(root, config["root"]) : root),
    programsIn(folder) {
      const made = createProcessOperations({ root: folder });
      programs.push(made);
      return made;
    },
  };
  const tools = Object.entries({ utility: true, unavailable: true, ...wanted }).flatMap(([name, config]) =>
    config === false ? [] : packs[name as PackName](config === true ? {} : config, place),
  );
  return { tools, close: async () => void (await Promise.all(programs.map((one) => one.close()))) };
}

interface PackPlace {
  readonly store: BreadcrumbStore;
  readonly registry: Registry;
  rootOf(config: PackConfig): string;
  programsIn(folder: string): ProcessOperations;
}

type PackConfig = Readonly<Record<string, unknown>>;

const packs: Readonly<Record<PackName, (config: PackConfig, place: PackPlace) => readonly AnyTool[]>> = {
  files(config, { rootOf, programsIn }) {
    const root = rootOf(config);
    return createFilesTools({ ...config, root, processes: programsIn(root) });
  },
  runtime(config, { rootOf, programsIn }) {
    const root = rootOf(config);
    return createRuntimeTools({ ...config, root, processes: programsIn(root) });
  },
  code(config, { rootOf, programsIn }) {
    const root = rootOf(config);
    return createCodeTools({ ...config, root, processes: programsIn(root) });
  },
  web: (config) => createWebTools(config),
  memory(config, { rootOf, store }) {
    const folder = typeof config["folder"] === "string" ? path.resolve(rootOf({}), config["folder"]) : undefined;
    return createMemoryTools({ ...config, ...(folder !== undefined && { folder }), breadcrumbs: (context) => recordsOf(store, context) });
  },
  utility: (config, { store }) =>
    createUtilityTools({
      ...config,
      breadcrumbs: (context) => recordsOf(store, context),
      approve: (context, id, reason) => approveDefinition(recordsOf(store, context), id, { reason }),
    }),
  commerce: ({ sample, ...config }) => createCommerceTools({ ...config, ...(sample === true && { session: createSampleShop() }) }),
  search: (config, { registry }) => createMetaTools(registry, config),
  unavailable: () => createUnavailableTools(),
};

/** The records as the caller of a tool sees them: its roles in the server are its roles in the store. */
function recordsOf(store: BreadcrumbStore, { caller }: Pick<CallContext, "caller">): BreadcrumbStore {
  const roles = (caller.roles ?? []).filter((role): role is Role => storeRoles.has(role));
  return store.as({ owner: store.actor.owner, agent: caller.agent ?? "unknown", roles });
}

const storeRoles: ReadonlySet<string> = new Set<Role>(["emitter", "subscriber", "curator"]);
