import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { lintTools } from "@toolrack/core/lint";
import { assertTool, hasPart } from "@toolrack/core/testing";
import { oddSeconds, processesWith, untilProcesses } from "@toolrack/testkit/processes";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findIsolation } from "../../src/operations/isolation.ts";
import { createProcessOperations, type ProcessOperationsOptions } from "../../src/operations/node-processes.ts";
import type { ProcessOperations } from "../../src/operations/processes.ts";
import type { RuntimeToolsOptions } from "../../src/runtime/options.ts";
import { createRuntimeTools } from "../../src/runtime/runtime.ts";
import { bundleOperations } from "../bundle-operations.ts";
import { createTemporaryWorkspace, type Invoke, invokerOf, type TemporaryWorkspace } from "../temporary-workspace.ts";

/** Each way to run programs behaves the same. */
const ways: readonly Pick<ProcessOperationsOptions, "isolation" | "unconfined">[] = [
  { isolation: "bubblewrap" },
  { isolation: "unshare" },
  { unconfined: true },
];
const isThere = ({ isolation }: (typeof ways)[number]): boolean =>
  isolation === undefined || hasPart(isolation, findIsolation(isolation).kind !== "none");

describe.each(ways)("with %o", (way) => {
  describe.skipIf(!isThere(way))("where it works", () => {
    let workspace: TemporaryWorkspace;
    let processes: ProcessOperations;
    beforeEach(() => {
      workspace = createTemporaryWorkspace({ "hello.txt": "hello\n" });
      processes = createProcessOperations({ root: workspace.root, graceMs: 300, ...way });
    });
    afterEach(async () => {
      await processes.close();
      workspace.remove();
    });

    function invoker(options: Partial<RuntimeToolsOptions> = {}): Invoke {
      return invokerOf(createRuntimeTools({ root: workspace.root, processes, ...options }));
    }

    async function dataOf(result: ReturnType<Invoke>): Promise<Record<string, unknown>> {
      const settled = await result;
      if (!settled.ok) throw new Error(settled.error);
      return settled.data as Record<string, unknown>;
    }

    describe("the pack", () => {
      it.each([false, true])("its tools pass the test kit and lint, with a shell: %s", async (shell) => {
        const tools = createRuntimeTools({ root: workspace.root, processes, shell });
        expect(tools.map((tool) => tool.name)).toEqual(["exec", "process"]);
        for (const tool of tools) await assertTool(tool, { timeoutMs: 20_000 });
        expect(lintTools(tools).filter(({ severity }) => severity !== "info")).toEqual([]);
      });
    });

    describe("exec", () => {
      it("runs a program with its arguments as they are", async () => {
        const nasty = ["$(touch pwned)", "; touch pwned", "`id`", "a b", "*", "'", '"', "\n", "-n", "${HOME}", "| cat", "&& ls", "\\"];
        const data = await dataOf(
          invoker()("exec", { argv: ["node", "-e", "console.log(JSON.stringify(process.argv.slice(1)))", "--", ...nasty] }),
        );
        expect(data).toMatchObject({ state: "ended", exitCode: 0, stderr: "", truncated: false });
        expect(JSON.parse(data["stdout"] as string)).toEqual(nasty);
        expect(Object.keys(workspace.snapshot())).toEqual(["hello.txt"]);
      });

      it("answers with the exit code of a program that failed", async () => {
        const result = await invoker()("exec", { argv: ["node", "-e", "console.error('oh'); process.exit(3)"] });
        expect(result).toMatchObject({ ok: true, data: { exitCode: 3, stderr: "oh\n" }, content: "[exit code 3]\n[stderr]\noh\n" });
      });

      it("takes no line for a shell unless it is told to", async () => {
        expect(await invoker()("exec", { command: "echo hi" })).toMatchObject({ ok: false, code: "INPUT_INVALID" });
        expect(await dataOf(invoker({ shell: true })("exec", { command: "echo hi | tr a-z A-Z" }))).toMatchObject({ stdout: "HI\n" });
        expect(await dataOf(invoker({ shell: "/bin/bash" })("exec", { command: "echo ${BASH_VERSION:+bash}" }))).toMatchObject({
          stdout: "bash\n",
        });
        expect(await invoker({ shell: true })("exec", { command: "echo hi", argv: ["ls"] })).toMatchObject({
          ok: false,
          code: "INPUT_INVALID",
        });
      });

      it("runs in a folder of the workspace, and in no other", async () => {
        mkdirSync(join(workspace.root, "sub"));
        symlinkSync("../work-outside", join(workspace.root, "way-out"));
        const run = invoker();
        expect(await dataOf(run("exec", { argv: ["pwd"], cwd: "sub" }))).toMatchObject({ stdout: `${workspace.root}/sub\n` });
        for (const cwd of ["..", "/", "way-out", "sub/../..", "~", "missing", "hello.txt"]) {
          expect({ cwd, ok: (await run("exec", { argv: ["pwd"], cwd })).ok }).toEqual({ cwd, ok: false });
        }
        expect(await run("exec", { argv: ["pwd"], cwd: "missing" })).toMatchObject({ error: '"missing" does not exist.' });
        expect(await run("exec", { argv: ["pwd"], cwd: "hello.txt" })).toMatchObject({
          error: expect.stringContaining('"hello.txt" is not a folder'),
        });
      });

      it("hands on the allowed variables only", async () => {
        process.env["PLANTED_TOKEN"] = "planted";
        try {
          const env = async (options: Partial<RuntimeToolsOptions>, input: object = {}): Promise<string> =>
            String((await dataOf(invoker(options)("exec", { argv: ["env"], ...input })))["stdout"]);
          expect(await env({})).not.toContain("planted");
          expect(await env({})).toContain("PATH=");
          expect(await env({ environment: { inherit: ["PATH", "PLANTED_TOKEN"], set: { CI: "1" } } })).toMatch(
            /CI=1[^]*planted|planted[^]*CI=1/,
          );
          expect(await env({ environment: { accept: ["MODE"] } }, { env: { MODE: "fast" } })).toContain("MODE=fast");
          for (const name of ["LD_PRELOAD", "PATH", "__proto__", "NODE_OPTIONS"]) {
            const input = JSON.parse(`{"argv":["env"],"env":{"${name}":"x"}}`);
            expect(await invoker({ environment: { accept: ["MODE"] } })("exec", input)).toMatchObject({
              ok: false,
              error: expect.stringContaining(name),
            });
          }
        } finally {
          delete process.env["PLANTED_TOKEN"];
        }
      });

      it("gives a program its input, and one without any reads the end at once", async () => {
        expect(await dataOf(invoker()("exec", { argv: ["cat"], input: "from outside" }))).toMatchObject({ stdout: "from outside" });
        expect(await dataOf(invoker()("exec", { argv: ["cat"] }))).toMatchObject({ stdout: "", exitCode: 0 });
        expect(await dataOf(invoker()("exec", { argv: ["true"], input: "x".repeat(500_000) }))).toMatchObject({ exitCode: 0 });
      });

      it.each([
        ["a program that is not there", ["no-such-program-here"], /There is no program "no-such-program-here"/],
        ["what is no program", ["./hello.txt"], /may not be run/],
        ["an empty name", [""], /argv\[0\] is empty/],
      ])("says so for %s", async (_, argv, sentence) => {
        expect(await invoker()("exec", { argv })).toMatchObject({
          ok: false,
          code: "INPUT_INVALID",
          error: expect.stringMatching(sentence),
        });
      });

      it("shows the beginning and the end of long output, and hands out a handle to the rest", async () => {
        const run = invoker({ maxOutputChars: 1_000 });
        const data = await dataOf(run("exec", { argv: ["node", "-e", "for (let n = 0; n < 20000; n++) console.log('line ' + n)"] }));
        expect(data).toMatchObject({ truncated: true, exitCode: 0 });
        expect((data["stdout"] as string).length).toBeLessThan(1_400);
        expect(data["stdout"]).toMatch(/^line 0\n[^]*characters left out[^]*line 19999\n$/);
        const log = await dataOf(run("process", { action: "log", handle: data["handle"], offset: 50_000, limit: 200 }));
        const all = Array.from({ length: 20_000 }, (_, n) => `line ${n}\n`).join("");
        expect(log).toMatchObject({ offset: 50_000, total: all.length, text: all.slice(50_000, 50_200) });
      });

      it("keeps a flood of output within bounds", async () => {
        const run = invoker({ maxOutputChars: 1_000 });
        const data = await dataOf(
          run("exec", { argv: ["node", "-e", "for (let n = 0; n < 600; n++) require('fs').writeSync(1, 'x'.repeat(65536))"] }),
        );
        expect(data).toMatchObject({ truncated: true, exitCode: 0 });
        const log = await dataOf(run("process", { action: "log", handle: data["handle"], offset: 0, limit: 10 }));
        expect(log["total"]).toBe(600 * 65_536);
        // Only the latest of it is kept.
        expect(log["offset"]).toBeGreaterThan(36 * 1024 * 1024);
      });
    });

    describe("nothing is left behind", () => {
      const child = (seconds: string): string => `require("child_process").spawn("sleep", ["${seconds}"]); setInterval(() => {}, 1000)`;

      it("when the time is over", async () => {
        const seconds = oddSeconds();
        const result = await invoker({ shell: true })("exec", {
          command: `echo begun; sleep ${seconds} & sleep ${seconds}`,
          timeout_ms: 1_500,
        });
        expect(result).toMatchObject({ ok: false, code: "TIMEOUT", error: expect.stringContaining("begun") });
        expect(processesWith(seconds)).toEqual([]);
      });

      // row: J3
      it("when the call is cancelled", async () => {
        const seconds = oddSeconds();
        const controller = new AbortController();
        const running = invoker()("exec", { argv: ["node", "-e", child(seconds)] }, { signal: controller.signal });
        expect(await untilProcesses(`sleep\0${seconds}`, 1)).toBe(1);
        controller.abort();
        expect(await running).toMatchObject({ ok: false, code: "ABORTED" });
        expect(await untilProcesses(seconds, 0)).toBe(0);
      });

      it("when a program ends before what it started", async () => {
        const seconds = oddSeconds();
        const data = await dataOf(invoker({ shell: true })("exec", { command: `sleep ${seconds} & echo done` }));
        expect(data).toMatchObject({ stdout: "done\n", exitCode: 0 });
        expect(processesWith(seconds)).toEqual([]);
      });

      it("when what it started left its group", async () => {
        const seconds = oddSeconds();
        await dataOf(invoker({ shell: true })("exec", { command: `setsid sleep ${seconds} & sleep 0.3` }));
        expect(await untilProcesses(seconds, 0)).toBe(0);
      });

      it("when a program does not listen to being asked", async () => {
        const seconds = oddSeconds();
        const result = await invoker({ shell: true })("exec", {
          command: `trap '' TERM; sleep ${seconds}; sleep ${seconds}`,
          timeout_ms: 400,
        });
        expect(result).toMatchObject({ ok: false, code: "TIMEOUT" });
        expect(processesWith(seconds)).toEqual([]);
      });

      it("when the operations are closed", async () => {
        const seconds = oddSeconds();
        await dataOf(invoker()("exec", { argv: ["sleep", seconds], background: true }));
        expect(processesWith(seconds)).not.toEqual([]);
        await processes.close();
        expect(processesWith(seconds)).toEqual([]);
      });

      it.each(["exit", "SIGKILL"])("when this process ends: %s", async (how) => {
        const seconds = oddSeconds();
        const host = spawn(
          process.execPath,
          [
            "--input-type=module",
            "-e",
            `const { createProcessOperations } = await import(${JSON.stringify(await bundleOperations(join(workspace.outside, "bundle")))});
         const operations = createProcessOperations(${JSON.stringify({ root: workspace.root, ...way })});
         const script = "setsid sleep ${seconds} & exec sleep ${seconds}";
         await operations.start({ program: "sh", args: ["-c", script], env: process.env, isBackground: true, onOutput() {} });
         process.once("SIGUSR1", () => process.exit(0));
         console.log("started");
         setInterval(() => {}, 1000);`,
          ],
          { stdio: ["ignore", "pipe", "inherit"] },
        );
        await new Promise((resolve) => host.stdout.once("data", resolve));
        expect(await untilProcesses(`sleep\0${seconds}`, 2)).toBe(2);
        host.kill(how === "exit" ? "SIGUSR1" : "SIGKILL");
        expect(await untilProcesses(`sleep\0${seconds}`, 0)).toBe(0);
      });

      it("a program that was killed from outside is a clear failure", async () => {
        const result = await invoker()("exec", { argv: ["node", "-e", "console.log('so far'); process.kill(process.pid, 'SIGKILL')"] });
        expect(result).toMatchObject({ ok: false, code: "TOOL_FAILED", error: expect.stringMatching(/ended by SIGKILL[^]*so far/) });
      });
    });

    describe("process", () => {
      // row: J3
      it("follows a background program: list, poll, write, log, kill", async () => {
        const run = invoker();
        const { handle } = await dataOf(run("exec", { argv: ["cat"], background: true }));
        expect(await dataOf(run("process", { action: "list" }))).toEqual({ processes: [{ handle, command: "cat", state: "running" }] });
        await dataOf(run("process", { action: "write", handle, text: "one\n" }));
        expect(await dataOf(run("process", { action: "poll", handle, wait_ms: 20_000 }))).toMatchObject({
          state: "running",
          stdout: "one\n",
        });
        await dataOf(run("process", { action: "write", handle, text: "two\n", end: true }));
        let polled = await dataOf(run("process", { action: "poll", handle, wait_ms: 20_000 }));
        for (let left = 50; polled["state"] === "running" && left > 0; left--) {
          polled = await dataOf(run("process", { action: "poll", handle, wait_ms: 20_000 }));
        }
        expect(polled).toMatchObject({ state: "ended", exitCode: 0 });
        expect(await dataOf(run("process", { action: "log", handle }))).toMatchObject({ text: "one\ntwo\n", total: 8 });
        expect(await run("process", { action: "write", handle, text: "x" })).toMatchObject({
          ok: false,
          error: expect.stringContaining("has ended"),
        });
      });

      // row: J3
      it("kills a program with all that it started", async () => {
        const seconds = oddSeconds();
        const run = invoker({ shell: true });
        const { handle } = await dataOf(run("exec", { command: `sleep ${seconds} & sleep ${seconds}`, background: true }));
        expect(await untilProcesses(`sleep\0${seconds}`, 2)).toBe(2);
        const killed = await run("process", { action: "kill", id: handle });
        expect(killed).toMatchObject({ ok: true, data: { state: "ended" }, effects: [{ kind: "process", action: "kill" }] });
        expect(processesWith(`sleep\0${seconds}`)).toEqual([]);
        expect(await run("process", { action: "kill", handle })).toMatchObject({ ok: true, data: { state: "ended" } });
      });

      it("sends a single signal when asked", async () => {
        const run = invoker({ shell: true });
        const { handle } = await dataOf(
          run("exec", { command: "trap 'echo hup' HUP; echo ready; while :; do sleep 0.05; done", background: true }),
        );
        await dataOf(run("process", { action: "poll", handle, wait_ms: 20_000 }));
        await dataOf(run("process", { action: "kill", handle, signal: "SIGHUP" }));
        let said = "";
        for (let left = 50; !said.includes("hup\n") && left > 0; left--) {
          const polled = await dataOf(run("process", { action: "poll", handle, wait_ms: 20_000 }));
          expect(polled).toMatchObject({ state: "running" });
          said += polled["stdout"];
        }
        expect(said).toBe("hup\n");
      });

      it("a program of one caller is none for another", async () => {
        const run = invoker();
        const { handle } = await dataOf(run("exec", { argv: ["cat"], background: true }, { caller: { tenant: "a", agent: "x" } }));
        for (const caller of [
          {},
          { tenant: "b", agent: "x" },
          { tenant: "a" },
          { tenant: "a", agent: "x", session: "other" },
          { tenant: "a", agent: "x", principal: "token issuer 1" },
        ]) {
          expect(await dataOf(run("process", { action: "list" }, { caller }))).toEqual({ processes: [] });
          for (const action of ["poll", "log", "kill"]) {
            expect(await run("process", { action, handle }, { caller })).toMatchObject({
              ok: false,
              error: expect.stringContaining("no program"),
            });
          }
        }
        expect(await dataOf(run("process", { action: "poll", handle }, { caller: { tenant: "a", agent: "x" } }))).toMatchObject({
          state: "running",
        });
      });

      it("refuses more background programs than it may have", async () => {
        const run = invoker({ maxRunning: 2 });
        for (let count = 0; count < 2; count++) await dataOf(run("exec", { argv: ["cat"], background: true }));
        expect(await run("exec", { argv: ["cat"], background: true })).toMatchObject({ ok: false, code: "QUEUE_FULL" });
        expect(await run("exec", { argv: ["true"] })).toMatchObject({ ok: true });
      });

      it("tells which parameters an action takes", async () => {
        const run = invoker();
        const error = async (input: object): Promise<string> => {
          const result = await run("process", input);
          return result.ok ? "" : result.error;
        };
        expect(await error({ action: "pol", handle: "x" })).toContain('Did you mean "poll"');
        expect(await error({ action: "poll" })).toContain("handle is required");
        expect(await error({ action: "list", handle: "x" })).toContain("handle is not a parameter here");
        expect(await error({ type: "poll", handle: "unknown" })).toContain("no program with the handle");
      });
    });
  });
});
