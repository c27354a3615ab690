import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file system in memory that can be filled up. Needs the right to mount. */
export interface SmallDisk {
  readonly folder: string;
  /** Leaves no byte free. */
  fill(): void;
  /** Takes back what `fill` took. */
  free(): void;
  remount(mode: "ro" | "rw"): void;
  remove(): void;
}

/** Mounted at `mountPoint`, which stays afterwards; without it at a temporary folder, which is removed. */
export function createSmallDisk(size: string, mountPoint?: string): SmallDisk {
  const folder = mountPoint ?? mkdtempSync(join(tmpdir(), "toolrack-disk-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder], { stdio: "ignore" });
  const filler = join(folder, "filler");
  return {
    folder,
    fill() {
      const file = openSync(filler, "a");
      for (let bytes = 65_536; bytes >= 1;) {
        try {
          writeSync(file, Buffer.alloc(bytes, 1));
        } catch {
          bytes = Math.floor(bytes / 2);
        }
      }
      closeSync(file);
    },
    free: () => rmSync(filler, { force: true }),
    remount: (mode) => void execFileSync("mount", ["-o", `remount,${mode}`, folder], { stdio: "ignore" }),
    remove() {
      execFileSync("umount", ["-l", folder]);
      if (mountPoint === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Whether this process may mount file systems. */
export const canMount: boolean = ((): boolean => {
  try {
    createSmallDisk("64k").remove();
    return true;
  } catch {
    return false;
  }
})();
