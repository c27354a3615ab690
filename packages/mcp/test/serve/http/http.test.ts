import { createMemorySecrets, createRegistry, defineTool } from "@toolrack/core";
import { readPolicyConfig } from "@toolrack/core/policy";
import { mcpClient, serveMcp } from "@toolrack/mcp";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { untilAborted } from "@toolrack/testkit/aborted";
import { turns } from "@toolrack/testkit/turns";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it, vi } from "vitest";
import { clientMeta, nothing, post, send, serving } from "../serve.ts";

const echo = defineTool({ name: "echo", description: "Answers.", inputSchema: nothing, handler: () => "here" });
const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** Reads a stream of events until `isEnough`, then goes away; answers the messages. */
async function listen(
  response: Response,
  isEnough: (messages: { method?: string; id?: number }[]) => boolean,
  messages: { method?: string; id?: number }[] = [],
): Promise<{ method?: string }[]> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (!isEnough(messages)) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
    const events = text.split("\n\n");
    text = events.pop()!;
    for (const event of events) {
      const data = /^data: (\{.*)$/m.exec(event);
      if (data !== null) messages.push(JSON.parse(data[1]!));
    }
  }
  await reader.cancel();
  return messages;
}

function subscribe(url: string, notifications: object): Promise<Response> {
  const body = { jsonrpc: "2.0", id: 7, method: "subscriptions/listen", params: { notifications, _meta: clientMeta } };
  const modern = { ...headers, "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" };
  return fetch(url, { method: "POST", headers: modern, body: JSON.stringify(body) });
}

describe("requests and responses of the web", () => {
  it("are answered as those of node:http, streams included", async () => {
    const registry = createRegistry();
    registry.register(echo);
    registry.register(
      defineTool({
        name: "steps",
        description: "Tells.",
        inputSchema: nothing,
        async handler(_input, { progress }) {
          progress({ progress: 1 });
          await turns(5);
          return "done";
        },
      }),
    );
    const endpoint = serveMcp(registry);
    afterThisTest(() => endpoint.close());
    const ask = (name: string): Promise<Response> => {
      const params = { name, arguments: {}, _meta: { ...clientMeta, progressToken: 1 } };
      const modern = { ...headers, "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": name };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
      return endpoint.fetch(new Request("http://localhost/mcp", { method: "POST", headers: modern, body }), { caller: { agent: "a" } });
    };
    expect(await (await ask("echo")).json()).toMatchObject({ result: { content: [{ text: "here" }] } });
    const streamed = await ask("steps");
    expect(streamed.headers.get("content-type")).toBe("text/event-stream");
    expect(await listen(streamed, (messages) => messages.some(({ id }) => id === 1))).toMatchObject([
      { method: "notifications/progress", params: { progress: 1, progressToken: 1 } },
      { id: 1, result: { content: [{ text: "done" }] } },
    ]);
  });

  it("are held to the limits of bodies, announced or not", async () => {
    const endpoint = serveMcp(createRegistry(), { maxBodyBytes: 1_000, bodyTimeoutMs: 50 });
    const status = async (body: string | ReadableStream, more: Record<string, string> = {}): Promise<number> => {
      const init = { method: "POST", headers: { ...headers, ...more }, body, duplex: "half" } as RequestInit;
      return (await endpoint.fetch(new Request("http://localhost/mcp", init))).status;
    };
    const pieces = (count: number): ReadableStream =>
      new ReadableStream({ pull: (controller) => (count-- > 0 ? controller.enqueue(Buffer.alloc(400, 32)) : controller.close()) });
    expect(await status(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }))).toBe(200);
    expect(await status(pieces(5))).toBe(413);
    expect(await status("x".repeat(2_000), { "content-length": "2000" })).toBe(413);
    expect(await status("x".repeat(2_000), { "content-length": "10" })).toBe(413);
    expect(await status(new ReadableStream())).toBe(408);
  });

  it("cancel the call when the reader of a stream goes away", async () => {
    const aborted = vi.fn();
    const registry = createRegistry();
    registry.register(
      defineTool({
        name: "slow",
        description: "Waits.",
        inputSchema: nothing,
        async handler(_input, { progress, signal }) {
          signal.addEventListener("abort", aborted);
          progress({ progress: 1 });
          await untilAborted(signal).catch(() => undefined);
          return "";
        },
      }),
    );
    const endpoint = serveMcp(registry);
    afterThisTest(() => endpoint.close());
    const { url } = await endpoint.listen();
    const params = { name: "slow", arguments: {}, _meta: { ...clientMeta, progressToken: 1 } };
    const modern = { ...headers, "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "slow" };
    const response = await fetch(url, {
      method: "POST",
      headers: modern,
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    });
    await listen(response, (messages) => messages.length > 0);
    await vi.waitFor(() => expect(aborted).toHaveBeenCalled(), { timeout: 60_000 });
  });
});

describe("subscriptions", () => {
  it("acknowledge what they will tell, tell nothing else, and name the request that began them", async () => {
    const { url, registry, endpoint } = await serving([echo]);
    const response = await subscribe(url, { promptsListChanged: true, resourceSubscriptions: ["a://1"], toolsListChanged: false });
    const heard = listen(response, (messages) => messages.length === 3);
    const witness = listen(await subscribe(url, { toolsListChanged: true }), (messages) => messages.length === 2);
    registry.register({ ...echo, name: "other" });
    await witness;
    endpoint.notify.resourcesChanged();
    endpoint.notify.resourceUpdated("a://2");
    endpoint.notify.resourceUpdated("a://1");
    endpoint.notify.promptsChanged();
    const tag = { _meta: { "io.modelcontextprotocol/subscriptionId": 7 } };
    expect(await heard).toEqual([
      {
        jsonrpc: "2.0",
        method: "notifications/subscriptions/acknowledged",
        params: { notifications: { promptsListChanged: true, resourceSubscriptions: ["a://1"] }, ...tag },
      },
      { jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri: "a://1", ...tag } },
      { jsonrpc: "2.0", method: "notifications/prompts/list_changed", params: tag },
    ]);
  });

  it("tell a caller of changes in what it sees, a new policy included, and of no others", async () => {
    const { url, registry, endpoint } = await serving([echo, { ...echo, name: "hidden" }], {
      registry: { policy: readPolicyConfig({ tools: { deny: ["hidden*"] } }) },
    });
    const wanted = { toolsListChanged: true, resourceSubscriptions: ["a://1"] };
    const sofar: object[] = [];
    const heard = listen(await subscribe(url, wanted), (messages) => messages.length === 3, sofar);
    await vi.waitFor(() => expect(sofar).toHaveLength(1), { timeout: 60_000 });
    const looks = vi.spyOn(registry, "view");
    registry.register({ ...echo, name: "hidden_too" });
    await vi.waitFor(() => expect(looks).toHaveBeenCalled(), { timeout: 60_000 });
    endpoint.notify.resourceUpdated("a://1");
    registry.setPolicy(readPolicyConfig({ tools: { deny: ["echo"] } }));
    expect((await heard).map(({ method }) => method)).toEqual([
      "notifications/subscriptions/acknowledged",
      "notifications/resources/updated",
      "notifications/tools/list_changed",
    ]);
  });

  it("end with an answer when the server closes", async () => {
    const { url, endpoint } = await serving([echo]);
    const sofar: object[] = [];
    const heard = listen(await subscribe(url, { toolsListChanged: true }), () => false, sofar);
    await vi.waitFor(() => expect(sofar).toHaveLength(1), { timeout: 60_000 });
    await endpoint.close();
    expect((await heard).at(-1)).toMatchObject({ id: 7, result: { resultType: "complete" } });
  });
});

describe("legacy streams", () => {
  it("that broke off are taken up again where they ended, once", async () => {
    let close = (): void => undefined;
    const isClosed = new Promise<void>((resolve) => (close = resolve));
    const late = defineTool({
      name: "late",
      description: "Answers after the stream was closed.",
      inputSchema: nothing,
      async handler(_input, context) {
        mcpClient(context)!.closeStream();
        await isClosed;
        return "late";
      },
    });
    const { url } = await serving([late]);
    const handshake = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } };
    const opened = await send(url, { jsonrpc: "2.0", id: 1, method: "initialize", params: handshake });
    const session = { "mcp-session-id": opened.headers.get("mcp-session-id")! };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "late", arguments: {} } });
    const broken = await (await fetch(url, { method: "POST", headers: { ...headers, ...session }, body })).text();
    close();
    const id = /^id: (\S+)\nretry: \d+\ndata: \n\n$/.exec(broken)![1]!;
    const resume = (): Promise<Response> => fetch(url, { headers: { accept: "text/event-stream", ...session, "last-event-id": id } });
    expect(await listen(await resume(), (messages) => messages.length === 1)).toMatchObject([
      { id: 2, result: { content: [{ text: "late" }] } },
    ]);
    expect((await resume()).status).toBe(404);
  });
});

describe("lists", () => {
  it("follow what the registry offers: secrets that are set, tools that are switched off, versions", async () => {
    const secrets = createMemorySecrets();
    const secret = defineTool({ ...echo, name: "secret", metadata: { secrets: ["key"] } });
    const { url, registry } = await serving([echo, secret], { registry: { secrets } });
    const names = async (): Promise<string[]> =>
      (await post(url, "tools/list")).body.result.tools.map(({ name }: { name: string }) => name);
    expect(await names()).toEqual(["echo"]);
    secrets.set("key", "value-of-the-key");
    expect(await names()).toEqual(["echo", "secret"]);
    registry.disable("echo");
    expect(await names()).toEqual(["secret"]);
  });

  it("are the same bytes until something changes, and cursors of an older list are refused", async () => {
    const { url, registry } = await serving([echo, { ...echo, name: "b" }, { ...echo, name: "c" }], { pageSize: 2 });
    const first = (await post(url, "tools/list")).body;
    expect((await post(url, "tools/list")).body).toEqual(first);
    const { nextCursor: cursor } = first.result;
    expect((await post(url, "tools/list", { cursor })).body.result.tools.map(({ name }: { name: string }) => name)).toEqual(["c"]);
    registry.register({ ...echo, name: "d" });
    expect((await post(url, "tools/list", { cursor })).body.error.code).toBe(-32602);
  });
});

describe("what is said after the answer", () => {
  it("is lost, and harms nobody: not from a task, not from work that goes on behind the result", async () => {
    const talkers: (() => void)[] = [];
    const chatty = defineTool({
      name: "chatty",
      description: "Does not stop talking.",
      inputSchema: nothing,
      async handler(_input, context) {
        const client = mcpClient(context)!;
        await client.becomeTask();
        for (let progress = 1; progress < 5; progress++) {
          context.progress({ progress });
          await turns(5);
        }
        talkers.push(() => client.log("emergency", "too late"));
        return "done";
      },
    });
    const { url } = await serving([chatty]);
    const capabilities = [{}, { extensions: { "io.modelcontextprotocol/tasks": {} } }];
    for (const clientCapabilities of capabilities) {
      const meta = {
        ...clientMeta,
        progressToken: 1,
        "io.modelcontextprotocol/logLevel": "debug",
        "io.modelcontextprotocol/clientCapabilities": clientCapabilities,
      };
      const { body } = await post(url, "tools/call", { name: "chatty", arguments: {} }, { meta });
      expect(["task", "complete"]).toContain(body.result.resultType);
    }
    await until(() => talkers.length === capabilities.length);
    for (const talk of talkers) talk();
    await turns();
    expect((await post(url, "tools/list")).status).toBe(200);
  });
});

describe("mistakes in options", () => {
  it("are told when the endpoint is made", () => {
    for (const options of [{ pageSize: 0 }, { ttlMs: -1 }, { resultPageLength: 10 }, { pageSize: 1.5 }]) {
      expect(() => serveMcp(createRegistry(), options)).toThrow(/must be a whole number/);
    }
  });
});

describe("endpoints without sessions", () => {
  it("answer legacy clients, and offer nothing that needs one", async () => {
    const { url } = await serving([echo], { sessions: false });
    const handshake = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
    const opened = await send(url, { jsonrpc: "2.0", id: 1, method: "initialize", params: handshake });
    expect(opened.headers.get("mcp-session-id")).toBeNull();
    expect(opened.body.result.protocolVersion).toBe("2025-06-18");
    expect(opened.body.result.capabilities.logging).toBeUndefined();
    const level = await send(url, { jsonrpc: "2.0", id: 2, method: "logging/setLevel", params: { level: "info" } });
    expect([level.status, level.body.error.code]).toEqual([200, -32601]);
    expect((await send(url, { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "echo" } })).body.result.content[0].text).toBe(
      "here",
    );
  });
});
