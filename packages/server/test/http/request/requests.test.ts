import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestServer } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";
import type { HttpRequest } from "../../../src/http/transport/exchange.ts";
import { createRates } from "../../../src/http/limits/rates.ts";
import { createStreams } from "../../../src/http/limits/streams.ts";

const note = { schema_name: "note.v1", title: "A note", context: { a: 1 } };

describe("problems", () => {
  it("answers 404, 405, 413, 415 and 400 as problem details", async () => {
    await using server = await openTestServer({ limits: { bodyBytes: 200 } });
    const cases: [Response | Promise<Response>, number, string][] = [
      [server.request("GET", "/api/v1/nothing"), 404, "NOT_FOUND"],
      [server.request("PUT", "/api/v1/tools"), 405, "METHOD_NOT_ALLOWED"],
      [server.request("POST", "/api/v1/breadcrumbs", { body: { ...note, title: "x".repeat(300) } }), 413, "BODY_TOO_LARGE"],
      [
        server.request("POST", "/api/v1/breadcrumbs", { body: "a=1", headers: { "content-type": "text/plain" } }),
        415,
        "MEDIA_TYPE_UNSUPPORTED",
      ],
      [server.request("POST", "/api/v1/breadcrumbs", { body: "{" }), 400, "JSON_INVALID"],
      [server.request("POST", "/api/v1/breadcrumbs", { body: { title: 1 } }), 400, "REQUEST_INVALID"],
      [server.request("GET", "/api/v1/breadcrumbs?limit=5&limit=6"), 400, "REQUEST_INVALID"],
      [server.request("GET", "/api/v1/breadcrumbs?limit=five"), 400, "REQUEST_INVALID"],
      [server.request("GET", "/api/v1/breadcrumbs?limti=5"), 400, "REQUEST_INVALID"],
      [server.request("GET", "/api/v1/breadcrumbs?where=[{]"), 400, "REQUEST_INVALID"],
      [server.request("GET", "/health?__proto__=1"), 400, "REQUEST_INVALID"],
    ];
    for (const [asked, status, code] of cases) {
      const answer = await asked;
      expect(answer.headers.get("content-type")).toBe("application/problem+json");
      expect(await answer.json()).toMatchObject({
        status,
        code,
        type: `urn:toolrack:problem:${code}`,
        detail: expect.any(String) as string,
      });
      expect(answer.status).toBe(status);
    }
    expect((await server.request("PUT", "/api/v1/tools")).headers.get("allow")).toBe("GET");
  });

  it("closes the connection where the rest of a body is not read, and only there", async () => {
    await using server = await openTestServer({ limits: { bodyBytes: 200 } });
    const connectionAfter = async (body: string, type = "application/json"): Promise<string | null> =>
      (await server.request("POST", "/api/v1/breadcrumbs", { body, headers: { "content-type": type } })).headers.get("connection");
    expect(await connectionAfter("a=1", "text/plain")).toBe("close");
    expect(await connectionAfter("x".repeat(201))).toBe("close");
    expect(await connectionAfter("{")).toBeNull();
  });

  it("blames the tool and the field of a call's input", async () => {
    await using server = await openTestServer();
    const answer = await server.request("POST", "/api/v1/tools/echo/call", { body: { input: { txet: "hello" } } });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: "INPUT_INVALID",
      tool: "echo",
      callId: expect.any(String) as string,
      issues: expect.arrayContaining([
        expect.objectContaining({ path: "/text", keyword: "required", message: expect.stringContaining("text") as string }),
      ]) as unknown,
    });
  });

  it("tells nothing of an unexpected error but that it happened, and logs it", async () => {
    const logged: unknown[] = [];
    const log = { debug() {}, info() {}, warn() {}, error: (message: string, fields?: object) => logged.push({ message, ...fields }) };
    await using server = await openTestServer({ rack: { log } });
    Object.defineProperty(server.rack.store, "sequence", { value: () => Promise.resolve(0) });
    Object.defineProperty(server.rack.keys, "list", { value: () => Promise.reject(new Error("the password is hunter2")) });
    const answer = await server.request("GET", "/api/v1/keys");
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain("hunter2");
    expect(logged).toContainEqual(expect.objectContaining({ route: "GET /api/v1/keys" }));
  });
});

describe("headers", () => {
  it("every answer tells browsers to run, frame, guess and keep nothing", async () => {
    await using server = await openTestServer();
    for (const path of ["/api/v1/tools", "/health", "/metrics", "/openapi.json", "/nothing", "/mcp"]) {
      const { headers } = await server.request("GET", path);
      expect(headers.get("content-security-policy")).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    }
    expect((await server.request("GET", "/api/v1/tools")).headers.get("cache-control")).toBe("no-store");
  });

  it("an ETag that is known is answered with 304, for its owner alone to keep", async () => {
    await using server = await openTestServer();
    await server.request("PUT", "/api/v1/breadcrumbs/n1", { body: note });
    const first = await server.request("GET", "/api/v1/breadcrumbs/n1");
    expect(first.headers.get("etag")).toBe('"1"');
    expect(first.headers.get("cache-control")).toBe("private, no-cache");
    expect(first.headers.get("vary")).toBe("authorization");
    const again = await server.request("GET", "/api/v1/breadcrumbs/n1", { headers: { "if-none-match": '"1"' } });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
    await server.request("PUT", "/api/v1/breadcrumbs/n1", { body: { ...note, title: "Changed" }, headers: { "if-match": '"1"' } });
    expect((await server.request("GET", "/api/v1/breadcrumbs/n1", { headers: { "if-none-match": '"1"' } })).status).toBe(200);
  });
});

describe("Idempotency-Key", () => {
  it("gives the first answer again, and does nothing twice", async () => {
    await using server = await openTestServer();
    const headers = { "idempotency-key": "k1" };
    const first = await server.request("POST", "/api/v1/breadcrumbs", { body: note, headers });
    const second = await server.request("POST", "/api/v1/breadcrumbs", { body: note, headers });
    expect(await second.text()).toBe(await first.text());
    expect(second.status).toBe(201);
    expect((await server.rack.store.search({ schema_name: "note.v1" })).records).toHaveLength(1);
  });

  it("gives the first answer again where there is nothing to send or to answer", async () => {
    await using server = await openTestServer();
    await server.request("PUT", "/api/v1/breadcrumbs/n1", { body: note });
    const remove = async (): Promise<number> =>
      (await server.request("DELETE", "/api/v1/breadcrumbs/n1", { headers: { "idempotency-key": "k1" } })).status;
    expect([await remove(), await remove()]).toEqual([204, 204]);
    expect((await server.request("DELETE", "/api/v1/breadcrumbs/n1")).status).toBe(404);
  });

  it("refuses the same key with another request, and keeps callers apart", async () => {
    await using server = await openTestServer();
    const { secret } = await server.rack.keys.create({ agent: "anna", roles: ["emitter"], by: "test" });
    const { secret: other } = await server.rack.keys.create({ agent: "bert", roles: ["emitter"], by: "test" });
    const headers = { "idempotency-key": "k1" };
    expect((await server.request("POST", "/api/v1/breadcrumbs", { body: note, headers, key: secret })).status).toBe(201);
    const changed = await server.request("POST", "/api/v1/breadcrumbs", { body: { ...note, title: "Other" }, headers, key: secret });
    expect(await changed.json()).toMatchObject({ status: 422, code: "IDEMPOTENCY_KEY_REUSED" });
    const theirs = await server.request("POST", "/api/v1/breadcrumbs", { body: note, headers, key: other });
    expect(await theirs.json()).toMatchObject({ created_by: "bert" });
  });

  it("runs a tool once for two calls at the same time with one key", async () => {
    await using server = await openTestServer();
    const ask = (): Promise<Response> =>
      server.request("POST", "/api/v1/tools/echo/call", { body: { input: { text: "hello" } }, headers: { "idempotency-key": "k1" } });
    const [first, second] = await Promise.all([ask(), ask()]);
    expect(await second.json()).toMatchObject({ ok: true, data: { text: "hello" } });
    expect(first.status).toBe(200);
    expect(await server.rack.calls.list({ tool: "echo" })).toHaveLength(1);
  });

  it("does not keep what failed, nor what holds a secret, and wants a plain key", async () => {
    await using server = await openTestServer();
    const headers = { "idempotency-key": "k1" };
    const put = (title: string): Promise<Response> =>
      server.request("PUT", "/api/v1/breadcrumbs/n1", { body: { ...note, title }, headers });
    await server.rack.store.put({ ...note, id: "n1" });
    expect((await put("again")).status).toBe(412);
    await server.rack.store.remove("n1");
    expect((await put("again")).status).toBe(200);
    const wrong = await server.request("PUT", "/api/v1/breadcrumbs/n2", { body: note, headers: { "idempotency-key": "two words" } });
    expect(await wrong.json()).toMatchObject({ status: 400, detail: expect.stringContaining("Idempotency-Key") as string });
    const { secret: key } = await server.rack.keys.create({ agent: "ada", roles: ["admin"], by: "test" });
    const make = (): Promise<Response> => server.request("POST", "/api/v1/keys", { body: { agent: "a" }, headers, key });
    const [first, second] = [(await (await make()).json()) as { secret: string }, (await (await make()).json()) as { secret: string }];
    expect(first.secret).not.toBe(second.secret);
  });

  it("gives the first answer on another server of the same store, too", async () => {
    const folder = mkdtempSync(join(tmpdir(), "toolrack-answers-"));
    const config = { store: { sqlite: join(folder, "a.db") } };
    {
      await using one = await openTestServer({ config });
      await using other = await openTestServer({ config });
      const headers = { "idempotency-key": "k1" };
      const first = await one.request("POST", "/api/v1/breadcrumbs", { body: note, headers });
      const second = await other.request("POST", "/api/v1/breadcrumbs", { body: note, headers });
      expect(second.headers.get("etag")).toBe(first.headers.get("etag"));
      expect(await second.json()).toEqual(await first.json());
    }
    rmSync(folder, { recursive: true, force: true });
  });
});

describe("limits", () => {
  it("too many requests are told how long to wait", async () => {
    await using server = await openTestServer({ limits: { requestsPerSecond: 2 } });
    const answers = await Promise.all(Array.from({ length: 12 }, () => server.request("GET", "/api/v1/tools")));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(6);
    expect(refused[0]!.headers.get("retry-after")).toBe("1");
    expect(await refused[0]!.json()).toMatchObject({ code: "TOO_MANY_REQUESTS", retryAfterMs: expect.any(Number) as number });
  });

  it("each caller has a share of its own, which grows back with time", () => {
    let now = 0;
    const rates = createRates(10, () => now);
    for (let time = 0; time < 20; time++) rates.take("a");
    expect(() => rates.take("a")).toThrow(/10 requests a second/);
    rates.take("b");
    now += 100;
    rates.take("a");
    expect(() => rates.take("a")).toThrow();
  });

  it("remembers a bounded number of callers", () => {
    const rates = createRates(1, () => 0);
    const before = process.memoryUsage().heapUsed;
    for (let index = 0; index < 200_000; index++) rates.take(`caller ${index}`);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(50_000_000);
  });

  it("streams are counted for each caller and for all, and given back once", () => {
    const streams = createStreams({ streamsPerCaller: 2, streams: 3 });
    const leave = streams.enter("a");
    streams.enter("a");
    expect(() => streams.enter("a")).toThrow(/2 streams open/);
    streams.enter("b");
    expect(() => streams.enter("c")).toThrow(/as many streams open as it allows/);
    leave();
    leave();
    expect(streams.open).toBe(2);
    streams.enter("a");
    expect(() => streams.enter("a")).toThrow();
  });
});

describe("pages of other origins", () => {
  it("may read answers where their origin is configured, and only there", async () => {
    await using server = await openTestServer({ allowedOrigins: ["https://app.example"] });
    const headers = { origin: "https://app.example" };
    const asked = { ...headers, "access-control-request-method": "PUT", "access-control-request-headers": "authorization, if-match" };
    const before = await server.request("OPTIONS", "/api/v1/breadcrumbs/n1", { headers: asked });
    expect(before.status).toBe(204);
    expect(before.headers.get("access-control-allow-origin")).toBe("https://app.example");
    expect(before.headers.get("access-control-allow-headers")).toBe("authorization, if-match");
    const answer = await server.request("GET", "/api/v1/tools", { headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toBe("https://app.example");
    expect((await server.request("OPTIONS", "/api/v1/tools", { headers: { ...asked, origin: "https://evil.example" } })).status).toBe(403);
    expect((await server.request("GET", "/api/v1/tools")).headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("a request of another kind, from a program in the same process", () => {
  const request = (method: string, path: string, authorization: string): HttpRequest => ({
    id: "request-1",
    method,
    path,
    query: "",
    origin: "http://127.0.0.1",
    remoteAddress: "127.0.0.1",
    hasBody: false,
    header: (name) => (name === "host" ? "127.0.0.1" : name === "authorization" ? authorization : undefined),
    headerNames: () => ["host", "authorization"],
    readBody: (_, take) => take(new Uint8Array()),
    onLeave: () => undefined,
  });

  it("is answered as others are, and MCP is not there for it", async () => {
    await using server = await openTestServer();
    const owner = `Bearer ${server.rack.ownerToken.text}`;
    const tools = await server.app.answer(request("GET", "/api/v1/tools", owner));
    expect(tools).toMatchObject({ status: 200, headers: { "content-type": expect.stringContaining("json") } });
    expect(JSON.parse(tools.body as string)).toEqual(await (await server.request("GET", "/api/v1/tools")).json());
    expect(await server.app.answer(request("POST", "/mcp", owner))).toMatchObject({ status: 404 });
  });
});
