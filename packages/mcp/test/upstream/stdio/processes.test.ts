import { spawn } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createRegistry, type ToolResult } from "@toolrack/core";
import { bundleProgram, removeProgram } from "@toolrack/testkit/child-server";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { isAlive } from "@toolrack/testkit/processes";
import { sized } from "@toolrack/testkit/sized";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { sourceOf, stdioUpstream } from "../upstreams.ts";

const signal = new AbortController().signal;

const textOf = (result: ToolResult): string => (result.ok ? result.content : result.error);

let [ending, listing] = ["", ""];
beforeAll(async () => {
  const program = (name: string): Promise<string> => bundleProgram(new URL(`../programs/${name}.ts`, import.meta.url));
  [ending, listing] = await Promise.all([program("ending"), program("listing")]);
});
afterAll(() => [ending, listing].forEach(removeProgram));

describe("the process of a server", () => {
  it("leads a group of its own, and takes what it started along", async () => {
    const registry = createRegistry();
    await registry.addSource(sourceOf(stdioUpstream()));
    const { own, child } = JSON.parse(textOf(await registry.invoke("hand__grandchild", {}))) as { own: number; child: number };
    if (process.platform === "linux") expect(groupOf(own)).toBe(own);
    expect([isAlive(own), isAlive(child)]).toEqual([true, true]);
    await registry.close();
    await until(() => !isAlive(own) && !isAlive(child), "the end of both");
  });

  it("that will not end is ended", async () => {
    const registry = createRegistry();
    await registry.addSource(sourceOf(stdioUpstream({ stubborn: true })));
    const { own } = JSON.parse(textOf(await registry.invoke("hand__grandchild", {}))) as { own: number };
    await registry.close();
    expect(isAlive(own)).toBe(false);
  });

  it("that dies takes what it started along, too", async () => {
    const registry = createRegistry();
    await registry.addSource(sourceOf(stdioUpstream({}, { backoffMs: 60_000 })));
    const { child } = JSON.parse(textOf(await registry.invoke("hand__grandchild", {}))) as { child: number };
    expect(await registry.invoke("hand__die", {})).toMatchObject({ ok: false, code: "SOURCE_FAILED" });
    await until(() => !isAlive(child));
  });

  it.each(["exit", "throw", "SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"])("ends with the process that started it: %s", async (end) => {
    const pids = JSON.parse(await outputOf(ending, [JSON.stringify(stdioUpstream({ stubborn: true })), end])) as {
      own: number;
      child: number;
    };
    await until(() => !isAlive(pids.own) && !isAlive(pids.child), `the end after ${end}`);
  });

  it("S21: gets no descriptor that was left open for the process that started it", async () => {
    const folder = temporaryFolder({ "left-open": "of this process" });
    const leftOpen = openSync(join(folder, "left-open"), "r");
    onTestFinished(() => closeSync(leftOpen));
    const script = 'for fd in /proc/self/fd/*; do [ -f "$fd" ] && cat "$fd" >&2; done; echo done >&2; exit 1';
    const options = { name: "hand", command: "/bin/sh", args: ["-c", script] };
    const more = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? leftOpen : ("ignore" as const)));
    const output = await outputOf(listing, [JSON.stringify(options)], more);
    expect(output).toContain("done");
    expect(output).not.toContain("of this process");
  });

  it("is never left behind by connections that were lost or given up", async () => {
    const source = sourceOf(stdioUpstream({ tools: [] }, { backoffMs: 1, maxBackoffMs: 1 }));
    const before = childrenOf(process.pid);
    for (let round = 0; round < sized(6, 25); round++) {
      const one = sourceOf(stdioUpstream({ tools: [] }, { name: "brief" }));
      const leaving = new AbortController();
      const listing = one.list({ signal: leaving.signal }).catch(() => undefined);
      if (round % 2 === 0) leaving.abort();
      await Promise.all([listing, source.list({ signal }).catch(() => undefined)]);
      await one.close();
      for (const pid of childrenOf(process.pid)) if (!before.includes(pid)) process.kill(pid, "SIGKILL"); // the lasting one is lost
    }
    await source.close();
    await until(() => childrenOf(process.pid).every((pid) => before.includes(pid)), "the end of all");
  });

  it("that cannot be started says what was tried, and that ends at once says its last words", async () => {
    const nowhere = sourceOf({ name: "nowhere", command: "toolrack-no-such-program" });
    await expect(nowhere.list({ signal })).rejects.toMatchObject({
      code: "SOURCE_FAILED",
      message: expect.stringMatching(
        /^MCP server "nowhere" cannot be started\. There is no program "toolrack-no-such-program"\. Install it, or put it on the PATH\./,
      ),
    });
    const missing = sourceOf({ name: "missing", command: process.execPath, cwd: "/no/such/folder" });
    await expect(missing.list({ signal })).rejects.toThrow('There is no folder "/no/such/folder" to start');
    const folder = temporaryFolder({ "plain.txt": "no program" });
    const plain = sourceOf({ name: "plain", command: join(folder, "plain.txt") });
    await expect(plain.list({ signal })).rejects.toThrow("may not be run: it is no program, or its permissions forbid it.");
    const brief = sourceOf(
      stdioUpstream(
        { lastWords: "Cannot find module: the token is s3cr3t-value" },
        { env: { TOKEN: "secret:token" }, secret: () => "s3cr3t-value" },
      ),
    );
    await expect(brief.list({ signal })).rejects.toMatchObject({
      message: expect.stringContaining("it wrote: Cannot find module: the token is [redacted]"),
    });
  });
});

function groupOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ")[2]);
}

function childrenOf(pid: number): readonly number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((one) => {
      try {
        const [, state = "", parent] = /\) (\S) (\d+)/.exec(readFileSync(`/proc/${one}/stat`, "utf8")) ?? [];
        return Number(parent) === pid && state !== "Z";
      } catch {
        return false;
      }
    });
}

/** Runs a program with these further descriptors, and returns what it printed, however it ended. */
function outputOf(program: string, args: readonly string[], more: readonly (number | "ignore")[] = []): Promise<string> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "ignore", ...more] });
  return new Promise((resolve) => {
    let output = "";
    child.stdout!.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.once("close", () => resolve(output));
  });
}
