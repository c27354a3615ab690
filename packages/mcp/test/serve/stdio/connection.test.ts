import { PassThrough } from "node:stream";
import { createRegistry, defineTool } from "@toolrack/core";
import { mcpClient, serveMcp } from "@toolrack/mcp";
import { untilAborted } from "@toolrack/testkit/aborted";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { clientMeta, nothing } from "../serve.ts";

type Message = Record<string, any>;

/** A client that speaks lines over a pair of streams in this process. */
function open(caller?: object) {
  const registry = createRegistry();
  const seen: unknown[] = [];
  const tool = (name: string, handler: Parameters<typeof defineTool>[0]["handler"]) =>
    registry.register(defineTool({ name, description: "For tests.", inputSchema: nothing, handler } as Parameters<typeof defineTool>[0]));
  tool("who", (_input, { caller: own }) => own as never);
  tool("talk", (_input, context) => {
    for (const level of ["debug", "warning"] as const) mcpClient(context)!.log(level, `said ${level}`);
    return "done";
  });
  tool("hang", async (_input, { signal }) => {
    seen.push("begun");
    await untilAborted(signal).catch(() => undefined);
    seen.push((signal.reason as Error).message);
    return "";
  });
  const endpoint = serveMcp(registry, { name: "test", version: "1.0.0", instructions: "Be kind." });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const done = endpoint.stdio({ input, output, ...(caller && { caller: caller as never }) });
  const said: Message[] = [];
  let rest = "";
  output.on("data", (chunk) => {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop()!;
    for (const line of lines) said.push(JSON.parse(line) as Message);
  });
  afterThisTest(async () => {
    await endpoint.close();
    await done;
  });
  const send = (message: object): void => void input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let count = 0;
  const ask = async (method: string, params: object = {}): Promise<Message> => {
    const id = `q${++count}`;
    send({ id, method, params });
    await until(() => said.some((message) => message["id"] === id), `There is no answer to ${method}.`);
    return said.find((message) => message["id"] === id)!;
  };
  const modern = (method: string, params: object = {}, meta: object = {}) => ask(method, { ...params, _meta: { ...clientMeta, ...meta } });
  const shake = (capabilities: unknown = {}) =>
    ask("initialize", { protocolVersion: "2025-11-25", capabilities, clientInfo: { name: "t", version: "1" } });
  const told = (method: string): Message[] => said.filter((message) => message["method"] === method);
  return { endpoint, registry, input, output, done, said, seen, send, ask, modern, shake, told };
}

const textOf = (answer: Message): string => answer["result"].content[0].text;

describe("a legacy client over standard streams", () => {
  it("has a session from its handshake on, unless its caller has one", async () => {
    const { ask, shake } = open();
    expect(JSON.parse(textOf(await ask("tools/call", { name: "who", arguments: {} })))).toEqual({});
    const { result } = await shake();
    expect(result).toMatchObject({
      protocolVersion: "2025-11-25",
      serverInfo: { name: "test", version: "1.0.0" },
      instructions: "Be kind.",
    });
    const [first, second] = [
      await ask("tools/call", { name: "who", arguments: {} }),
      await ask("tools/call", { name: "who", arguments: {} }),
    ];
    expect(JSON.parse(textOf(first))).toEqual({ session: expect.stringMatching(/^[\w-]{24}$/) });
    expect(textOf(second)).toBe(textOf(first));
    const own = open({ agent: "ada", session: "s1" });
    await own.shake();
    expect(JSON.parse(textOf(await own.ask("tools/call", { name: "who", arguments: {} })))).toEqual({ agent: "ada", session: "s1" });
  });

  it("sets the level of the log, and is refused what the protocol does not know", async () => {
    const { ask, shake, told } = open();
    expect((await ask("logging/setLevel", { level: "info" }))["error"].code).toBe(-32601);
    await shake();
    await ask("tools/call", { name: "talk", arguments: {} });
    expect(told("notifications/message")).toEqual([]);
    expect((await ask("logging/setLevel", { level: "loud" }))["error"]).toMatchObject({
      code: -32602,
      message: "level is not one that the protocol knows.",
    });
    expect((await ask("logging/setLevel", { level: "info" }))["result"]).toEqual({});
    await ask("tools/call", { name: "talk", arguments: {} });
    expect(told("notifications/message").map(({ params }) => params.level)).toEqual(["warning"]);
  });

  it("is told of changes after its handshake, once, and of the resources that it subscribed to", async () => {
    const { endpoint, ask, shake, send, told } = open();
    await shake();
    endpoint.notify.promptsChanged();
    for (let times = 0; times < 2; times++) send({ method: "notifications/initialized" });
    expect((await ask("resources/subscribe", { uri: 5 }))["error"].message).toBe("uri must be a text.");
    await ask("resources/subscribe", { uri: "a://1" });
    await ask("resources/subscribe", { uri: "a://2" });
    await ask("resources/unsubscribe", { uri: "a://2" });
    for (const uri of ["a://1", "a://2", "a://3"]) endpoint.notify.resourceUpdated(uri);
    endpoint.notify.promptsChanged();
    endpoint.notify.resourcesChanged();
    await until(() => told("notifications/resources/list_changed").length > 0);
    expect(told("notifications/resources/updated").map(({ params }) => params.uri)).toEqual(["a://1"]);
    expect([told("notifications/prompts/list_changed").length, told("notifications/resources/list_changed").length]).toEqual([1, 1]);
  });

  it("cancels a call by its request, and all end with the connection", async () => {
    const { send, said, seen, endpoint, done } = open();
    for (const id of [1, 2]) send({ id, method: "tools/call", params: { name: "hang", arguments: {} } });
    await until(() => seen.length === 2);
    for (const params of [{ requestId: "1" }, {}]) send({ method: "notifications/cancelled", params });
    send({ method: "notifications/other", params: { requestId: 1 } });
    send({ method: "notifications/cancelled", params: { requestId: 1 } });
    await until(() => said.some(({ id }) => id === 1));
    expect(seen.slice(2)).toEqual(["The client cancelled the call."]);
    await endpoint.close();
    await done;
    await until(() => seen.length === 4);
    expect(seen.at(-1)).toBe("The connection was closed.");
  });
});

describe("a modern client over standard streams", () => {
  it("carries its facts in each request", async () => {
    const { modern, told } = open({ agent: "ada" });
    expect(JSON.parse(textOf(await modern("tools/call", { name: "who", arguments: {} })))).toEqual({ agent: "ada" });
    await modern("tools/call", { name: "talk", arguments: {} });
    expect(told("notifications/message")).toEqual([]);
    await modern("tools/call", { name: "talk", arguments: {} }, { "io.modelcontextprotocol/logLevel": "loud" });
    expect(told("notifications/message")).toEqual([]);
    await modern("tools/call", { name: "talk", arguments: {} }, { "io.modelcontextprotocol/logLevel": "debug" });
    expect(told("notifications/message")).toHaveLength(2);
  });

  it("is refused where one is missing or unknown", async () => {
    const { ask, modern } = open();
    const version = "io.modelcontextprotocol/protocolVersion";
    expect((await ask("server/discover"))["error"].message).toContain(`params._meta["${version}"] is missing`);
    for (const unknown of [5, "2099-01-01"])
      expect((await modern("tools/list", {}, { [version]: unknown }))["error"]).toMatchObject({
        message: "This server does not speak that protocol version.",
        data: { supported: expect.arrayContaining(["2026-07-28"]), requested: String(unknown) },
      });
    expect((await modern("tools/list", {}, { "io.modelcontextprotocol/clientCapabilities": 5 }))["error"].message).toContain(
      "clientCapabilities",
    );
    expect((await modern("server/discover"))["result"]).toMatchObject({ instructions: "Be kind." });
    expect((await modern("initialize"))["error"].code).toBe(-32601);
  });

  it("is told of what it asks for until it cancels that, or the connection ends", async () => {
    const { endpoint, send, told, said, done } = open();
    const listen = (id: number, notifications: object) =>
      send({ id, method: "subscriptions/listen", params: { notifications, _meta: clientMeta } });
    const tagged = (id: number) =>
      told("notifications/prompts/list_changed").filter(({ params }) => params._meta["io.modelcontextprotocol/subscriptionId"] === id)
        .length;
    for (const id of [1, 1, 2]) listen(id, { promptsListChanged: true });
    await until(() => told("notifications/subscriptions/acknowledged").length === 3);
    endpoint.notify.promptsChanged();
    await until(() => tagged(2) === 1);
    expect(tagged(1)).toBe(1);
    send({ method: "notifications/cancelled", params: { requestId: 1 } });
    listen(3, { promptsListChanged: true });
    await until(() => told("notifications/subscriptions/acknowledged").length === 4);
    endpoint.notify.promptsChanged();
    await until(() => tagged(3) === 1);
    expect([tagged(1), tagged(2)]).toEqual([1, 2]);
    await endpoint.close();
    await done;
    expect(
      said
        .filter(({ result }) => result !== undefined)
        .map(({ id, result }) => [id, result.resultType, result._meta["io.modelcontextprotocol/subscriptionId"]]),
    ).toEqual([
      [2, "complete", 2],
      [3, "complete", 3],
    ]);
  });
});

describe("standard streams", () => {
  it("are not read while the client does not read, and end with an error of the output", async () => {
    const registry = createRegistry();
    const [input, output] = [new PassThrough(), new PassThrough({ highWaterMark: 1 })];
    const done = serveMcp(registry).stdio({ input, output });
    input.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    await until(() => input.isPaused());
    output.resume();
    await until(() => !input.isPaused());
    output.emit("error", new Error("gone"));
    await done;
    expect(input.isPaused()).toBe(true);
  });

  it("are not written to once they are gone", async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const done = serveMcp(createRegistry()).stdio({ input, output });
    output.on("error", () => undefined);
    output.destroy();
    input.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    input.end();
    await done;
    expect(output.writableLength).toBe(0);
  });
});
