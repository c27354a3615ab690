import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { shellWord } from "@toolrack/core/internal/shell-word";
import { defineTool } from "@toolrack/core";
import { openServer } from "@toolrack/server";
import { bundleProgram, removeProgram } from "@toolrack/testkit/child-server";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { until } from "@toolrack/testkit/until";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** Of util-linux: runs a program in a pseudo terminal. */
const script = "/usr/bin/script";

type RunningServer = Awaited<ReturnType<typeof openServer>>;

let main: string;
beforeAll(async () => void (main = await bundleProgram(new URL("../src/main.ts", import.meta.url))));
afterAll(() => removeProgram(main));

async function serve(folder: string): Promise<RunningServer> {
  const inputSchema = { type: "object", properties: { sum: { type: "number" } } } as const;
  const server = await openServer({
    folder,
    port: 0,
    consoleFolder: false,
    logLevel: "silent",
    config: {
      store: { memory: true },
      agents: { helper: { instructions: "Help.", model: "scripted" } },
      policy: { tools: { ask: ["pay"] } },
    },
    tools: [defineTool({ name: "pay", description: "Pays.", inputSchema, handler: ({ sum }) => `paid ${sum}` })],
  });
  afterThisTest(() => server.close({ graceMs: 0 }));
  return server;
}

/** A command in a terminal of its own: what it shows, keys for it, and its exit code. */
function inTerminal(folder: string, { url, rack }: RunningServer, words: readonly string[]) {
  const key = rack.ownerToken.text;
  // A new terminal has no size.
  const command = `stty rows 40 cols 120; ${[process.execPath, main, ...words].map(shellWord).join(" ")}`;
  const child = spawn(script, ["--quiet", "--return", "--command", command, "/dev/null"], {
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder, TERM: "xterm", NO_COLOR: "1", TOOLRACK_URL: url, TOOLRACK_KEY: key },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let shown = "";
  child.stdout.on("data", (chunk: Buffer) => (shown += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  afterThisTest(() => child.kill("SIGKILL"));
  return { shown: () => shown, press: (keys: string) => void child.stdin.write(keys), ended };
}

describe.skipIf(!existsSync(script))("toolrack run in a terminal", () => {
  it("asks the person there for each call that needs approval, and goes on with a yes and a no", async () => {
    const folder = temporaryFolder();
    const server = await serve(folder);
    const { rack } = server;
    const { shown, press, ended } = inTerminal(folder, server, ["run", "helper", 'call pay {"sum":1}\ncall pay {"sum":2}']);
    await until(() => shown().includes("Call pay?"));
    expect(shown()).toMatch(/pay needs your approval: [\s\S]*"sum": ?1/);
    press("y");
    await until(() => /"sum": ?2[\s\S]*Call pay\?/.test(shown()));
    press("n");
    expect(await ended).toBe(0);
    expect(shown()).toContain("pay answered: paid 1");
    expect(shown()).toMatch(/pay failed: A person denied/);
    expect((await rack.calls.list({ tool: "pay" })).map(({ ok }) => ok)).toContain(true);
    expect(await rack.approvals.list()).toEqual([]);
  });

  it("makes no call for a person who leaves the question", async () => {
    const folder = temporaryFolder();
    const server = await serve(folder);
    const { rack } = server;
    const { shown, press, ended } = inTerminal(folder, server, ["run", "helper", 'call pay {"sum":1}']);
    await until(() => shown().includes("Call pay?"));
    press("\u0003");
    await ended;
    expect((await rack.calls.list({ tool: "pay" })).filter(({ ok }) => ok)).toEqual([]);
  });
});
