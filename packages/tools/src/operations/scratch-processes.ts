import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endAtExit } from "@toolrack/core/internal/programs";
import { createProcessOperations, type ProcessOperationsOptions } from "./node-processes.ts";
import type { ProcessOperations } from "./processes.ts";

/** What each may write to a folder, so that none fills the disk or the memory of the server. */
const scratchBytes = 268_435_456;

/**
 * Programs that read their input and write their output, and need no file of ours: each runs isolated, in an empty folder that is gone with it.
 * Where programs are not isolated, the folder is removed by `close`.
 */
export function createScratchProcesses(options: Omit<ProcessOperationsOptions, "root" | "within"> = {}): ProcessOperations {
  let opened: { readonly processes: ProcessOperations; remove(): void } | undefined;
  const open = (): { readonly processes: ProcessOperations; remove(): void } => {
    const root = mkdtempSync(join(tmpdir(), "toolrack-scratch-"));
    const clean = (): void => rmSync(root, { recursive: true, force: true });
    const forget = endAtExit(clean);
    return {
      processes: createProcessOperations({ scratchBytes, ...options, root }),
      remove() {
        forget();
        clean();
      },
    };
  };
  return {
    start: (command) => (opened ??= open()).processes.start(command),
    async close() {
      const last = opened;
      opened = undefined;
      await last?.processes.close();
      last?.remove();
    },
  };
}
