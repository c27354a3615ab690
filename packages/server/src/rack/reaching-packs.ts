import path from "node:path";
import {
  createCodeTools,
  createCommerceTools,
  createFilesTools,
  createMemoryTools,
  createProcessOperations,
  createRuntimeTools,
  createWebTools,
  type ProcessOperations,
} from "@toolrack/tools";
import type { PackName } from "../config/config.ts";
import { type Pack, type PackConfig, type PackPlace, recordsOf } from "./pack.ts";
import { createSampleShop } from "./sample-shop.ts";

/** The packs that reach beyond the rack: to files, programs, the network, other databases. */
export const reachingPacks: Readonly<Record<Exclude<PackName, "utility" | "search" | "unavailable">, Pack>> = {
  files: (config, place) => createFilesTools({ ...config, ...workplace(config, place) }),
  runtime: (config, place) => createRuntimeTools({ ...config, ...workplace(config, place) }),
  code: (config, place) => createCodeTools({ ...config, ...workplace(config, place) }),
  web: (config) => createWebTools(config),
  memory(config, { root, store }) {
    const folder = typeof config["folder"] === "string" ? path.resolve(root, config["folder"]) : undefined;
    return createMemoryTools({ ...config, ...(folder !== undefined && { folder }), breadcrumbs: (context) => recordsOf(store, context) });
  },
  commerce: ({ sample, ...config }) => createCommerceTools({ ...config, ...(sample === true && { session: createSampleShop() }) }),
};

/** A folder, and programs that are started there. */
function workplace(config: PackConfig, place: PackPlace): { readonly root: string; readonly processes: ProcessOperations } {
  const root = typeof config["root"] === "string" ? path.resolve(place.root, config["root"]) : place.root;
  const processes = createProcessOperations({ root });
  place.onClose(() => processes.close());
  return { root, processes };
}
