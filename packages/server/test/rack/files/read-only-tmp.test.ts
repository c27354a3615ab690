import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { hasPart } from "@toolrack/core/testing";
import { bundleProgram, removeProgram } from "@toolrack/testkit/child-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const checkout = fileURLToPath(new URL("../../../../..", import.meta.url)).replace(/\/$/, "");

/** Runs a command where nothing can be written to the folders for temporary files, nor to the one that it runs in. */
function withoutTmp(command: readonly string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const args = [
    "--mount",
    "sh",
    "-c",
    // The checkout may lie in one of them, and is put back.
    `set -e
mount --bind "$1" /mnt
for place in /tmp /var/tmp; do mount -t tmpfs tmpfs $place; done
mkdir -p "$1"
mount --bind /mnt "$1"
for place in /tmp /var/tmp; do mount -o remount,ro $place; done
shift
cd /tmp && exec "$@"`,
    "sh",
    checkout,
    ...command,
  ];
  return spawnSync("unshare", args, { encoding: "utf8", env: { PATH: process.env["PATH"] } });
}

const canMount = hasPart("the right to mount", withoutTmp(["true"]).status === 0);

let program: string;
beforeAll(async () => {
  program = await bundleProgram(new URL("../programs/whole-server.ts", import.meta.url));
});
afterAll(() => removeProgram(program));

describe.skipIf(!canMount)("a machine whose folders for temporary files are read-only", () => {
  it("OP2: runs a server with its database", () => {
    const folder = mkdtempSync(join(dirname(program), "data-"));
    try {
      const { stdout, stderr } = withoutTmp([process.execPath, program, folder]);
      expect(stderr).toBe("");
      expect(stdout).toBe("201 200 200\n");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
