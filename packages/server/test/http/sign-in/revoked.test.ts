import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type AnyTool, defineTool } from "@toolrack/core";
import { createFakeClock } from "@toolrack/core/testing";
import { readEvents } from "@toolrack/testkit/events";
import { openTestServer } from "@toolrack/testkit/test-server";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openRack } from "../../../src/rack/open.ts";
import type { Rack } from "../../../src/rack/rack.ts";
import { serve } from "../../../src/serve.ts";

const patient = { timeout: 60_000 };
const object = { type: "object", properties: {} } as const;
const ended = { code: "SIGN_IN_ENDED", status: 401 };

let aborted: string[];
/** Runs until it is told to stop. */
const hold = defineTool({
  name: "hold",
  description: "Runs until it is told to stop.",
  inputSchema: object,
  handler: (_input, { signal, progress }) =>
    new Promise<string>((_resolve, reject) => {
      signal.addEventListener("abort", () => {
        aborted.push((signal.reason as Error).message);
        reject(signal.reason as Error);
      });
      progress({ message: "begun" });
    }),
});
const send = defineTool({ name: "send", description: "Sends.", inputSchema: object, handler: () => "sent" });
const tools: readonly AnyTool[] = [hold, send];

/** Two servers on one store: what is open on the first is ended by what is done on the second. */
let here: Rack;
let other: Rack;
let url: string;
let key: { readonly id: string; readonly secret: string };
let closers: (() => unknown)[];

beforeEach(async () => {
  aborted = [];
  const folder = mkdtempSync(join(tmpdir(), "toolrack-revoked-"));
  const config = {
    store: { sqlite: join(folder, "a.db") },
    policy: { tools: { ask: ["send"] }, agents: { bot: { tools: { allow: ["hold", "send"] } }, root: {} } },
  };
  here = await openRack({ environment: {}, folder, config, tools });
  other = await openRack({ environment: {}, folder, config, tools });
  const served = await serve(here, { port: 0, consoleFolder: false });
  ({ url } = served);
  closers = [() => served.close({ graceMs: 0 }), () => other.close({ graceMs: 0 }), () => rmSync(folder, { recursive: true, force: true })];
  key = await other.keys.create({ agent: "bot", roles: ["subscriber"], by: "test" });
});
afterEach(async () => {
  for (const close of closers) await close();
});

const revoke = (): Promise<boolean> => other.keys.revoke(key.id, "test");

function ask(path: string, init: RequestInit = {}, secret = key.secret): Promise<Response> {
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json", ...init.headers };
  return fetch(`${url}${path}`, { ...init, headers });
}

const call = (tool: string, headers: Record<string, string> = {}): Promise<Response> =>
  ask(`/api/v1/tools/${tool}/call`, { method: "POST", body: "{}", headers });
const untilCalled = (): Promise<void> => expect.poll(() => here.running.list().length, patient).toBe(1);

describe("a key that is revoked on another server of the store", () => {
  it("SD13: ends the event streams that are open with it, and says why", async () => {
    const events = readEvents(await ask("/api/v1/events"));
    expect((await events.next()).value).toMatchObject({ event: "ready" });
    await revoke();
    const rest = [];
    for await (const event of events) rest.push(event);
    expect(rest.at(-1)).toMatchObject({ event: "error", data: ended });
  });

  it("SD13: ends calls that are followed, and their handlers", async () => {
    const events = readEvents(await call("hold", { accept: "text/event-stream" }));
    for await (const { event } of { [Symbol.asyncIterator]: () => ({ next: () => events.next() }) }) if (event === "progress") break;
    await revoke();
    const rest = [];
    for await (const event of events) rest.push(event);
    expect(rest.at(-1)).toMatchObject({ event: "error", data: ended });
    await expect.poll(() => aborted, patient).toEqual([expect.stringContaining("The API key was revoked")]);
  });

  it("SD13: ends calls that run, and answers why", async () => {
    const calling = call("hold");
    await untilCalled();
    await revoke();
    const answer = await calling;
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject(ended);
    await expect.poll(() => aborted, patient).toHaveLength(1);
    await expect.poll(() => here.running.list(), patient).toEqual([]);
    const why = 'The call of tool "hold" was cancelled: The API key was revoked.';
    expect((await here.calls.list({ tool: "hold" }))[0]).toMatchObject({
      code: "ABORTED",
      error: { message: expect.stringContaining(why) },
    });
  });

  it("SD13: ends calls that wait for a person, and takes their question away", async () => {
    const calling = call("send");
    await expect.poll(async () => (await here.approvals.list()).length, patient).toBe(1);
    await revoke();
    expect(await (await calling).json()).toMatchObject(ended);
    await expect.poll(async () => (await here.approvals.list()).length, patient).toBe(0);
    expect((await here.calls.list({ tool: "send" }))[0]).toMatchObject({ ok: false, code: "ABORTED" });
  });

  it("SD13: ends the call that a job makes with it, and takes its question away", async () => {
    const made = await ask("/api/v1/tools/send/call", { method: "POST", body: '{"mode":"job"}' });
    const { data } = (await made.json()) as { readonly data: { readonly job: { readonly id: string } } };
    await expect.poll(async () => (await here.approvals.list()).length, patient).toBe(1);
    await revoke();
    await expect.poll(async () => (await here.approvals.list()).length, patient).toBe(0);
    const error = { message: expect.stringContaining('The key of "bot" was revoked') };
    expect(await here.jobs.waitFor(data.job.id, { timeoutMs: 60_000 })).toMatchObject({ state: "dead", error });
  });

  it("SD13: ends the call that a job makes when the record of its key is deleted", async () => {
    const made = await ask("/api/v1/tools/send/call", { method: "POST", body: '{"mode":"job"}' });
    const { data } = (await made.json()) as { readonly data: { readonly job: { readonly id: string } } };
    await expect.poll(async () => (await here.approvals.list()).length, patient).toBe(1);
    const inner = other.store.as({ owner: "toolrack-server", agent: "server", roles: ["curator"] });
    expect(await inner.remove(`key-${key.id}`)).toMatchObject({ ok: true });
    await expect.poll(async () => (await here.approvals.list()).length, patient).toBe(0);
    expect(await here.jobs.waitFor(data.job.id, { timeoutMs: 60_000 })).toMatchObject({ state: "dead" });
  });

  it.each([
    ["as another agent, once its admin is none any more", { roles: ["admin"], runAs: { agent: "bot" }, why: "is not an admin any more" }],
    ["with a role that its caller has lost", { roles: ["curator"], runAs: undefined, why: 'does not have the role "curator" any more' }],
  ])("AH10: ends the call that a job makes %s", async (_, { roles, runAs, why }) => {
    const agent = runAs === undefined ? "bot" : "root";
    const more = await other.keys.create({ agent, roles, by: "test" });
    if (agent === "root") await other.keys.create({ agent, roles: [], by: "test" });
    const made = await ask("/api/v1/tools/send/call", { method: "POST", body: JSON.stringify({ mode: "job", runAs }) }, more.secret);
    const { data } = (await made.json()) as { readonly data: { readonly job: { readonly id: string } } };
    await expect.poll(async () => (await here.approvals.list()).length, patient).toBe(1);
    await other.keys.revoke(more.id, "test");
    await expect.poll(async () => (await here.approvals.list()).length, patient).toBe(0);
    const job = await here.jobs.waitFor(data.job.id, { timeoutMs: 60_000 });
    expect(job).toMatchObject({ state: "dead", error: { message: expect.stringContaining(why) } });
  });

  it("SD13: ends requests that wait for a call", async () => {
    const running = here.call("hold", {}, { caller: { agent: "bot" } });
    const waiting = ask(`/api/v1/calls/${running.callId}/wait?timeoutMs=60000`);
    await untilCalled();
    // The request is known to wait once the server has answered another one that came after it.
    await ask("/api/v1/tools");
    await revoke();
    expect(await (await waiting).json()).toMatchObject(ended);
    expect(here.running.list()).toHaveLength(1);
    running.cancel();
  });

  it("SD13: ends what is open with it when its record is deleted", async () => {
    const events = readEvents(await ask("/api/v1/events"));
    expect((await events.next()).value).toMatchObject({ event: "ready" });
    const inner = other.store.as({ owner: "toolrack-server", agent: "server", roles: ["curator"] });
    expect(await inner.remove(`key-${key.id}`)).toMatchObject({ ok: true });
    const rest = [];
    for await (const event of events) rest.push(event);
    expect(rest.at(-1)).toMatchObject({ event: "error", data: ended });
  });

  it("SD13: leaves alone what is open with another key of the same agent", async () => {
    const second = await other.keys.create({ agent: "bot", roles: ["subscriber"], by: "test" });
    const mine = readEvents(await ask("/api/v1/events"));
    const others = readEvents(await ask("/api/v1/events?types=call-end&agent=bot", {}, second.secret));
    await mine.next();
    await others.next();
    await revoke();
    for await (const _ of mine);
    await here.call("unknown", {}, { caller: { agent: "bot" } }).result;
    expect((await others.next()).value).toMatchObject({ event: "call-end" });
  });
});

describe("MCP with a key that is revoked on another server of the store", () => {
  const capabilities = { extensions: { "io.modelcontextprotocol/tasks": {} } };
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };

  const post = (
    method: string,
    params: Record<string, unknown>,
    more: { headers?: Record<string, string>; secret?: string } = {},
  ): Promise<Response> =>
    ask(
      "/mcp",
      {
        method: "POST",
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
        headers: { accept: "application/json, text/event-stream", ...more.headers },
      },
      more.secret,
    );
  const modern = (method: string, params: Record<string, unknown> = {}, secret?: string, own: object = meta): Promise<Response> => {
    const name = params["name"] ?? params["taskId"];
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...(name !== undefined && { "mcp-name": String(name) }) };
    return post(method, { ...params, _meta: own }, { headers, ...(secret !== undefined && { secret }) });
  };

  async function initialize(): Promise<Record<string, string>> {
    const answer = await post("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "test", version: "1.0.0" },
    });
    expect(answer.status).toBe(200);
    await answer.text();
    return { "mcp-session-id": answer.headers.get("mcp-session-id")!, "mcp-protocol-version": "2025-11-25" };
  }

  it("SD13: ends the stream of a legacy session, and the session", async () => {
    const session = await initialize();
    const stream = await ask("/mcp", { headers: { ...session, accept: "text/event-stream" } });
    expect(stream.status).toBe(200);
    expect((await post("logging/setLevel", { level: "info" }, { headers: session })).status).toBe(200);
    const second = await other.keys.create({ agent: "bot", roles: [], by: "test" });
    expect((await post("tools/list", {}, { headers: session, secret: second.secret })).status).toBe(404);
    await revoke();
    await stream.text(); // It ends.
    expect((await post("tools/list", {}, { headers: session })).status).toBe(401);
    expect((await post("tools/list", {}, { headers: session, secret: second.secret })).status).toBe(404);
  });

  it("SD13: ends calls of a legacy session", async () => {
    const session = await initialize();
    const calling = post("tools/call", { name: "hold", arguments: {} }, { headers: { ...session, accept: "text/event-stream" } });
    await untilCalled();
    await revoke();
    await (await calling).text().catch(() => "");
    await expect.poll(() => aborted, patient).toHaveLength(1);
    await expect.poll(() => here.running.list(), patient).toEqual([]);
  });

  it("SD13: ends calls of the modern era, and says why", async () => {
    const calling = modern("tools/call", { name: "hold", arguments: {} });
    await untilCalled();
    await revoke();
    expect(await (await calling).text()).toContain("The API key was revoked");
    await expect.poll(() => aborted, patient).toEqual([expect.stringContaining("The API key was revoked")]);
  });

  it("SD13: ends subscriptions", async () => {
    const stream = await modern("subscriptions/listen", { notifications: { toolsListChanged: true } });
    expect(stream.status).toBe(200);
    await revoke();
    expect(await stream.text()).toContain("notifications/subscriptions/acknowledged"); // It ends.
  });

  it("SD13: ends tasks, and says why", async () => {
    const own = { ...meta, "io.modelcontextprotocol/clientCapabilities": capabilities };
    const second = await other.keys.create({ agent: "bot", roles: [], by: "test" });
    // A call becomes a task when it takes long; nothing else is under way then.
    const answer = await modern("tools/call", { name: "hold", arguments: {} }, undefined, own);
    const { result } = JSON.parse(lastData(await answer.text())) as { result: { resultType: string; taskId: string } };
    expect(result.resultType).toBe("task");
    await revoke();
    await expect.poll(() => aborted, patient).toHaveLength(1);
    const status = async (): Promise<unknown> => {
      const text = await (await modern("tasks/get", { taskId: result.taskId }, second.secret, own)).text();
      return (JSON.parse(lastData(text)) as { result: unknown }).result;
    };
    await expect
      .poll(status, patient)
      .toMatchObject({ status: "cancelled", statusMessage: expect.stringContaining("The API key was revoked") as string });
  });

  function lastData(text: string): string {
    const lines = text.split("\n").filter((line) => line.startsWith("data: {"));
    return lines.length === 0 ? text : lines.at(-1)!.slice("data: ".length);
  }
});

describe("what was signed in with, at its expiry", () => {
  it("SD13: ends what is open with a key", async () => {
    const clock = createFakeClock(1_000_000);
    await using server = await openTestServer({ rack: { clock } });
    const { secret } = await server.rack.keys.create({ agent: "bot", roles: ["subscriber"], expiresAt: 2_000_000, by: "test" });
    const events = readEvents(await server.request("GET", "/api/v1/events", { key: secret }));
    expect((await events.next()).value).toMatchObject({ event: "ready" });
    await clock.advance(1_000_000);
    const why = { ...ended, detail: expect.stringMatching(/^The API key has expired\./) };
    expect((await events.next()).value).toMatchObject({ event: "error", data: why });
    expect((await events.next()).done).toBe(true);
  });

  it("lets a key be used again that ended only because the clock was ahead", async () => {
    const fake = createFakeClock(1_000_000);
    let ahead = 0;
    const clock = { ...fake, now: () => fake.now() + ahead };
    await using server = await openTestServer({ rack: { clock } });
    const { secret } = await server.rack.keys.create({ agent: "bot", roles: ["subscriber"], expiresAt: 5_000_000, by: "test" });
    const open = async () => readEvents(await server.request("GET", "/api/v1/events", { key: secret }));
    const events = await open();
    expect((await events.next()).value).toMatchObject({ event: "ready" });
    ahead = 86_400_000;
    await fake.advance(60_000);
    expect((await events.next()).value).toMatchObject({ event: "error", data: ended });
    ahead = 0;
    expect((await (await open()).next()).value).toMatchObject({ event: "ready" });
  });

  it("SD13: ends the call that a job makes with a key, and takes its question away", async () => {
    const clock = createFakeClock(1_000_000);
    const config = { policy: { tools: { ask: ["send"] }, agents: { bot: {} } } };
    await using server = await openTestServer({ rack: { clock }, config, tools });
    const { rack, ask } = server;
    const { secret } = await rack.keys.create({ agent: "bot", roles: [], expiresAt: 1_500_000, by: "test" });
    const { body } = await ask("POST", "/tools/send/call", { mode: "job" }, { key: secret });
    await expect.poll(async () => (await rack.approvals.list()).length, patient).toBe(1);
    await clock.advance(499_999);
    expect(await rack.approvals.list()).toHaveLength(1);
    await clock.advance(1);
    await expect.poll(async () => (await rack.approvals.list()).length, patient).toBe(0);
    const error = { message: expect.stringContaining('The key of "bot" was revoked or has expired') };
    await expect.poll(() => rack.jobs.get(body.data.job.id), patient).toMatchObject({ state: "dead", error });
  });

  it("SD13: ends what is open with a token, however far its end is", async () => {
    const clock = createFakeClock(1_000_000);
    const year = 365 * 86_400_000;
    const found = { agent: "bot", principal: "token https://issuer.example bot", roles: ["subscriber"], expiresAt: clock.now() + year };
    const tokens = Object.assign(() => Promise.resolve(found), { issuer: "https://issuer.example", close: async () => {} });
    await using server = await openTestServer({ rack: { clock }, tokens });
    const events = readEvents(await server.request("GET", "/api/v1/events", { key: "some.web.token" }));
    expect((await events.next()).value).toMatchObject({ event: "ready" });
    await clock.advance(year);
    expect((await events.next()).value).toMatchObject({ event: "error", data: ended });
  });
});
