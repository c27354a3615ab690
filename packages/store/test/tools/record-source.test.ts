import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createRegistry, defineTool } from "@toolrack/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createConfigs } from "../../src/config/configs.ts";
import { validateDefinition } from "../../src/lifecycle/lifecycle.ts";
import { createKeys } from "../../src/secrets/keys.ts";
import { createSecrets } from "../../src/secrets/secrets.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { publishTool } from "../../src/tools/publish.ts";
import { recordSource } from "../../src/tools/record-source.ts";
import { definition, randomDefinition, written } from "../../src/testing/contract/_samples.ts";
import { approveAsSeen } from "../lifecycle/approve.ts";

let server: Server;
let origin: string;
let hits: { method: string; url: string; headers: IncomingMessage["headers"]; body: string }[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      hits.push({ method: request.method!, url: request.url!, headers: request.headers, body });
      const { pathname } = new URL(request.url!, "http://x");
      if (pathname.startsWith("/busy")) response.writeHead(503, { "retry-after": "2" }).end("come back later");
      else if (pathname.startsWith("/wrong")) response.writeHead(200, { "content-type": "application/json" }).end('{"name":5}');
      else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ name: "Ada", path: request.url }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const allow = () => ({ allowHosts: [origin.slice(7)] });

describe("tools from records", () => {
  const random = () => ({ numbers: [4] });

  it("hang in the registry with their origin, and change, leave and come while it runs", async () => {
    const store = createMemoryStore();
    written(await store.put(randomDefinition));
    const registry = createRegistry();
    registry.register(defineTool({ name: "own", description: "Own", inputSchema: { type: "object" }, handler: () => "own" }));
    await registry.addSource(recordSource(store, { handlers: { random } }));
    expect(registry.entries().map(({ tool, source }) => [tool.name, source])).toEqual([
      ["own", "code"],
      ["random", "records"],
    ]);
    expect(registry.get("random")).toMatchObject({
      version: "1.0.0",
      title: "Random Number Generator",
      metadata: { category: "general", tags: randomDefinition.tags, examples: [{ usage: "Access with: result.numbers[0]" }] },
    });
    expect(await registry.invoke("random", {})).toMatchObject({ ok: true, data: { numbers: [4] } });

    written(await store.mergeContext("tool-def-random", { description: "Changed" }));
    await expect.poll(() => registry.has("random")).toBe(false);
    await validateDefinition(store, "tool-def-random");
    await approveAsSeen(store, "tool-def-random", { reason: "The change is good." });
    await expect.poll(() => registry.get("random")?.description).toBe("Changed");
    written(await store.put(definition("late", { implementation: { kind: "local", id: "random" } })));
    await expect.poll(() => registry.has("late")).toBe(true);
    written(await store.remove("tool-def-random"));
    await expect.poll(() => registry.has("random")).toBe(false);
    await registry.removeSource("records");
    expect(registry.list().map(({ name }) => name)).toEqual(["own"]);
    await registry.close();
    await store.close();
  });

  it("are only those that are approved: what an emitter wrote is a draft", async () => {
    const store = createMemoryStore();
    const emitter = store.as({ owner: "local", agent: "bot", roles: ["emitter"] });
    written(await emitter.put(definition("sneaky", { state: "approved" })));
    written(await emitter.put(definition("plain")));
    written(await store.put(definition("archived", { state: "archived" })));
    written(await store.put(definition("old", { state: "deprecated", deprecated: { since: "2026-01-01", successor: "new" } })));
    written(await store.put(definition("good")));
    const handlers = { sneaky: random, plain: random, archived: random, old: random, good: random };
    const registry = createRegistry();
    await registry.addSource(recordSource(store, { handlers }));
    expect(registry.list().map(({ name }) => name)).toEqual(["old", "good"]);
    expect(await registry.invoke("sneaky", {})).toMatchObject({ ok: false, code: "TOOL_NOT_FOUND" });
    const warned = await registry.invoke("old", {});
    expect(warned).toMatchObject({ ok: true, meta: { warnings: [expect.stringContaining('"new"')] } });
    await registry.close();
  });

  it("are left out alone when they are wrong, and the reason is told", async () => {
    const store = createMemoryStore();
    const bad = [
      definition("bad-schema", { inputSchema: { type: "array" } }),
      definition("no-handler"),
      definition("bad-kind", { implementation: { kind: "container" } }),
      definition("bad-endpoint", { implementation: { kind: "http", endpoint: "https://{host}/x" } }),
      definition("constructor", { implementation: { kind: "local", id: "toString" } }),
    ];
    for (const one of bad) written(await store.put(one));
    written(await store.put(definition("good")));
    const registry = createRegistry();
    const status = await registry.addSource(recordSource(store, { handlers: { good: random } }));
    expect(registry.list().map(({ name }) => name)).toEqual(["good"]);
    expect(status.problems).toEqual([
      expect.stringContaining("bad-schema"),
      expect.stringContaining("no-handler"),
      expect.stringContaining("container"),
      expect.stringContaining("host"),
      expect.stringContaining("toString"),
    ]);
    await registry.close();
  });

  it("hang side by side in several versions", async () => {
    const store = createMemoryStore();
    for (const version of ["1.0.0", "2.0.0"])
      written(await store.put(definition("multi", { version }, { id: `tool-def-multi@${version}` })));
    const registry = createRegistry();
    await registry.addSource(recordSource(store, { handlers: { multi: () => "x" } }));
    expect(registry.get("multi@^1")?.version).toBe("1.0.0");
    expect(registry.get("multi")?.version).toBe("2.0.0");
    await registry.close();
  });

  it("are published again without a change, and keep the state that somebody gave them", async () => {
    const store = createMemoryStore();
    const tool = defineTool({
      name: "t",
      version: "1.0.0",
      description: "d",
      inputSchema: { type: "object" },
      handler: random,
      metadata: { category: "utility", tags: ["x"], usageHint: "often" },
    });
    expect(await publishTool(store, tool)).toMatchObject({
      ok: true,
      changed: true,
      record: { id: "tool-def-t", tags: ["tool:definition", "workspace:tools", "category:utility", "x"], context: { usageHint: "often" } },
    });
    expect(await publishTool(store, tool)).toMatchObject({ ok: true, changed: false, record: { version: 1 } });
    written(await store.mergeContext("tool-def-t", { state: "archived" }));
    const next = defineTool({ ...tool, description: "better" });
    expect(await publishTool(store, next)).toMatchObject({
      ok: true,
      changed: true,
      record: { version: 3, context: { state: "archived", description: "better" } },
    });
    const results = await Promise.all(Array.from({ length: 5 }, () => publishTool(store, defineTool({ ...tool, name: "many" }))));
    expect(results.filter((result) => result.ok && result.changed)).toHaveLength(1);
  });
});

describe("tools that are HTTP endpoints", () => {
  it("call a local endpoint that the configuration names, with parameters in path, query, header and body, and check the answer", async () => {
    const store = createMemoryStore();
    const implementation = {
      kind: "http",
      endpoint: `${origin}/users/{id}`,
      method: "POST",
      parameters: { id: "path", page: "query", "x-trace": "header" },
    };
    written(
      await store.put(definition("user", { implementation, outputSchema: { type: "object", properties: { name: { type: "string" } } } })),
    );
    written(
      await store.put(
        definition("wrong", {
          implementation: { kind: "http", endpoint: `${origin}/wrong` },
          outputSchema: { type: "object", properties: { name: { type: "string" } } },
        }),
      ),
    );
    written(await store.put(definition("busy", { implementation: { kind: "http", endpoint: `${origin}/busy` } })));
    const registry = createRegistry({ outputValidation: "strict" });
    await registry.addSource(recordSource(store, { fetch: allow() }));
    hits = [];
    const result = await registry.invoke("user", { id: "a/../b?c#d", page: 2, "x-trace": "t1", text: "hello" });
    expect(result).toMatchObject({ ok: true, data: { name: "Ada" } });
    expect(hits).toMatchObject([
      {
        method: "POST",
        url: "/users/a%2F..%2Fb%3Fc%23d?page=2",
        headers: { "x-trace": "t1", "content-type": "application/json" },
        body: '{"text":"hello"}',
      },
    ]);
    expect(await registry.invoke("wrong", {})).toMatchObject({ ok: false, code: "OUTPUT_INVALID" });
    expect(await registry.invoke("busy", {})).toMatchObject({
      ok: false,
      code: "TOOL_FAILED",
      retryable: true,
      retryAfterMs: 2_000,
      error: expect.stringContaining("503"),
    });
    await registry.close();
  });

  it("S23: keep every value in its place", async () => {
    const store = createMemoryStore();
    written(
      await store.put(
        definition("user", {
          implementation: { kind: "http", endpoint: `${origin}/users/{id}/posts`, parameters: { "x-trace": "header" } },
        }),
      ),
    );
    const registry = createRegistry();
    await registry.addSource(recordSource(store, { fetch: allow() }));
    hits = [];
    for (const id of ["..", ".", "", "%2e%2e", "%2E.", ".%2e"])
      expect(await registry.invoke("user", { id }), id).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    expect(await registry.invoke("user", { id: { a: 1 } })).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    expect(await registry.invoke("user", { id: "x", "x-trace": "a\r\nx-admin: 1" })).toMatchObject({
      ok: false,
      error: expect.stringContaining("line break"),
    });
    expect(hits).toEqual([]);
    for (const id of ["../admin", "..%2fadmin", "//evil.example", "x?admin=1", "x#y", "\\..\\admin", "@evil.example", "x;y", "\ud800"]) {
      expect(await registry.invoke("user", { id }), id).toMatchObject({ ok: true });
    }
    for (const { url } of hits) expect(url).toMatch(/^\/users\/[^/?#]+\/posts$/);
    await registry.close();
  });

  it("S17: reach no private address unless the configuration names it", async () => {
    const store = createMemoryStore();
    written(await store.put(definition("inward", { implementation: { kind: "http", endpoint: `${origin}/secret` } })));
    written(await store.put(definition("metadata", { implementation: { kind: "http", endpoint: "http://169.254.169.254/latest" } })));
    const registry = createRegistry();
    await registry.addSource(recordSource(store));
    hits = [];
    for (const name of ["inward", "metadata"])
      expect(await registry.invoke(name, {})).toMatchObject({
        ok: false,
        code: "TOOL_FAILED",
        error: expect.stringContaining("add it to allowHosts"),
      });
    expect(hits).toEqual([]);
    await registry.close();
  });

  it("send a secret that the reference names, and wait for configuration while it is not set", async () => {
    const store = createMemoryStore();
    const secrets = await createSecrets(store, { keys: createKeys({ current: Buffer.alloc(32, 3) }) });
    const auths = [
      { type: "bearer", secret: "secret:key" },
      { type: "basic", secret: "secret:key" },
      { type: "header", name: "X-Key", secret: "secret:key" },
      { type: "query", name: "key", secret: "secret:key" },
    ];
    for (const auth of auths)
      written(await store.put(definition(`with-${auth.type}`, { implementation: { kind: "http", endpoint: `${origin}/x`, auth } })));
    written(
      await store.put(
        definition("plain-text", {
          implementation: { kind: "http", endpoint: `${origin}/x`, auth: { type: "bearer", secret: "t0p-secret" } },
        }),
      ),
    );
    const registry = createRegistry({ secrets });
    const status = await registry.addSource(recordSource(store, { fetch: allow() }));
    expect(status.problems).toEqual([expect.stringContaining("secret:<name>")]);
    expect(registry.entries().map(({ state }) => state)).toEqual(Array.from({ length: 4 }, () => "needs-configuration"));
    expect(await registry.invoke("with-bearer", {})).toMatchObject({ ok: false, code: "NEEDS_CONFIGURATION" });
    await secrets.set("key", "user:pass");
    hits = [];
    for (const { type } of auths) expect(await registry.invoke(`with-${type}`, {})).toMatchObject({ ok: true });
    expect(hits.map(({ headers, url }) => headers.authorization ?? headers["x-key"] ?? url)).toEqual([
      "Bearer user:pass",
      `Basic ${Buffer.from("user:pass").toString("base64")}`,
      "user:pass",
      "/x?key=user%3Apass",
    ]);
    await registry.close();
    await secrets.close();
  });
});

describe("configuration of stored tools", () => {
  // row: H21
  it("takes call input before saved configuration before the schema's default, from the next call on", async () => {
    const store = createMemoryStore();
    const configs = await createConfigs(store);
    const inputSchema = { type: "object", properties: { a: { type: "string", default: "default" }, b: { type: "string" } } };
    written(await store.put(definition("t", { inputSchema, configSchema: { type: "object", properties: { a: { type: "string" } } } })));
    const registry = createRegistry({ config: configs });
    await registry.addSource(recordSource(store, { handlers: { t: ({ a }) => String(a) } }));
    const call = async (input: object): Promise<unknown> => registry.invoke("t", input);
    expect(await call({})).toMatchObject({ content: "default" });
    expect(await call({ a: "input" })).toMatchObject({ content: "input" });
    written(await configs.save("t", { a: "saved" }));
    expect(await call({})).toMatchObject({ content: "saved" });
    expect(await call({ a: "input" })).toMatchObject({ content: "input" });
    written(await store.mergeContext("tool-config-t", { config: { a: "written directly" } }));
    expect(await call({})).toMatchObject({ content: "written directly" });
    written(await configs.remove("t"));
    expect(await call({})).toMatchObject({ content: "default" });
    await expect(configs.save("t", { a: 5 })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    await configs.close();
    await registry.close();
  });

  it("resolves references for the tool that declares the secret, and none that a caller writes", async () => {
    const store = createMemoryStore();
    const configs = await createConfigs(store);
    const secrets = await createSecrets(store, { keys: createKeys({ current: Buffer.alloc(32, 3) }) });
    await secrets.set("key", "v4lue");
    await secrets.set("other", "forbidden");
    const inputSchema = { type: "object", properties: { apiKey: { type: "string" }, text: { type: "string" } } };
    written(await store.put(definition("t", { inputSchema, secrets: ["key"] })));
    const seen: unknown[] = [];
    const registry = createRegistry({ config: configs, secrets });
    await registry.addSource(
      recordSource(store, { handlers: { t: (input, context) => void seen.push([input, context.config, context.caller]) } }),
    );
    written(await configs.save("t", { apiKey: "secret:key", nested: { list: ["secret:key"] } }));
    expect(await registry.invoke("t", { text: "secret:other" }, { caller: { agent: "a" } })).toMatchObject({ ok: true });
    expect(seen).toEqual([[{ apiKey: "v4lue", text: "secret:other" }, { apiKey: "v4lue", nested: { list: ["v4lue"] } }, { agent: "a" }]]);
    expect(JSON.stringify(await configs.get("t"))).toBe('{"apiKey":"secret:key","nested":{"list":["secret:key"]}}');
    written(await configs.save("t", { apiKey: "secret:other" }));
    const refused = await registry.invoke("t", {});
    expect(refused).toMatchObject({ ok: false, code: "SECRET_MISSING", error: expect.stringContaining("does not declare") });
    expect(JSON.stringify(refused)).not.toContain("forbidden");
    await secrets.close();
    await configs.close();
    await registry.close();
  });

  it("refuses to run while a required value is missing, and says which", async () => {
    const store = createMemoryStore();
    const configs = await createConfigs(store);
    const configSchema = {
      type: "object",
      required: ["model", "url"],
      properties: { model: { type: "string" }, url: { type: "string", default: "x" } },
    };
    written(await store.put(definition("t", { configSchema })));
    const registry = createRegistry({ config: configs });
    await registry.addSource(recordSource(store, { handlers: { t: () => "ran" } }));
    expect(configs.missing(registry.get("t")!)).toEqual(["model"]);
    expect(await registry.invoke("t", {})).toMatchObject({
      ok: false,
      code: "NEEDS_CONFIGURATION",
      error: expect.stringContaining("model"),
    });
    written(await configs.save("t", { model: "m" }));
    expect(configs.missing(registry.get("t")!)).toEqual([]);
    expect(await registry.invoke("t", {})).toMatchObject({ ok: true });
    await configs.close();
    await registry.close();
  });
});

describe("publishing", () => {
  it("gives up where another's record is in the way that may not be seen", async () => {
    const store = createMemoryStore();
    written(await store.put(definition("t", {}, { visibility: "private" })));
    const emitter = store.as({ owner: "local", agent: "bot", roles: ["emitter"] });
    const tool = defineTool({ name: "t", description: "d", inputSchema: { type: "object" }, handler: () => "" });
    expect(await publishTool(emitter, tool)).toMatchObject({ ok: false, code: "taken" });
  });
});
