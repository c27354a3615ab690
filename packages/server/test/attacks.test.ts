// Attacks on tool systems, each named by its number. Not here, because they do not apply to the plain HTTP API:
// S8: the server is no OAuth proxy: it sets no cookie, redirects nobody and keeps no consent; that it never does is tested below.
// S13: request states exist in MCP only, where they are tested; what a person answers over HTTP is bound to the arguments in api/approvals.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineTool } from "@toolrack/core";
import { sized } from "@toolrack/testkit/sized";
import { openTestServer, type TestServer } from "@toolrack/testkit/test-server";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pathOf } from "../src/http/request/handle.ts";
import { openRack } from "../src/rack/open.ts";
import { routes } from "../src/routes.ts";
import { serve } from "../src/serve.ts";
import { createLog } from "../src/telemetry/log/log.ts";

const everyPlace: readonly (readonly [string, string])[] = [
  ...routes.map((route) => [route.method, pathOf(route).replaceAll(/\{\w+\}/g, "x")] as const),
  ...(["/", "/tools/echo", "/assets/app.js", "/openapi.json", "/mcp", "/.well-known/oauth-protected-resource", "/nothing"] as const).map(
    (path) => ["GET", path] as const,
  ),
  ["POST", "/mcp"],
  ["DELETE", "/mcp"],
  ["OPTIONS", "/api/v1/tools"],
];

const keyFor = async ({ rack }: TestServer, agent: string, roles: string[] = []): Promise<string> =>
  (await rack.keys.create({ agent, roles, by: "test" })).secret;

describe("attacks", () => {
  it("S8: no route sets a cookie or sends anybody elsewhere", async () => {
    await using server = await openTestServer();
    for (const [method, path] of everyPlace) {
      if (path.endsWith("/events")) continue;
      const { headers, status } = await server.request(method, path, { ...(method !== "GET" && method !== "OPTIONS" && { body: {} }) });
      expect([path, headers.get("set-cookie"), headers.get("location")]).toEqual([path, null, null]);
      expect(status < 300 || status >= 400).toBe(true);
    }
  });

  it("S9: the credentials of a request reach no tool, no record and no log", async () => {
    let written = "";
    const log = createLog({ level: "debug", destination: { write: (line: string) => void (written += line) } });
    const nosy = defineTool({
      name: "nosy",
      description: "Shows all it can see.",
      inputSchema: { type: "object", properties: {} },
      handler: (input, context) =>
        JSON.stringify({ input, caller: context.caller, config: context.config, services: context.services, keys: Object.keys(context) }),
    });
    await using server = await openTestServer({ tools: [nosy], rack: { log } });
    const key = await keyFor(server, "anna", ["curator"]);
    const answer = await server.request("POST", "/api/v1/tools/nosy/call", { body: {}, key });
    expect(answer.status).toBe(200);
    const audit = await (await server.request("GET", "/api/v1/audit?limit=1000", { key })).text();
    for (const text of [await answer.text(), audit, written]) expect(text).not.toContain(key.slice(-30));
  });

  it("S10, S11: interleaved clients of two users get their own answers, each under its own name", async () => {
    const whoami = defineTool({
      name: "whoami",
      description: "Says who asks.",
      inputSchema: { type: "object", properties: { nonce: { type: "string" } }, required: ["nonce"] },
      async handler({ nonce }, { caller }) {
        for (let turn = 0; turn < Number(nonce.at(-1)); turn++) await new Promise((resolve) => setImmediate(resolve));
        return { nonce, agent: caller.agent };
      },
    });
    const rack = await openRack({
      environment: {},
      config: { store: { memory: true }, policy: { unknownAgents: "allow" } },
      tools: [whoami],
    });
    const users = ["agent-of-anna", "agent-of-bert"].map(async (agent) => ({
      agent,
      key: (await rack.keys.create({ agent, roles: [], by: "test" })).secret,
    }));
    const [anna, bert] = await Promise.all(users);
    const served = await serve(rack, { port: 0, consoleFolder: false });
    try {
      const clients = sized(60, 1_000);
      let next = 0;
      const ask = async (): Promise<void> => {
        for (let index = next++; index < clients; index = next++) {
          const { agent, key } = index % 2 === 0 ? anna! : bert!;
          const nonce = `nonce-${agent}-${index}`;
          const wantsEvents = index % 5 === 0;
          const response = await fetch(`${served.url}/api/v1/tools/whoami/call`, {
            method: "POST",
            headers: {
              "content-type": "application/json",
              authorization: `Bearer ${key}`,
              ...(wantsEvents && { accept: "text/event-stream" }),
            },
            body: JSON.stringify({ input: { nonce } }),
          });
          const text = await response.text();
          expect(response.status).toBe(200);
          expect(text.match(/nonce-[\w-]+-\d+/g)!.every((found) => found === nonce)).toBe(true);
          expect(text).toContain(agent);
          expect(text).not.toContain((agent === anna!.agent ? bert! : anna!).agent);
        }
      };
      await Promise.all(Array.from({ length: 50 }, ask));
      for (const { input, caller } of await rack.calls.list({ tool: "whoami", limit: clients }))
        expect((input as { nonce: string }).nonce).toContain(caller.agent);
    } finally {
      await served.close({ graceMs: 0 });
    }
  });

  it("S12: a call of one agent can be neither seen, awaited nor cancelled by another, and its id cannot be guessed", async () => {
    await using server = await openTestServer();
    const [anna, bert] = [await keyFor(server, "anna"), await keyFor(server, "bert")];
    const called = (await (
      await server.request("POST", "/api/v1/tools/echo/call", { body: { input: { text: "hers" } }, key: anna })
    ).json()) as { meta: { callId: string } };
    const { callId } = called.meta;
    expect(callId).toMatch(/^[\w-]{22,}$/); // 22 characters of base64 are 132 bits.
    expect((await server.request("GET", `/api/v1/calls/${callId}`, { key: anna })).status).toBe(200);
    for (const [method, path] of [
      ["GET", ""],
      ["GET", "/wait"],
      ["POST", "/cancel"],
    ] as const) {
      const theirs = await server.request(method, `/api/v1/calls/${callId}${path}`, { key: bert, ...(method === "POST" && { body: {} }) });
      expect([403, 404]).toContain(theirs.status);
    }
    expect(await (await server.request("GET", "/api/v1/calls", { key: bert })).text()).not.toContain(callId);
  });

  it("S14: a foreign Host or Origin is answered with 403 on every route", async () => {
    await using server = await openTestServer();
    const key = await keyFor(server, "ada", ["admin", "owner"]);
    for (const [method, path] of everyPlace) {
      for (const headers of [
        { host: "evil.example" },
        { host: "localhost", origin: "http://evil.example" },
        { host: "localhost", origin: "null" },
      ] as Record<string, string>[]) {
        const answer = await server.request(method, path, { headers, key, ...(method !== "GET" && method !== "OPTIONS" && { body: {} }) });
        expect([method, path, answer.status]).toEqual([method, path, 403]);
      }
    }
  });

  it("S15: a server that others can reach does not start without a sign-in", async () => {
    const rack = await openRack({ environment: {}, config: { store: { memory: true }, policy: { unknownAgents: "allow" } } });
    await expect(serve(rack, { host: "0.0.0.0", port: 0 })).rejects.toMatchObject({ code: "SIGN_IN_NOT_CONFIGURED" });
    const served = await serve(rack, { port: 0, consoleFolder: false });
    expect(served.host).toBe("127.0.0.1");
    await served.close({ graceMs: 0 });
  });

  it("S16: a page cannot make a browser start a program: no plain form is accepted, and programs need an admin", async () => {
    await using server = await openTestServer();
    const source = JSON.stringify({ command: "touch", args: ["/tmp/owned"] });
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""])
      expect((await server.request("PUT", "/api/v1/sources/evil", { body: source, headers: { "content-type": type } })).status).toBe(415);
    const curator = await keyFor(server, "cora", ["curator", "owner"]);
    expect((await server.request("PUT", "/api/v1/sources/evil", { body: source, key: curator })).status).toBe(403);
    expect((await server.request("PUT", "/api/v1/sources/evil", { body: source, key: "" })).status).toBe(401);
  });

  it("S16: markup in names, descriptions and results is data of a type that no browser renders", async () => {
    const markup = '<script>alert(1)</script><img src=x onerror="alert(1)">';
    const tool = defineTool({
      name: "xss",
      description: markup,
      title: markup,
      inputSchema: { type: "object", properties: {} },
      handler: () => markup,
    });
    await using server = await openTestServer({ tools: [tool] });
    const answers = [
      server.request("GET", "/api/v1/tools"),
      server.request("POST", "/api/v1/tools/xss/call", { body: {} }),
      server.request("GET", `/api/v1/tools/${encodeURIComponent(markup)}`),
      server.request("GET", `/${encodeURIComponent(markup)}`),
    ];
    for (const { headers } of await Promise.all(answers)) {
      expect(headers.get("content-type")).toMatch(/^application\/(?:problem\+)?json$/);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    }
  });

  it("S18: references in schemas are never fetched, and schemas that explode are refused or bounded", async () => {
    let hits = 0;
    const web = createServer((_, response) => response.end(String(++hits))).listen(0, "127.0.0.1");
    await new Promise((resolve) => web.once("listening", resolve));
    const address = `http://127.0.0.1:${(web.address() as AddressInfo).port}/schema.json`;
    await using server = await openTestServer({ rack: { handlers: { echo: (input: unknown) => input } } });
    let deep: object = { type: "string" };
    for (let level = 0; level < 60; level++) deep = { anyOf: [deep, { type: "null" }] };
    let wide: object = { type: "object", properties: { x: { type: "integer" } } };
    for (let level = 0; level < 18; level++) wide = { allOf: [wide, wide] };
    const schemas = {
      remote: { type: "object", properties: { a: { $ref: address } } },
      remoteId: { $id: address, type: "object", properties: { a: { $ref: "other.json" } } },
      deep: { type: "object", properties: { a: deep } },
      wide: { type: "object", properties: { a: { anyOf: Array.from({ length: 500 }, () => ({ type: "object", required: ["z"] })) } } },
      pattern: { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } },
    };
    for (const [name, inputSchema] of Object.entries(schemas)) {
      const context = { name, description: "An attack.", inputSchema, implementation: { kind: "local", id: "echo" } };
      await server.request("POST", "/api/v1/breadcrumbs", { body: { schema_name: "tool.definition.v1", context } });
      await server.request("POST", `/api/v1/tools/${name}/call`, { body: { input: { a: `${"a".repeat(5_000)}!` } } });
    }
    const bomb = await server.request("POST", "/api/v1/breadcrumbs", {
      body: { schema_name: "tool.definition.v1", context: { name: "bomb", description: "x", inputSchema: wide } },
    });
    expect(bomb.status).toBeGreaterThanOrEqual(400);
    expect((await server.request("POST", "/api/v1/tools/echo/call", { body: { input: { text: "still here" } } })).status).toBe(200);
    expect(hits).toBe(0);
    web.close();
  });

  it("S19: globs, tags, words and paths that make naive patterns explode are answered at once", async () => {
    await using server = await openTestServer();
    const evil = `${"*a".repeat(400)}*b`;
    const words = `${"a".repeat(900)}!`;
    const asked = [
      server.request("POST", "/api/v1/policy/simulate", { body: { changes: { "policy.tools": { allow: [evil], deny: [evil] } } } }),
      server.request("GET", `/api/v1/policy/explain?tool=${encodeURIComponent("a".repeat(280))}`),
      server.request("GET", `/api/v1/tools/${"a".repeat(300)}`),
      server.request("GET", `/api/v1/breadcrumbs?text=${words}`),
      server.request("GET", `/api/v1/breadcrumbs/${"%2e%2e%2f".repeat(200)}`),
      server.request("GET", `/${"a/".repeat(2_000)}`),
      server.request("GET", "/api/v1/tools", { headers: { authorization: `Bearer ${" ".repeat(5_000)}x` } }),
      server.request("GET", "/api/v1/tools", { headers: { traceparent: `00-${"0".repeat(8_000)}` } }),
      server.request("GET", "/api/v1/breadcrumbs/x", { headers: { "if-none-match": `${'"1",'.repeat(2_000)}` } }),
    ];
    for (const answer of await Promise.all(asked)) expect(answer.status).toBeLessThan(500);
  });

  it("S21: a program that an admin added runs after exactly that command was approved, and not before", async () => {
    const folder = mkdtempSync(join(tmpdir(), "toolrack-exec-"));
    try {
      await using server = await openTestServer({ rack: { folder } });
      const root = await keyFor(server, "root", ["admin"]);
      const marks = (name: string): { command: string; args: string[] } => ({
        command: process.execPath,
        args: ["-e", `require("fs").writeFileSync(${JSON.stringify(join(folder, name))}, "")`],
      });
      const put = async (name: string): Promise<{ identity: string }> =>
        (await (await server.request("PUT", "/api/v1/sources/evil", { key: root, body: marks(name) })).json()) as { identity: string };
      /** Whether the program has run, once everything that may start has started and ended. */
      const hasRun = async (name: string): Promise<boolean> => {
        await server.rack.sources.ready();
        return existsSync(join(folder, name));
      };
      const { identity } = await put("first");
      expect(await hasRun("first")).toBe(false);
      await server.request("POST", "/api/v1/sources/evil/approve", { key: root, body: { identity } });
      expect(await hasRun("first")).toBe(true);
      expect((await put("second")).identity).not.toBe(identity);
      expect(await hasRun("second")).toBe(false);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("S24: what is hidden from an agent is in no list, no export and no feed, and cannot be called", async () => {
    await using server = await openTestServer({ config: { policy: { agents: { anna: { tools: { deny: ["fail"] } } } } } });
    const anna = await keyFor(server, "anna");
    const curator = await keyFor(server, "cora", ["curator"]);
    for (const path of ["/api/v1/tools", "/api/v1/exports/openai", "/api/v1/policy/view"]) {
      expect(await (await server.request("GET", path, { key: curator })).text()).toContain("fail");
      const hers = await server.request("GET", path, { key: anna });
      if (path !== "/api/v1/policy/view") expect(await hers.text()).not.toContain('"fail"');
    }
    const forged = await server.request("POST", "/api/v1/tools/fail/call", { body: {}, key: anna });
    expect(await forged.json()).toMatchObject({ status: 403, code: "TOOL_NOT_ALLOWED" });
    expect((await server.rack.calls.list({ tool: "fail" }))[0]).toMatchObject({
      ok: false,
      code: "TOOL_NOT_ALLOWED",
      caller: { agent: "anna" },
    });
    expect((await server.request("GET", "/api/v1/tools?all=true", { key: anna })).status).toBe(403);
  });

  it("S25: who asks is what the sign-in says, whatever headers and body claim", async () => {
    await using server = await openTestServer();
    const anna = await keyFor(server, "anna");
    const headers = {
      "x-agent": "ada",
      "x-forwarded-user": "ada",
      "x-roles": "admin",
      "x-http-method-override": "DELETE",
      "x-original-url": "/api/v1/keys",
    };
    expect((await server.request("GET", "/api/v1/keys", { key: anna, headers })).status).toBe(403);
    for (const claim of [{ caller: { agent: "ada" } }, { agent: "ada" }, { owner: true }, { roles: ["admin"] }])
      expect(
        (await server.request("POST", "/api/v1/tools/echo/call", { key: anna, body: { input: { text: "x" }, ...claim } })).status,
      ).toBe(400);
    expect(
      (await server.request("POST", "/api/v1/tools/echo/call", { key: anna, body: { input: { text: "x" }, runAs: { agent: "ada" } } }))
        .status,
    ).toBe(403);
    await server.request("POST", "/api/v1/tools/echo/call", { key: anna, headers, body: { input: { text: "x" } } });
    expect((await server.rack.calls.list({ tool: "echo" }))[0]?.caller.agent).toBe("anna");
  });

  it("S26: bodies that two parsers could read differently are refused; __proto__ is data", async () => {
    await using server = await openTestServer();
    const call = (body: string): Promise<Response> => server.request("POST", "/api/v1/tools/echo/call", { body });
    for (const body of [
      '{"input":{"text":"a","text":"b"}}',
      '{"input":{"text":"a"},"input":{"text":"b"}}',
      '{"input":{"text":"a","te\\u0078t":"b"}}',
      '{"input":{"text":"a"},"timeoutMs":10000000000000000001}',
      '{"input":{"text":"a"}}{}',
      '\ufeff{"input":{"text":"a"}} x',
    ])
      expect((await call(body)).status).toBe(400);
    expect((await call('{"Input":{"text":"a"}}')).status).toBe(400);
    for (const body of [
      '{"__proto__":{"input":{"text":"a"}}}',
      '{"input":{"__proto__":{"text":"a"}}}',
      '{"constructor":{"prototype":{"x":1}},"input":{"text":"a"}}',
    ])
      expect((await call(body)).status).toBe(400);
    expect(({} as Record<string, unknown>)["text"]).toBeUndefined();
    const rounded = { body: '{"schema_name":"note.v1","context":{"amount":10000000000000000001}}' };
    expect(await (await server.request("PUT", "/api/v1/breadcrumbs/rounded", rounded)).json()).toMatchObject({ code: "JSON_INVALID" });
    const record = await server.request("PUT", "/api/v1/breadcrumbs/p", {
      body: '{"schema_name":"note.v1","context":{"__proto__":{"polluted":1},"a":1}}',
    });
    expect(record.status).toBeLessThan(500);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("S27: no text in an id, a tag, a word, a field or a cursor is read as SQL", async () => {
    const folder = mkdtempSync(join(tmpdir(), "toolrack-sql-"));
    {
      await using server = await openTestServer({ config: { store: { sqlite: join(folder, "a.db") } } });
      await server.request("PUT", "/api/v1/breadcrumbs/kept", { body: { schema_name: "note.v1", context: {} } });
      const injection = fc.constantFrom(
        "'; DROP TABLE records; --",
        "' OR '1'='1",
        '"; DELETE FROM audit; --',
        "%' UNION SELECT * FROM secrets --",
        "\\'; --",
        "*)",
        "NEAR(a b)",
        '"unbalanced',
      );
      const texts = fc.oneof(injection, fc.string({ maxLength: 30 }));
      await fc.assert(
        fc.asyncProperty(texts, texts, async (one, two) => {
          const [a, b] = [encodeURIComponent(Buffer.from(one).toString()), encodeURIComponent(Buffer.from(two).toString())];
          const where = encodeURIComponent(JSON.stringify([{ path: "context.x", op: "eq", value: one }]));
          for (const path of [
            `?text=${a}`,
            `?tag=${a}&schema_name=${b}`,
            `?where=${where}`,
            `?cursor=${a}`,
            `/${a === "" ? "x" : a}`,
            `/${a === "" ? "x" : a}/history`,
          ])
            expect((await server.request("GET", `/api/v1/breadcrumbs${path}`)).status).toBeLessThan(500);
          expect((await server.request("GET", `/api/v1/audit?subject=${a}&callId=${b}`)).status).toBeLessThan(500);
          await server.request("POST", "/api/v1/breadcrumbs", {
            body: { schema_name: "note.v1", title: one, tags: [two], context: { [one]: two } },
          });
        }),
        { numRuns: 25 },
      );
      expect((await server.request("GET", "/api/v1/breadcrumbs/kept")).status).toBe(200);
      expect(await (await server.request("GET", "/api/v1/audit/verification")).json()).toMatchObject({ ok: true });
    }
    rmSync(folder, { recursive: true, force: true });
  });

  it("S28: a planted secret occurs in no answer of any route, no log line, no metric, no event and no audit line", async () => {
    const planted = "pl4nted-s3cret-value-0815";
    let written = "";
    const log = createLog({ level: "debug", destination: { write: (line: string) => void (written += line) } });
    const leaky = defineTool({
      name: "leaky",
      description: "Tells its secret in every way it can.",
      inputSchema: { type: "object", properties: { how: { type: "string" } }, required: ["how"] },
      metadata: { secrets: ["planted"], configSchema: { type: "object", properties: { key: { type: "string" } } } },
      async handler({ how }, { secret, log: callLog, progress, config }) {
        const value = await secret("planted");
        callLog.info(`the secret is ${value}`, { value, config });
        progress({ message: value });
        if (how === "throw") throw new Error(`cannot use ${value}`);
        return how === "text" ? `it is ${value}` : { nested: [{ value, encoded: Buffer.from(value).toString("base64") }], [value]: 1 };
      },
    });
    await using server = await openTestServer({ tools: [leaky], rack: { log } });
    expect((await server.request("PUT", "/api/v1/secrets/planted", { body: { value: planted } })).status).toBe(204);
    await server.request("PUT", "/api/v1/configs/leaky", { body: { key: "secret:planted" } });
    const texts: string[] = [];
    for (const how of ["throw", "text", "data"])
      for (const accept of ["application/json", "text/event-stream"])
        texts.push(
          await (await server.request("POST", "/api/v1/tools/leaky/call", { body: { input: { how } }, headers: { accept } })).text(),
        );
    await server.request("PUT", "/api/v1/secrets/planted", { body: { value: `${planted}`, extra: planted } });
    for (const route of routes) {
      if (route.method !== "GET" || route.id === "followEvents") continue;
      const path = pathOf(route)
        .replace("{tool}", "leaky")
        .replace("{name}", "leaky")
        .replace("{id}", "secret-planted")
        .replaceAll(/\{\w+\}/g, "openai");
      texts.push(await (await server.request("GET", path)).text());
    }
    const recorded = JSON.stringify(await server.rack.calls.list({ limit: 1_000 }));
    for (const text of [...texts, written, recorded]) expect(text).not.toContain(planted);
    const encoded = Buffer.from(planted).toString("base64").replace(/=+$/, "");
    for (const text of [written, recorded]) expect(text).not.toContain(encoded);
    expect(written).toContain("the secret is [redacted]");
  });

  it("S29: what two users get from one address differs, and nobody on the way may keep it", async () => {
    await using server = await openTestServer({
      config: { policy: { agents: { anna: { tools: { allow: ["echo"] } }, bert: { tools: { allow: ["fail"] } } } } },
    });
    const [anna, bert] = [await keyFor(server, "anna"), await keyFor(server, "bert")];
    const names = async (key: string): Promise<string[]> => {
      const answer = await server.request("GET", "/api/v1/tools", { key });
      expect(answer.headers.get("cache-control")).toMatch(/no-store|private/);
      return ((await answer.json()) as { tools: { name: string }[] }).tools.map(({ name }) => name);
    };
    for (let round = 0; round < 3; round++) {
      expect(await names(anna)).toEqual(["echo"]);
      expect(await names(bert)).toEqual(["fail"]);
    }
  });

  it("S30: streams, bodies, depth and floods of output have limits, and the server goes on", async () => {
    const flood = defineTool({
      name: "flood",
      description: "Tells much.",
      inputSchema: { type: "object", properties: {} },
      handler(_, { progress }) {
        for (let index = 0; index < 20_000; index++) progress({ message: "x".repeat(200) });
        return "y".repeat(20_000_000);
      },
    });
    await using server = await openTestServer({
      tools: [flood],
      limits: { streamsPerCaller: 5, bodyBytes: 100_000 },
      config: { limits: { maxResultBytes: 100_000 } },
    });
    const streams = await Promise.all(Array.from({ length: 8 }, () => server.request("GET", "/api/v1/events")));
    expect(streams.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    await Promise.all(streams.map(({ body }) => body?.cancel()));
    expect((await server.request("GET", "/api/v1/events")).status).toBe(200);
    expect((await server.request("POST", "/api/v1/breadcrumbs", { body: `"${"x".repeat(200_000)}"` })).status).toBe(413);
    expect((await server.request("POST", "/api/v1/breadcrumbs", { body: "[".repeat(90_000) })).status).toBe(400);
    const flooded = await server.request("POST", "/api/v1/tools/flood/call", { body: {}, headers: { accept: "text/event-stream" } });
    expect((await flooded.text()).length).toBeLessThan(2_000_000);
    expect((await server.request("POST", "/api/v1/tools/echo/call", { body: { input: { text: "still here" } } })).status).toBe(200);
  });

  it("S32: nobody agrees to its own call, to other arguments, or ahead of the question; unanswered means no", async () => {
    const config = { store: { memory: true }, policy: { tools: { ask: ["echo"] } }, approvals: { waitMs: 60_000 } };
    await using server = await openTestServer({ config });
    const [helper, boss] = [await keyFor(server, "helper", ["curator"]), await keyFor(server, "boss", ["curator"])];
    const call = (more: object = {}): Promise<Response> =>
      server.request("POST", "/api/v1/tools/echo/call", { key: helper, body: { input: { text: "x" }, ...more } });
    for (const claim of [{ approved: true }, { approval: { answer: { action: "accept" } } }, { confirm: true }])
      expect((await call(claim)).status).toBe(400);
    const calling = call();
    await expect.poll(async () => (await server.rack.approvals.list()).length).toBe(1);
    const { id, digest } = (await server.rack.approvals.list())[0]!;
    const decide = async (key: string, body: object): Promise<number> =>
      (await server.request("POST", `/api/v1/approvals/${id}/decide`, { key, body })).status;
    expect(await decide(helper, { approved: true, digest })).toBe(403);
    expect(await decide(boss, { approved: true, digest: "of other arguments" })).toBe(409);
    expect(await decide(boss, { approved: true })).toBe(400);
    expect(await decide(boss, { approved: true, digest })).toBe(200);
    expect((await calling).status).toBe(200);
    await using impatient = await openTestServer({ config: { ...config, approvals: { waitMs: 50 } } });
    const unanswered = await impatient.request("POST", "/api/v1/tools/echo/call", {
      key: await keyFor(impatient, "helper"),
      body: { input: { text: "x" } },
    });
    expect(await unanswered.json()).toMatchObject({ status: 403, code: "APPROVAL_DENIED" });
  });

  it("S33: a line of the audit that was edited or removed behind the server's back is named", async () => {
    const folder = mkdtempSync(join(tmpdir(), "toolrack-audit-"));
    const path = join(folder, "a.db");
    {
      await using server = await openTestServer({ config: { store: { sqlite: path } } });
      for (const text of ["one", "two", "three"]) await server.request("POST", "/api/v1/tools/echo/call", { body: { input: { text } } });
      const verify = async (): Promise<unknown> => (await server.request("GET", "/api/v1/audit/verification")).json();
      expect(await verify()).toMatchObject({ ok: true });
      // Tools are put on record meanwhile: the number of a call's line is not known beforehand.
      const { lines } = (await (await server.request("GET", "/api/v1/audit?kinds=call")).json()) as { lines: { number: number }[] };
      const { number } = lines[1]!;
      const { DatabaseSync } = createRequire(import.meta.url)("@photostructure/sqlite") as {
        DatabaseSync: new (path: string) => { exec(sql: string): void; close(): void };
      };
      const database = new DatabaseSync(path);
      database.exec(`UPDATE audit SET body = replace(body, 'two', 'too') WHERE number = ${number}`);
      expect(await verify()).toMatchObject({ ok: false, number });
      database.exec(`DELETE FROM audit WHERE number = ${number}`);
      expect(await verify()).toMatchObject({ ok: false, number });
      database.close();
    }
    rmSync(folder, { recursive: true, force: true });
  });
});
