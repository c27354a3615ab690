import path from "node:path";
import { createProcessOperations, type ProcessOperations } from "@toolrack/tools";
import type { PackConfig, PackPlace } from "./pack.ts";

/** The folder of a pack, and programs that are started there. */
export function openWorkplace(config: PackConfig, place: PackPlace): { readonly root: string; readonly processes: ProcessOperations } {
  const root = typeof config["root"] === "string" ? path.resolve(place.root, config["root"]) : place.root;
  const processes = createProcessOperations({ root });
  place.onClose(() => processes.close());
  return { root, processes };
}
