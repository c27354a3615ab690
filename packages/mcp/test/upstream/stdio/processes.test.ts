import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createRegistry, type ToolResult } from "@toolrack/core";
import { isAlive } from "@toolrack/testkit/processes";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { sourceOf, stdioUpstream } from "../upstreams.ts";

const signal = new AbortController().signal;

const textOf = (result: ToolResult): string => (result.ok ? result.content : result.error);

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

  it("ends with the process that started it, whether that exits or is told to", async () => {
    for (const end of ["process.exit(0)", 'process.kill(process.pid, "SIGTERM")', 'throw new Error("bug")']) {
      const program = `
        import { createRegistry } from "@toolrack/core";
        import { mcpSource } from "@toolrack/mcp";
        const registry = createRegistry();
        await registry.addSource(mcpSource(${JSON.stringify(stdioUpstream({ stubborn: true }))}));
        const { content } = await registry.invoke("hand__grandchild", {});
        process.stdout.write(content, () => { ${end} });`;
      const pids = JSON.parse(await outputOf(program)) as { own: number; child: number };
      await until(() => !isAlive(pids.own) && !isAlive(pids.child), `the end after ${end}`);
    }
  });

  it("is never left behind by fifty connections that were lost or given up", async () => {
    const source = sourceOf(stdioUpstream({ tools: [] }, { backoffMs: 1, maxBackoffMs: 1 }));
    const before = childrenOf(process.pid);
    for (let round = 0; round < 25; round++) {
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
  }, 60_000);

  it("that cannot be started says what was tried, and that ends at once says its last words", async () => {
    const nowhere = sourceOf({ name: "nowhere", command: "toolrack-no-such-program" });
    await expect(nowhere.list({ signal })).rejects.toMatchObject({
      code: "SOURCE_FAILED",
      message: expect.stringMatching(/^MCP server "nowhere" cannot be started: .*ENOENT.*Check the command "toolrack-no-such-program"/),
    });
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

/** Runs a program of the package's own and answers what it printed, however it ended. */
function outputOf(program: string): Promise<string> {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: fileURLToPath(new URL("../../..", import.meta.url)),
    stdio: ["ignore", "pipe", "pipe"],
  });
  return new Promise((resolve) => {
    let [output, errors] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    child.once("exit", () => setTimeout(() => resolve(output || errors), 50));
  });
}
