import { lstatSync, readdirSync, type Stats } from "node:fs";
import type { Mount } from "./mount.ts";

/**
 * Covers the parts of /proc that belong to the whole machine and not to the processes of a sandbox: some are masked, the others are
 * read-only. The kernel lets the machine's root write to them by its user id alone, without any capability, and a server that runs as
 * root gives that id to its programs. Which ones there are depends on the kernel.
 */
export function procMounts(): readonly Mount[] {
  return namesInProc().flatMap((name): Mount[] => {
    const path = `/proc/${name}`;
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.isSymbolicLink()) return [];
    if (masked.has(name)) return [found.isDirectory() ? { kind: "folder", path, isWritable: false } : { kind: "blank", path }];
    return mayHoldSettings(found) ? [{ kind: "readable", path }] : [];
  });
}

/** What shows memory, keys, messages and timers of the kernel, as container runtimes mask it. */
const masked: ReadonlySet<string> = new Set("acpi asound kcore keys kmsg latency_stats sched_debug scsi timer_list timer_stats".split(" "));

/** Folders such as /proc/sys and /proc/irq, and files such as /proc/sysrq-trigger. */
function mayHoldSettings(found: Stats): boolean {
  return found.isDirectory() || (found.mode & 0o222) !== 0;
}

/** Without the processes. */
function namesInProc(): readonly string[] {
  try {
    return readdirSync("/proc").filter((name) => !/^\d+$/.test(name));
  } catch {
    return [];
  }
}
