import { createRegistry } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { createLineReader } from "../../src/upstream/stdio/lines.ts";
import { limitEvents } from "../../src/upstream/http/limit-body.ts";
import { ambiguous, findAmbiguity, withoutAmbiguousEvents } from "../../src/wire/single-reading.ts";
import { httpServer, sourceOf, stdioUpstream } from "../upstream/upstreams.ts";

const text = (value: string): object => ({ content: [{ type: "text", text: value }] });
const frame = (result: string): string => `{"jsonrpc":"2.0","id":7,"result":${result}}`;

const documents: readonly (readonly [name: string, bytes: Buffer, refused: RegExp | undefined])[] = [
  ["a plain answer", Buffer.from(frame(JSON.stringify(text("é 中")))), undefined],
  ["a key twice", Buffer.from(frame('{"content":[],"content":[]}')), /content\\*", which occurs twice/],
  ["a key twice, far inside", Buffer.from(frame('{"structuredContent":{"a":{"b":1,"\\u0062":2}}}')), /b\\*", which occurs twice/],
  ["a number that would be rounded", Buffer.from(frame('{"structuredContent":{"id":9007199254740993}}')), /cannot be represented exactly/],
  ["a list with the limits of 64-bit integers", Buffer.from(frame('{"tools":[{"maximum":9223372036854775807}]}')), undefined],
  [
    "bytes that are not UTF-8",
    Buffer.concat([Buffer.from(frame('{"a":"').slice(0, -1)), Buffer.from([0xff]), Buffer.from('"}}')]),
    /not valid UTF-8/,
  ],
  ["no JSON", Buffer.from("not json"), undefined],
];

describe("SD15: an answer of a server that has more than one reading", () => {
  it.each(documents)("is refused for the request that waits, whatever the transport: %s", (_name, bytes, refused) => {
    const found = findAmbiguity(bytes);
    if (refused === undefined) expect(found).toBeUndefined();
    else expect(found?.answer).toMatchObject({ id: 7, error: { code: ambiguous, message: expect.stringMatching(refused) as string } });

    const events = Buffer.concat([Buffer.from("event: message\ndata: "), bytes, Buffer.from("\n\n: comment\n\n")]);
    const kept = Buffer.from(withoutAmbiguousEvents(events)).toString("utf8");
    if (refused === undefined) expect(Buffer.from(kept)).toEqual(events);
    else expect(kept).toMatch(refused);
  });

  it("leaves the other events of a stream as they are, in whatever pieces they come", async () => {
    const events = `id: 1\ndata: ${frame("{}")}\n\ndata: ${frame('{"a":1,"a":2}')}\n\ndata: {"jsonrpc":"2.0",\ndata: "method":"m"}\n\n`;
    for (const size of [1, 7, 1_000]) {
      const pieces = Buffer.from(events);
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < pieces.length; at += size) controller.enqueue(pieces.subarray(at, at + size));
          controller.close();
        },
      });
      const read = await new Response(
        limitEvents(body, { maxBytes: 10_000, host: "test", sent: undefined }) as ReadableStream<Uint8Array<ArrayBuffer>>,
      ).text();
      expect(read).toContain(`id: 1\ndata: ${frame("{}")}\n\n`);
      expect(read).toContain('data: {"jsonrpc":"2.0",\ndata: "method":"m"}\n\n');
      expect(read).toContain(String(ambiguous));
      expect(read).not.toContain('"a":1');
    }
  });

  it("fails the call, and the connection goes on, over HTTP as JSON and as a stream", async () => {
    for (const json of [true, false]) {
      const server = await httpServer({
        json,
        before(_request, response, body) {
          const { id, method, params } = (body === "" ? {} : JSON.parse(body)) as {
            id?: number;
            method?: string;
            params?: { arguments?: { text?: string } };
          };
          if (method !== "tools/call" || params?.arguments?.text !== "twice") return false;
          const answer = `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"content":[{"type":"text","text":"which?"}]}}`;
          response.writeHead(200, { "content-type": json ? "application/json" : "text/event-stream" });
          response.end(json ? answer : `event: message\ndata: ${answer}\n\n`);
          return true;
        },
      });
      const registry = createRegistry();
      await registry.addSource(sourceOf({ name: "hand", url: server.url, allowHosts: [server.host] }));
      const refused = await registry.invoke("hand__echo", { text: "twice" });
      expect(refused).toMatchObject({ ok: false, code: "RESULT_INVALID", error: expect.stringContaining("occurs twice") as string });
      expect(await registry.invoke("hand__echo", { text: "once" })).toMatchObject({ ok: true, content: "once" });
    }
  });

  it.each([
    ["a byte order mark before the first event", (answer: string) => `\uFEFFdata: ${answer}\n\n`],
    ["an empty line that ends otherwise than the line before it", (answer: string) => `data: ${answer}\n\r\ndata: x\n\n`],
    ["a line that ends otherwise than the empty line", (answer: string) => `data: ${answer}\r\n\ndata: x\n\n`],
    ["lines that end with a carriage return", (answer: string) => `event: message\rdata: ${answer}\r\rdata: x\r\r`],
    ["a data line without a value", (answer: string) => `data\ndata:${answer}\n\n`],
  ])("is found as a client finds it: %s", async (_name, toStream) => {
    const server = await httpServer({
      before(_request, response, body) {
        const { id, method } = (body === "" ? {} : JSON.parse(body)) as { id?: number; method?: string };
        if (method !== "tools/call") return false;
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(toStream(`{"jsonrpc":"2.0","id":${id},"result":{"content":[],"content":[{"type":"text","text":"which?"}]}}`));
        return true;
      },
    });
    const registry = createRegistry();
    await registry.addSource(sourceOf({ name: "hand", url: server.url, allowHosts: [server.host] }));
    expect(await registry.invoke("hand__echo", { text: "twice" })).toMatchObject({ ok: false, code: "RESULT_INVALID" });
  });

  it("fails the call over stdio, too", async () => {
    const script = `
      let rest = "";
      const say = (message) => process.stdout.write(message + "\\n");
      process.stdin.on("data", (chunk) => {
        rest += chunk;
        for (let at = rest.indexOf("\\n"); at !== -1; at = rest.indexOf("\\n")) {
          const line = rest.slice(0, at);
          rest = rest.slice(at + 1);
          const { id, method, params } = JSON.parse(line);
          if (id === undefined) continue;
          if (method === "initialize")
            say(JSON.stringify({ jsonrpc: "2.0", id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } } }));
          else if (method === "tools/list")
            say(JSON.stringify({ jsonrpc: "2.0", id, result: { tools: [{ name: "pick", inputSchema: { type: "object" } }] } }));
          else if (method === "tools/call")
            say('{"jsonrpc":"2.0","id":' + id + ',"result":{"content":[],"content":[{"type":"text","text":"which?"}]}}');
          else say(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } }));
        }
      });`;
    const registry = createRegistry();
    await registry.addSource(sourceOf({ ...stdioUpstream(), args: ["-e", script] } as never));
    expect(await registry.invoke("hand__pick", {})).toMatchObject({ ok: false, code: "RESULT_INVALID" });
  });

  it("reads lines as bytes", () => {
    const lines: unknown[] = [];
    createLineReader(100, (line) => void lines.push(line))(Buffer.from([0xff, 0x0a]));
    expect(lines).toEqual([{ kind: "line", bytes: Buffer.from([0xff]) }]);
  });
});
