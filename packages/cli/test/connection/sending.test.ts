import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { overSending } from "../../src/connection/over-sending.ts";
import { sendByFetch } from "../../src/connection/send-by-fetch.ts";
import { sendOverSocket } from "../../src/connection/send-by-node.ts";
import type { Answered, Send, SentRequest } from "../../src/connection/send.ts";

const request = (more: Partial<SentRequest> = {}): SentRequest => ({
  method: "GET",
  path: "/api/v1/tools",
  query: "",
  headers: { accept: "application/json" },
  body: undefined,
  signal: undefined,
  ...more,
});

/** What arrived last. */
let last: { readonly method: string; readonly url: string; readonly headers: IncomingHttpHeaders; readonly body: string };
const servers: Server[] = [];
const ways: Record<string, (key: string | undefined) => Send> = {};
const folder = mkdtempSync(join(tmpdir(), "toolrack-sending-"));

/** Notes what arrives; says of itself that it is a Toolrack server, except at "/plain". */
async function listen(at: string | number): Promise<Server> {
  const server = createServer(async (incoming, outgoing) => {
    last = { method: incoming.method!, url: incoming.url!, headers: incoming.headers, body: await text(incoming) };
    const isPlain = last.url === "/plain";
    outgoing.writeHead(isPlain ? 404 : 201, isPlain ? {} : { "toolrack-api": "v1", "content-type": "text/plain" }).end("äb");
  });
  await new Promise<void>((resolve) => (typeof at === "string" ? server.listen(at, resolve) : server.listen(at, "127.0.0.1", resolve)));
  servers.push(server);
  return server;
}

beforeAll(async () => {
  const web = await listen(0);
  const url = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  const socket = join(folder, "t.sock");
  await listen(socket);
  ways["fetch"] = (key) => sendByFetch(url, key);
  ways["socket"] = (key) => sendOverSocket(socket, key);
});
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(["fetch", "socket"])("over %s", (way) => {
  const send = (more: Partial<SentRequest> = {}, key?: string): Promise<Answered> => ways[way]!(key)(request(more));

  it("a request is sent with its query, its body, its headers and the key", async () => {
    await send({ method: "PUT", query: "a=1&b=2", body: "größer", headers: { "content-type": "text/plain", "x-one": "1" } }, "trk_x");
    expect(last).toMatchObject({ method: "PUT", url: "/api/v1/tools?a=1&b=2", body: "größer" });
    expect(last.headers).toMatchObject({ authorization: "Bearer trk_x", "x-one": "1", "content-length": "8" });
    await send();
    expect(last).toMatchObject({ method: "GET", url: "/api/v1/tools", body: "" });
    expect(last.headers.authorization).toBeUndefined();
  });

  it("an answer is read whole or followed, and is told from that of another program", async () => {
    const answered = await send();
    expect(answered).toMatchObject({ status: 201, contentType: "text/plain", isToolrack: true });
    expect(await answered.text()).toBe("äb");
    const pieces: Uint8Array[] = [];
    for await (const piece of (await send()).stream()!) pieces.push(piece);
    expect(Buffer.concat(pieces).toString()).toBe("äb");
    const other = await send({ path: "/plain" });
    expect(other).toMatchObject({ status: 404, contentType: "", isToolrack: false });
    await other.text();
  });

  it("a request that is given up rejects", async () => {
    await expect(send({ signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  });
});

describe("an operation", () => {
  interface Asked {
    readonly sent: SentRequest[];
    readonly ask: (answer: Partial<Answered> & { readonly body?: string }) => ReturnType<typeof overSending>;
  }

  const asking = (): Asked => {
    const sent: SentRequest[] = [];
    const ask: Asked["ask"] = ({ body = '{"a":1}', ...answer }) =>
      overSending({
        where: "http://here",
        isServer: true,
        send: async (one) => {
          sent.push(one);
          return {
            status: 200,
            contentType: "",
            isToolrack: true,
            header: () => undefined,
            text: async () => body,
            stream: () => undefined,
            ...answer,
          };
        },
      });
    return { sent, ask };
  };

  it("is sent to the path of the API, with each parameter as one segment and each item of a list", async () => {
    const { sent, ask } = asking();
    const options = { params: { name: "a/b c" }, body: { x: 1 }, headers: { "if-match": '"1"' } };
    await ask({}).ask("PUT /configs/{tool}" as "GET /tools/{name}", {
      ...options,
      params: { name: "n", tool: "a/b c" } as { name: string },
    });
    expect(sent[0]).toMatchObject({
      method: "PUT",
      path: "/api/v1/configs/a%2Fb%20c",
      query: "",
      body: '{"x":1}',
      headers: { accept: "application/json", "content-type": "application/json", "if-match": '"1"' },
    });
    await ask({}).ask("GET /tools", { query: { a: ["1", "2"], b: undefined, c: false, d: 0 } });
    expect(sent[1]).toMatchObject({
      method: "GET",
      query: "a=1&a=2&c=false&d=0",
      body: undefined,
      headers: { accept: "application/json" },
    });
    expect(sent[1]!.headers).not.toHaveProperty("content-type");
    for await (const _ of ask({}).follow("GET /events")) expect.unreachable();
    expect(sent[2]!.headers).toEqual({ accept: "text/event-stream" });
  });

  it("answers the JSON of the server, or nothing where there is none", async () => {
    const { ask } = asking();
    expect(await ask({ body: '{"tools":[]}' }).ask("GET /tools")).toEqual({ tools: [] });
    expect(await ask({ status: 204, body: "" }).ask("GET /tools")).toBeUndefined();
  });

  it.each([
    [400, "usage"],
    [422, "usage"],
    [401, "refused"],
    [403, "refused"],
    [404, "notFound"],
    [409, "failed"],
    [500, "failed"],
    [501, "failed"],
    [502, "unreachable"],
    [503, "unreachable"],
    [300, "failed"],
    [199, "failed"],
  ])("that is answered with %i ends as %s", async (status, reason) => {
    const body = JSON.stringify({ status, detail: "It is so." });
    await expect(asking().ask({ status, body }).ask("GET /tools")).rejects.toMatchObject({
      reason,
      message: "It is so.",
      problem: { detail: "It is so." },
    });
  });

  it("names the issues that the sentence does not name", async () => {
    const issues = [{ message: "One is missing." }, { message: "Two is wrong." }];
    const answer = (detail?: string): Promise<unknown> =>
      asking()
        .ask({ status: 400, body: JSON.stringify({ detail, issues }) })
        .ask("GET /tools");
    await expect(answer("No: One is missing.")).rejects.toMatchObject({ message: "No: One is missing.\n  - Two is wrong." });
    await expect(answer()).rejects.toMatchObject({ message: "It answered 400.\n  - One is missing.\n  - Two is wrong." });
  });

  it("of another program, or of a server that is not there, says so with the address", async () => {
    const { ask } = asking();
    const strange = { reason: "unreachable", message: "http://here answered 200, but it is not a Toolrack server. Check the URL." };
    await expect(ask({ isToolrack: false }).ask("GET /tools")).rejects.toMatchObject(strange);
    await expect(ask({ status: 500, body: "<html>" }).ask("GET /tools")).rejects.toMatchObject({
      message: "http://here answered 500, but it is not a Toolrack server. Check the URL.",
    });
    const failing = (error: Error): ReturnType<typeof overSending> =>
      overSending({ where: "http://here", isServer: true, send: () => Promise.reject(error) });
    await expect(failing(new Error("connect ECONNREFUSED")).ask("GET /tools")).rejects.toMatchObject({
      reason: "unreachable",
      message: "http://here cannot be reached: connect ECONNREFUSED. Is it running? Start a server with: toolrack serve",
    });
    const left = new Error("left");
    await expect(failing(left).ask("GET /tools", { signal: AbortSignal.abort() })).rejects.toBe(left);
  });
});
