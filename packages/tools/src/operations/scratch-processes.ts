import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endAtExit } from "@toolrack/core/internal/programs";
import { createProcessOperations, type ProcessOperationsOptions } from "./node-processes.ts";
import type { ProcessOperations } from "./processes.ts";

/**
 * Programs that read their input and write their output, and need no file of ours: each runs isolated, in an empty folder that is created with
 * the first of them and removed by `close`.
 */
export function createScratchProcesses(options: Omit<ProcessOperationsOptions, "root" | "within"> = {}): ProcessOperations {
  let opened: { readonly processes: ProcessOperations; remove(): void } | undefined;
  const open = (): { readonly processes: ProcessOperations; remove(): void } => {
    const root = mkdtempSync(join(tmpdir(), "toolrack-scratch-"));
    const clean = (): void => rmSync(root, { recursive: true, force: true });
    const forget = endAtExit(clean);
    return {
      processes: createProcessOperations({ ...options, root }),
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
