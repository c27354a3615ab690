import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { hasPart } from "@toolrack/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleProgram, removeProgram } from "./_program.ts";

/** Runs a command where nothing can be written to /tmp. */
function withoutTmp(command: readonly string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const args = ["--mount", "sh", "-c", 'mount -t tmpfs -o ro tmpfs /tmp && exec "$@"', "sh", ...command];
  return spawnSync("unshare", args, { encoding: "utf8", env: { PATH: process.env["PATH"] } });
}

const canMount = hasPart("the right to mount", withoutTmp(["true"]).status === 0);

let program: string;
beforeAll(async () => {
  program = await bundleProgram("whole-server");
}, 60_000);
afterAll(() => removeProgram(program));

describe.skipIf(!canMount)("a machine whose /tmp is read-only", () => {
  it("OP2: runs a server with its database", () => {
    const folder = mkdtempSync(join(dirname(program), "data-"));
    try {
      const { stdout, stderr } = withoutTmp([process.execPath, program, folder]);
      expect(stderr).toBe("");
      expect(stdout).toBe("true\n");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
