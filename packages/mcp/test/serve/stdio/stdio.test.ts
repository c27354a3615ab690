import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { Client } from "@modelcontextprotocol/client";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { createRegistry } from "@toolrack/core";
import { serveMcp } from "@toolrack/mcp";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { bundleFixture } from "../_bundle.ts";
import { type ClientEra, type ConnectOptions, createClient } from "../serve.ts";

let server: Awaited<ReturnType<typeof bundleFixture>>;
beforeAll(async () => {
  server = await bundleFixture("stdio-server.ts");
});
afterAll(() => server.remove());

async function connect(era: ClientEra, options: ConnectOptions = {}): Promise<{ client: Client; errors: () => string }> {
  const client = createClient(era, options);
  const transport = new StdioClientTransport({ command: process.execPath, args: [server.file], stderr: "pipe" });
  let errors = "";
  transport.stderr?.on("data", (chunk) => (errors += String(chunk)));
  await client.connect(transport);
  afterThisTest(() => client.close());
  return { client, errors: () => errors };
}

describe.each(["modern", "legacy"] as const)("the official client, in the %s era, over the streams of a process", (era) => {
  // row: I1
  it("lists, calls, hears progress and is told of new tools", async () => {
    const changed = vi.fn();
    const { client } = await connect(era, { options: { listChanged: { tools: { onChanged: changed, autoRefresh: false } } } });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["add", "refund", "steps", "slow", "grow"]);
    expect((await client.callTool({ name: "add", arguments: { a: 2, b: 3 } })).structuredContent).toEqual({ sum: 5 });
    // The client forgets who asked for progress that comes in one piece with the answer.
    const hears = async (): Promise<void> => {
      const heard: number[] = [];
      await client.callTool({ name: "steps", arguments: {} }, { onprogress: ({ progress }) => heard.push(progress) });
      expect(heard).toEqual([1, 2]);
    };
    await vi.waitFor(hears, { timeout: 60_000 });
    await client.callTool({ name: "grow", arguments: {} });
    await vi.waitFor(() => expect(changed).toHaveBeenCalled(), { timeout: 60_000 });
  });

  it("approves, and is refused where it cannot ask", async () => {
    const { client } = await connect(era, { onElicit: () => ({ action: "accept", content: {} }) });
    expect((await client.callTool({ name: "refund", arguments: {} })).content).toEqual([{ type: "text", text: "Paid back." }]);
    const { client: silent } = await connect(era);
    expect(await silent.callTool({ name: "refund", arguments: {} })).toMatchObject({ isError: true });
  });

  it("cancels a call", async () => {
    const { client, errors } = await connect(era);
    const controller = new AbortController();
    const called = client.callTool({ name: "slow", arguments: {} }, { signal: controller.signal });
    called.catch(() => undefined);
    await client.callTool({ name: "add", arguments: { a: 1, b: 1 } });
    controller.abort();
    await expect(called).rejects.toThrow();
    await vi.waitFor(() => expect(errors()).toContain("cancelled"), { timeout: 60_000 });
  });
});

describe("a process on its own", () => {
  it("ends when its input ends", async () => {
    const child = spawn(process.execPath, [server.file], { stdio: ["pipe", "ignore", "ignore"] });
    child.stdin.end();
    expect(await once(child, "exit")).toEqual([0, null]);
  });
});

describe("lines", () => {
  async function speak(text: string): Promise<unknown[]> {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const done = serveMcp(createRegistry()).stdio({ input, output });
    const size = text.length > 1_000_000 ? 65_536 : 7;
    for (let at = 0; at < text.length; at += size) input.write(text.slice(at, at + size));
    input.end();
    await done;
    await new Promise((resolve) => setImmediate(resolve));
    output.end();
    let said = "";
    for await (const chunk of output) said += String(chunk);
    return said
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line));
  }

  it("may come in any pieces, with empty lines and carriage returns between them", async () => {
    const ping = (id: number): string => JSON.stringify({ jsonrpc: "2.0", id, method: "ping" });
    expect(await speak(`${ping(1)}\r\n\n${ping(2)}\n`)).toEqual([1, 2].map((id) => ({ jsonrpc: "2.0", id, result: {} })));
  });

  it("that are no message are answered with an error, and the next one with its answer", async () => {
    const answers = await speak(`nonsense\n[]\n{"jsonrpc":"2.0","id":3,"method":"ping"}\n`);
    expect(answers).toMatchObject([{ error: { code: -32700 } }, { error: { code: -32600 } }, { id: 3, result: {} }]);
  });

  it("that never end end the connection", async () => {
    const answers = await speak("x".repeat(11 * 1024 * 1024));
    expect(answers).toMatchObject([{ error: { code: -32700 } }]);
  });
});
