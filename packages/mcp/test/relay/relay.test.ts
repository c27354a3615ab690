import { PassThrough } from "node:stream";
import type { Client, Transport } from "@modelcontextprotocol/client";
import { createRegistry, defineTool, type Registry } from "@toolrack/core";
import { readPolicyConfig } from "@toolrack/core/policy";
import { type McpEndpoint, serveMcp } from "@toolrack/mcp";
import { relayStdio, type SendToEndpoint } from "@toolrack/mcp/relay";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it, vi } from "vitest";
import { type ClientEra, type ConnectOptions, createClient, nothing } from "../serve/serve.ts";

/** A registry served by an endpoint that can be replaced, as when a server is started again. */
class Served {
  readonly registry: Registry = createRegistry({ policy: readPolicyConfig({ tools: { ask: ["refund"] } }) });
  readonly cancelled: string[] = [];
  readonly notices: string[] = [];
  endpoint: McpEndpoint = serveMcp(this.registry, { allowedHosts: "any" });
  isAway = false;

  constructor() {
    this.registry.register(
      defineTool({
        name: "add",
        description: "Adds.",
        inputSchema: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
        outputSchema: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
        handler: ({ a, b }) => ({ sum: a + b }),
      }),
    );
    this.registry.register(defineTool({ name: "refund", description: "Pays back.", inputSchema: nothing, handler: () => "Paid back." }));
    this.registry.register(
      defineTool({
        name: "steps",
        description: "Tells how far it is.",
        inputSchema: nothing,
        handler(_input, { progress }) {
          for (const done of [1, 2]) progress({ progress: done, total: 2 });
          return "done";
        },
      }),
    );
    this.registry.register(
      defineTool({
        name: "wait",
        description: "Waits until it is cancelled.",
        inputSchema: nothing,
        handler: (_input, { signal }) =>
          new Promise<string>((_resolve, reject) =>
            signal.addEventListener("abort", () => {
              this.cancelled.push("wait");
              reject(signal.reason as Error);
            }),
          ),
      }),
    );
    this.registry.register(
      defineTool({
        name: "routed",
        description: "Has a parameter in a header.",
        inputSchema: { type: "object", properties: { city: { type: "string", "x-mcp-header": "City" } } } as const,
        handler: ({ city }) => `in ${String(city)}`,
      }),
    );
    afterThisTest(() => this.endpoint.close());
  }

  readonly send: SendToEndpoint = async ({ method, headers, body, signal }) => {
    if (this.isAway) throw new Error("nobody listens there");
    const request = new Request("http://127.0.0.1/mcp", { method, headers, signal, ...(body !== undefined && { body }) });
    const response = await this.endpoint.fetch(request, { caller: { agent: "anna" } });
    return {
      status: response.status,
      header: (name) => response.headers.get(name) ?? undefined,
      text: () => response.text(),
      stream: () => response.body ?? undefined,
    };
  };

  async restart(): Promise<void> {
    this.isAway = true;
    await this.endpoint.close();
    this.endpoint = serveMcp(this.registry, { allowedHosts: "any" });
    this.isAway = false;
  }
}

/** The client's end of a pair of streams. */
class Lines implements Transport {
  readonly input: PassThrough = new PassThrough();
  readonly seen: string[] = [];
  onmessage?: Transport["onmessage"];
  onclose?: () => void;
  async start(): Promise<void> {}
  async send(message: unknown): Promise<void> {
    this.input.write(`${JSON.stringify(message)}\n`);
  }
  async close(): Promise<void> {
    this.input.end();
    this.onclose?.();
  }
  take(line: string): void {
    this.seen.push(line);
    this.onmessage?.(JSON.parse(line));
  }
}

async function connect(served: Served, era: ClientEra, options: ConnectOptions = {}): Promise<Client> {
  const transport = new Lines();
  const done = relayStdio({
    input: transport.input,
    write: (line) => transport.take(line),
    send: served.send,
    onNotice: (text) => served.notices.push(text),
  });
  const client = createClient(era, options);
  await client.connect(transport);
  afterThisTest(async () => {
    await client.close();
    await done;
  });
  return client;
}

describe.each(["modern", "legacy"] as const)("a client in the %s era, relayed to an HTTP endpoint", (era) => {
  it("lists, calls, hears progress and is told of new tools", async () => {
    const served = new Served();
    const changed = vi.fn();
    const client = await connect(served, era, { options: { listChanged: { tools: { onChanged: changed, autoRefresh: false } } } });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["add", "refund", "steps", "wait", "routed"]);
    expect((await client.callTool({ name: "add", arguments: { a: 2, b: 3 } })).structuredContent).toEqual({ sum: 5 });
    const heard: number[] = [];
    await client.callTool({ name: "steps", arguments: {} }, { onprogress: ({ progress }) => heard.push(progress) });
    expect(heard).toEqual([1, 2]);
    served.registry.register(defineTool({ name: "grown", description: "New.", inputSchema: nothing, handler: () => "" }));
    await vi.waitFor(() => expect(changed).toHaveBeenCalled(), { timeout: 60_000 });
  });

  it("approves, and is refused where it cannot ask", async () => {
    const served = new Served();
    const client = await connect(served, era, { onElicit: () => ({ action: "accept", content: {} }) });
    expect((await client.callTool({ name: "refund", arguments: {} })).content).toEqual([{ type: "text", text: "Paid back." }]);
    const silent = await connect(served, era);
    expect(await silent.callTool({ name: "refund", arguments: {} })).toMatchObject({ isError: true });
  });

  it("cancels a call", async () => {
    const served = new Served();
    const client = await connect(served, era);
    const controller = new AbortController();
    const called = client.callTool({ name: "wait", arguments: {} }, { signal: controller.signal });
    called.catch(() => undefined);
    await client.callTool({ name: "add", arguments: { a: 1, b: 1 } });
    controller.abort();
    await expect(called).rejects.toThrow();
    await vi.waitFor(() => expect(served.cancelled).toEqual(["wait"]), { timeout: 60_000 });
  });

  it("cancels what runs when its input ends", async () => {
    const served = new Served();
    const client = await connect(served, era);
    client.callTool({ name: "wait", arguments: {} }).catch(() => undefined);
    await client.callTool({ name: "add", arguments: { a: 1, b: 1 } });
    await client.close();
    await vi.waitFor(() => expect(served.cancelled).toEqual(["wait"]), { timeout: 60_000 });
  });

  it("goes on after the server was started again, and reads its lists again", async () => {
    const served = new Served();
    const changed = vi.fn();
    const client = await connect(served, era, { options: { listChanged: { tools: { onChanged: changed, autoRefresh: false } } } });
    await client.callTool({ name: "add", arguments: { a: 1, b: 1 } });
    await served.restart();
    expect((await client.callTool({ name: "add", arguments: { a: 2, b: 3 } })).structuredContent).toEqual({ sum: 5 });
    await vi.waitFor(() => expect(changed).toHaveBeenCalled(), { timeout: 60_000 });
  });

  it("gets an error that says what is wrong while the server is away", async () => {
    const served = new Served();
    const client = await connect(served, era);
    served.isAway = true;
    await expect(client.callTool({ name: "add", arguments: { a: 2, b: 3 } })).rejects.toThrow("nobody listens there");
    served.isAway = false;
    expect((await client.callTool({ name: "add", arguments: { a: 2, b: 3 } })).structuredContent).toEqual({ sum: 5 });
  });

  it("calls a tool whose parameter is repeated in a header, without sending one", async () => {
    const served = new Served();
    const client = await connect(served, era);
    expect((await client.callTool({ name: "routed", arguments: { city: "Zürich" } })).content).toEqual([
      { type: "text", text: "in Zürich" },
    ]);
  });

  it("gets the protocol errors of the server", async () => {
    const client = await connect(new Served(), era);
    await expect(client.callTool({ name: "missing", arguments: {} })).rejects.toMatchObject({ code: -32602 });
  });
});

describe("lines that are no messages", () => {
  it("are answered as the protocol says, and do not end the relay", async () => {
    const served = new Served();
    const input = new PassThrough();
    const lines: string[] = [];
    const done = relayStdio({ input, write: (line) => lines.push(line), send: served.send });
    input.write('not json\n[]\n\n{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}\n{"jsonrpc":"2.0","id":8,"method":"ping"}\n');
    input.end();
    await done;
    const answers = lines.map((line) => JSON.parse(line) as { id?: number; error?: { code: number } });
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      [undefined, -32700],
      [undefined, -32600],
      [7, -32602],
      [8, undefined],
    ]);
  });
});
