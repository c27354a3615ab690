import { defineTool } from "@toolrack/core";
import { readEvents } from "@toolrack/testkit/events";
import { openTestServer, type TestServer, type TestServerOptions } from "@toolrack/testkit/test-server";
import { describe, expect, it, onTestFinished } from "vitest";
import { openIssuer, type TestIssuer } from "./issuer.ts";

const base = "/api/v1";

interface Setup {
  readonly server: TestServer;
  readonly issuer: TestIssuer;
  /** API keys by agent. */
  key(agent: string, roles?: readonly string[]): Promise<string>;
}

async function open(options: TestServerOptions = {}): Promise<Setup> {
  const issuer = await openIssuer();
  const server = await openTestServer({
    ...options,
    tokens: await issuer.check(),
    config: { tools: { packs: { utility: true, memory: true } }, ...options.config },
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return {
    server,
    issuer,
    key: async (agent, roles = ["emitter"]) => (await server.rack.keys.create({ agent, roles: [...roles], by: "test" })).secret,
  };
}

async function write(server: TestServer, key: string, id: string): Promise<Response> {
  return server.request("PUT", `${base}/breadcrumbs/${id}`, {
    key,
    body: { schema_name: "note.v1", title: "A note", context: { text: "hidden" }, visibility: "private" },
  });
}

const statusOf = async (server: TestServer, key: string, path: string): Promise<number> =>
  (await server.request("GET", `${base}${path}`, { key })).status;

describe("SD21: a principal is its issuer and its subject", () => {
  it("a token that is named like a key neither reads nor changes the key's records, and the other way round", async () => {
    const { server, issuer, key } = await open();
    const anna = await key("anna");
    const token = await issuer.sign({ sub: "anna", roles: ["emitter"] });
    expect((await write(server, anna, "of-the-key")).status).toBe(200);
    expect((await write(server, token, "of-the-token")).status).toBe(200);
    expect(await statusOf(server, anna, "/breadcrumbs/of-the-key")).toBe(200);
    expect(await statusOf(server, token, "/breadcrumbs/of-the-token")).toBe(200);
    expect(await statusOf(server, token, "/breadcrumbs/of-the-key")).toBe(404);
    expect(await statusOf(server, anna, "/breadcrumbs/of-the-token")).toBe(404);
    expect((await server.request("DELETE", `${base}/breadcrumbs/of-the-key`, { key: token })).status).toBeGreaterThanOrEqual(403);
    expect(await statusOf(server, anna, "/breadcrumbs/of-the-key")).toBe(200);
  });

  it("records that a key's agent wrote before are still the key's, and no token's", async () => {
    const { server, issuer, key } = await open();
    const { store } = server.rack;
    await store
      .as({ owner: store.actor.owner, agent: "anna", roles: ["emitter"] })
      .put({ id: "old", schema_name: "note.v1", title: "Old", context: {}, visibility: "private" });
    expect(await statusOf(server, await key("anna"), "/breadcrumbs/old")).toBe(200);
    expect(await statusOf(server, await issuer.sign({ roles: ["emitter"] }), "/breadcrumbs/old")).toBe(404);
  });

  it("the same subject of another issuer is somebody else", async () => {
    const first = await openIssuer("https://one.example/");
    const second = await openIssuer("https://two.example/");
    const [checkFirst, checkSecond] = [await first.check(), await second.check()];
    const either = Object.assign(async (token: string) => (await checkFirst(token)) ?? checkSecond(token), {
      issuer: first.issuer,
      close: async () => {},
    });
    await using server = await openTestServer({ tokens: either });
    const [one, two] = [await first.sign({ roles: ["emitter"] }), await second.sign({ roles: ["emitter"] })];
    expect((await write(server, one, "mine")).status).toBe(200);
    expect(await statusOf(server, one, "/breadcrumbs/mine")).toBe(200);
    expect(await statusOf(server, two, "/breadcrumbs/mine")).toBe(404);
  });

  it("a grant to a token's principal opens a record to it alone", async () => {
    const { server, issuer, key } = await open();
    const owner = await key("bert");
    const token = await issuer.sign({ roles: ["emitter"] });
    await server.request("PUT", `${base}/breadcrumbs/shared`, {
      key: owner,
      body: {
        schema_name: "note.v1",
        title: "Shared",
        context: {},
        visibility: "private",
        grants: { [`token ${issuer.issuer} anna`]: "read" },
      },
    });
    expect(await statusOf(server, token, "/breadcrumbs/shared")).toBe(200);
    expect(await statusOf(server, await key("anna"), "/breadcrumbs/shared")).toBe(404);
  });

  it("tools that keep records keep them by principal, over HTTP and over MCP", async () => {
    const { server, issuer, key } = await open();
    const secrets = { anna: await key("anna"), [`token ${issuer.issuer} anna`]: await issuer.sign({ roles: ["emitter"] }) };
    for (const [writer, secret] of Object.entries(secrets)) {
      const input = (id: string): object => ({ id: `${id}-${writer.length}`, schema_name: "note.v1", title: "A note", context: {} });
      await server.request("POST", `${base}/tools/breadcrumb_create/call`, { key: secret, body: { input: input("http") } });
      const params = { name: "breadcrumb_create", arguments: input("mcp") };
      await server.request("POST", "/mcp", {
        key: secret,
        headers: { accept: "application/json, text/event-stream" },
        body: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
      });
      for (const surface of ["http", "mcp"])
        expect(await server.rack.store.get(`${surface}-${writer.length}`)).toMatchObject({ created_by: writer });
    }
  });

  it("calls in the log, in the usage and on the stream are one's own by principal", async () => {
    const { server, issuer, key } = await open();
    const [anna, token] = [await key("anna", []), await issuer.sign()];
    const controller = new AbortController();
    const stream = await server.request("GET", `${base}/events?types=call-start&types=call-end`, { key: token, signal: controller.signal });
    const seen: string[] = [];
    const reading = (async () => {
      for await (const { event, data } of readEvents(stream)) {
        if (event === "ready") continue;
        seen.push((data as { callId: string }).callId);
        if (seen.length === 2) return;
      }
    })();
    const callWith = async (secret: string): Promise<string> => {
      const answer = await server.request("POST", `${base}/tools/echo/call`, { key: secret, body: { input: { text: "hello" } } });
      return ((await answer.json()) as { meta: { callId: string } }).meta.callId;
    };
    const ofKey = await callWith(anna);
    const ofToken = await callWith(token);
    const listed = async (secret: string): Promise<readonly string[]> =>
      ((await (await server.request("GET", `${base}/calls`, { key: secret })).json()) as { calls: { callId: string }[] }).calls.map(
        ({ callId }) => callId,
      );
    expect(await listed(anna)).toEqual([ofKey]);
    expect(await listed(token)).toEqual([ofToken]);
    expect(await statusOf(server, token, `/calls/${ofKey}`)).toBe(404);
    expect(await statusOf(server, token, `/calls/${ofKey}/wait?timeoutMs=1`)).toBe(404);
    const usage = (await (await server.request("GET", `${base}/usage`, { key: token })).json()) as { tools: { calls: number }[] };
    expect(usage.tools.map(({ calls }) => calls)).toEqual([1]);
    await reading;
    controller.abort();
    expect(new Set(seen)).toEqual(new Set([ofToken]));
  });

  it("an answer that is kept for an Idempotency-Key is kept for the principal", async () => {
    const { server, issuer, key } = await open();
    const call = async (secret: string, text: string): Promise<string> =>
      (
        await server.request("POST", `${base}/tools/echo/call`, {
          key: secret,
          body: { input: { text } },
          headers: { "idempotency-key": "the-same" },
        })
      ).text();
    const anna = await key("anna", []);
    expect(await call(anna, "of the key")).toContain("of the key");
    expect(await call(anna, "of the key")).toContain("of the key");
    expect(await call(await issuer.sign(), "of the token")).toContain('"text":"of the token"');
  });

  it("running calls are seen, waited for and cancelled by the principal that made them", async () => {
    let started!: () => void;
    const begun = new Promise<void>((resolve) => (started = resolve));
    const slow = defineTool({
      name: "slow",
      description: "Runs until it is cancelled.",
      inputSchema: { type: "object", properties: {} },
      handler: (_input, { signal }) => {
        started();
        return new Promise<string>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
      },
    });
    const { server, issuer, key } = await open({ tools: [slow] });
    const [anna, token] = [await key("anna", []), await issuer.sign()];
    const call = server.request("POST", `${base}/tools/slow/call`, { key: anna, body: { input: {} } });
    await begun;
    const running = async (secret: string): Promise<readonly { callId: string }[]> =>
      ((await (await server.request("GET", `${base}/running`, { key: secret })).json()) as { calls: { callId: string }[] }).calls;
    const [own] = await running(anna);
    expect(await running(token)).toEqual([]);
    const cancel = (secret: string): Promise<Response> =>
      server.request("POST", `${base}/calls/${own!.callId}/cancel`, { key: secret, body: {} });
    expect((await cancel(token)).status).toBe(404);
    expect((await cancel(anna)).status).toBe(204);
    await call;
  });
});

describe("SD22: every printable subject", () => {
  it.each([
    "auth0|5f7c8ec7c33c6c004bbafe82",
    "google-oauth2|103547991597142817347",
    "anna@example.com",
    "urn:uuid:7d9e0c4a-3f52-4e0b-9d43-0d9d3f0f5a11",
    "Anna Example, Berlin",
    "zoë 中文 🙂",
    "-_|./\\'\"<>%",
    "x".repeat(255),
  ])("writes, reads, finds and deletes records of its own: %s", async (sub) => {
    const { server, issuer } = await open();
    const token = await issuer.sign({ sub, roles: ["emitter"] });
    expect((await write(server, token, "mine")).status).toBe(200);
    const record = (await (await server.request("GET", `${base}/breadcrumbs/mine`, { key: token })).json()) as { created_by: string };
    expect(record.created_by).toBe(`token ${issuer.issuer} ${sub}`);
    const found = (await (await server.request("GET", `${base}/breadcrumbs?schema_name=note.v1`, { key: token })).json()) as {
      records: unknown[];
    };
    expect(found.records).toHaveLength(1);
    const called = await server.request("POST", `${base}/tools/echo/call`, { key: token, body: { input: { text: "hello" } } });
    expect(called.status).toBe(200);
    expect((await server.request("DELETE", `${base}/breadcrumbs/mine`, { key: token })).status).toBeLessThan(300);
  });
});
