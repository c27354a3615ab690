import type { ToolDefinition } from "@toolrack/core";
import { createProcessOperations } from "../operations/node-processes.ts";
import { inWorkspace } from "../workspace/tool.ts";
import { createProcessTable } from "./_table.ts";
import { createExec } from "./exec.ts";
import type { RuntimePack, RuntimeToolsOptions } from "./options.ts";
import { createProcess } from "./process.ts";

/** exec and process. Both know the same programs, so they belong together. */
export function createRuntimeTools(options: RuntimeToolsOptions): ToolDefinition[] {
  const { root, shell = false, environment = {}, maxTimeoutMs = 600_000, maxOutputChars = 30_000, maxRunning = 16 } = options;
  const processes = options.processes ?? createProcessOperations(options);
  const pack: RuntimePack = {
    table: createProcessTable({ processes, maxRunning, maxBackgroundMs: options.maxBackgroundMs ?? 3_600_000 }),
    note: processes.note,
    shell: shell === true ? "/bin/sh" : shell === false ? undefined : shell,
    environment,
    timeoutMs: Math.min(options.timeoutMs ?? 120_000, maxTimeoutMs),
    maxTimeoutMs,
    maxOutputChars,
  };
  options.onCallersEnd?.(pack.table.endOf);
  return [createExec, createProcess].map((create) => inWorkspace(create(pack), { root }));
}
