import { mkdirSync } from "node:fs";
import path from "node:path";
import { ToolError } from "@toolrack/core";
import { createProcessOperations, type ProcessOperations } from "@toolrack/tools";
import type { PackConfig, PackPlace } from "./pack.ts";

/** Where a pack works, and what it never finds there. */
export interface Workplace {
  readonly root: string;
  readonly hidden: readonly string[];
  readonly processes: ProcessOperations;
}

/** The folder of a pack, made where it is missing, and programs that are started there. */
export function openWorkplace(config: PackConfig, place: PackPlace): Workplace {
  const root = typeof config["root"] === "string" ? path.resolve(place.root, config["root"]) : place.root;
  makeFolder(root);
  const processes = createProcessOperations({ root });
  place.onClose(() => processes.close());
  return { root, hidden: place.ownFiles, processes };
}

function makeFolder(root: string): void {
  try {
    mkdirSync(root, { recursive: true });
  } catch (error) {
    throw new ToolError(
      "CONFIG_INVALID",
      `The workspace ${root} cannot be made: ${(error as Error).message}. Set workspace to another folder.`,
      {
        cause: error,
      },
    );
  }
}
