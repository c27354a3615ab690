import { hasPart } from "@toolrack/core/testing";
import { sized } from "@toolrack/testkit/sized";
import { describe, expect, it, onTestFinished } from "vitest";
import { findIsolation } from "../../src/operations/isolation.ts";
import { createProcessOperations } from "../../src/operations/node-processes.ts";
import type { ProgramLimits } from "../../src/operations/program-limits.ts";
import type { ProcessEnd } from "../../src/operations/processes.ts";
import { createTemporaryWorkspace } from "../temporary-workspace.ts";

const mebibyte = 1_048_576;

for (const kind of ["bubblewrap", "unshare"] as const) {
  describe.skipIf(!hasPart(kind, findIsolation(kind).kind !== "none"))(`a program isolated by ${kind}`, () => {
    async function run(script: string, limits: ProgramLimits): Promise<ProcessEnd & { output: string }> {
      const workspace = createTemporaryWorkspace();
      const processes = createProcessOperations({ root: workspace.root, isolation: kind, ...limits });
      onTestFinished(async () => {
        await processes.close();
        workspace.remove();
      });
      let output = "";
      const started = await processes.start({
        program: "/bin/sh",
        args: ["-c", script],
        env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
        onOutput: (_, bytes) => (output += Buffer.from(bytes).toString()),
      });
      return { ...(await started.ended), output };
    }
    const node = (script: string): string => `exec '${process.execPath}' -e '${script}'`;

    it("SD14: gets no more memory than it may have, and fails by itself", async () => {
      const hoard = node(
        "const kept = []; for (let i = 0; i < 80; i++) kept.push(Buffer.alloc(50 * 1048576, 1)); console.log(`has all of it`);",
      );
      const { exitCode, output } = await run(hoard, { maxMemoryBytes: 512 * mebibyte });
      expect(output).not.toContain("has all of it");
      expect(exitCode).not.toBe(0);
    });

    it("SD14: is ended where its processes together take more memory than it may have", async () => {
      const share = node("const kept = Buffer.alloc(200 * 1048576, 1); setTimeout(() => console.log(`kept`, kept.length), 15000);").replace(
        "exec ",
        "",
      );
      const { output } = await run(`for i in 1 2 3 4; do ${share} & done; wait`, { maxMemoryBytes: 512 * mebibyte });
      expect(output).toContain("more than 536870912 bytes of memory");
    });

    it("SD14: that starts processes without end is ended", async () => {
      const bomb = "while :; do sleep 60 & done";
      const { output } = await run(bomb, { maxProcesses: 64 });
      expect(output).toMatch(/more than 64 processes|[Cc]annot fork|Resource temporarily unavailable/);
    });

    it("SD14: is ended for what it does in namespaces of its own, too", async () => {
      const nested = "unshare -U -p -f sh -c 'for i in $(seq 100); do sleep 60 & done; wait' || while :; do sleep 60 & done";
      const { output } = await run(nested, { maxProcesses: 64 });
      expect(output).toMatch(/more than 64 processes|[Cc]annot fork|Resource temporarily unavailable/);
    });

    it("SD14: cannot fill the memory of the machine with temporary files", async () => {
      const places = sized(kind === "bubblewrap" ? "/tmp /dev/shm" : "/var/tmp $HOME", "/tmp /var/tmp /dev/shm $HOME");
      const fill = `for at in ${places}; do head -c 1100M /dev/zero > $at/x && echo has all of it; rm -f $at/x; done; echo end`;
      const { output } = await run(fill, {});
      expect(output).not.toContain("has all of it");
      expect(output).toContain("end");
    });

    it("runs as before below its limits, Node among them", async () => {
      expect(await run(node("console.log(`works`, new WebAssembly.Memory({ initial: 1 }).buffer.byteLength)"), {})).toMatchObject({
        exitCode: 0,
        output: "works 65536\n",
      });
    });
  });
}
