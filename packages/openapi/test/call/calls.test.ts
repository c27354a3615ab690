import { createMemorySecrets, createRegistry, type ToolResult } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import { callOpenApi, describeOpenApiTool, type ReadOpenApiOptions, readOpenApi } from "../../src/index.ts";
import { readTraps, toInput } from "../traps/trap.ts";
import { openLoopback } from "./loopback.ts";

/** A registry with the tools of a document whose server is on loopback. */
function open(
  paths: unknown,
  host: string,
  {
    components,
    secrets = {},
    ...options
  }: Omit<ReadOpenApiOptions, "secrets"> & { components?: unknown; secrets?: Record<string, string> } = {},
) {
  const document = { openapi: "3.0.3", info: { title: "T", version: "1" }, servers: [{ url: `http://${host}` }], paths, components };
  const { tools } = readOpenApi(document, { allowHosts: [host], ...options });
  const registry = createRegistry({ secrets: createMemorySecrets(secrets) });
  for (const tool of tools) registry.register(tool);
  afterThisTest(() => registry.close());
  return { registry, tools, call: (name: string, input: unknown): Promise<ToolResult> => registry.invoke(name, input) };
}

const json = { 200: { description: "", content: { "application/json": { schema: {} } } } };

describe("a call of an imported tool", () => {
  it("arrives at a server as each trap is written", async () => {
    const { host, met } = await openLoopback(() => ({ body: { ok: true } }));
    for (const { document, options, calls } of readTraps()) {
      const { tools } = readOpenApi(document, { ...options, allowHosts: [host] });
      for (const call of calls) {
        if (call.throws !== undefined || call.input !== undefined) continue;
        const tool = tools.find((one) => `${describeOpenApiTool(one).method} ${describeOpenApiTool(one).path}` === call.operation)!;
        await callOpenApi(tool, toInput(tool, call), {
          baseUrl: `http://${host}`,
          ...(call.secrets !== undefined && { secrets: call.secrets }),
        });
        const { method, url, headers, body } = met.at(-1)!;
        expect(method).toBe(call.operation.split(" ")[0]);
        if (call.url !== undefined) {
          const { pathname, search } = new URL(call.url);
          expect(`http://x${url}`.endsWith(`${pathname.split("/").at(-1)}${search}`), `${url} ${call.url}`).toBe(true);
        }
        for (const [name, value] of Object.entries(call.headers ?? {})) expect(headers[name]).toBe(value);
        if (call.body !== undefined) expect(body.toString()).toBe(call.body);
        if (call.bytes !== undefined) expect([...body]).toEqual(call.bytes);
        if (call.parts !== undefined) {
          const form = await new Response(new Uint8Array(body), { headers: { "content-type": headers["content-type"]! } }).formData();
          expect([...form.keys()]).toEqual(call.parts.map((part) => part["name"]));
          for (const [index, value] of [...form.values()].entries()) {
            const part = call.parts[index]!;
            if (part["filename"] === undefined) expect(value).toBe(part["value"]);
            else {
              const file = value as File;
              expect([file.name, file.type]).toEqual([part["filename"], part["contentType"]]);
              expect([...new Uint8Array(await file.arrayBuffer())]).toEqual(part["bytes"]);
            }
          }
        }
      }
    }
    expect(met.length).toBeGreaterThan(90);
  });

  it("answers with data, also where the API itself speaks of ok and content", async () => {
    const answers: Record<string, unknown> = {
      "/a": { ok: false, error: "x" },
      "/b": [1, { type: "text", text: "y" }],
      "/c": 5,
      "/d": { content: [{ type: "text", text: "z" }], isError: true },
    };
    const { host } = await openLoopback(({ url }) => ({
      body: JSON.stringify(answers[url]),
      headers: { "content-type": "application/json" },
    }));
    const { call } = open(Object.fromEntries(Object.keys(answers).map((path) => [path, { get: { responses: json } }])), host);
    for (const [path, data] of Object.entries(answers))
      expect(await call(`get_${path.slice(1)}`, {})).toMatchObject({ ok: true, data, content: JSON.stringify(data) });
  });

  it("shows whole numbers as the API wrote them, text as text, and nothing as a sentence", async () => {
    const { host } = await openLoopback(({ url }) =>
      url === "/big"
        ? { body: '{"id": 9007199254740993}', headers: { "content-type": "application/json" } }
        : url === "/text"
          ? { body: "hello", headers: { "content-type": "text/plain" } }
          : { status: 204 },
    );
    const { call } = open({ "/big": { get: {} }, "/text": { get: {} }, "/none": { delete: {} } }, host);
    expect(await call("get_big", {})).toMatchObject({ content: '{"id": 9007199254740993}' });
    expect(await call("get_text", {})).toMatchObject({ content: "hello" });
    expect(await call("delete_none", {})).toMatchObject({ ok: true, content: "Done: the API answered 204 without content." });
  });

  it("gives binary answers as blocks", async () => {
    const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    const { host } = await openLoopback(({ url }) => ({
      body: url === "/image" ? Buffer.from(png, "base64") : Buffer.from([1, 2, 255]),
      headers: { "content-type": url === "/image" ? "image/png" : "application/pdf" },
    }));
    const { call } = open({ "/image": { get: {} }, "/pdf": { get: {} } }, host);
    expect(await call("get_image", {})).toMatchObject({ ok: true, blocks: [{ type: "image", data: png, mimeType: "image/png" }] });
    expect(await call("get_pdf", {})).toMatchObject({
      ok: true,
      content: "[application/pdf, 3 bytes]",
      blocks: [{ type: "json", data: { mimeType: "application/pdf", base64: "AQL/" } }],
    });
  });

  it.each([
    [{ message: "No such pet" }, "No such pet"],
    [{ error: { code: 5, message: "Bad id" } }, "Bad id"],
    [{ errors: [{ detail: "first" }, { detail: "second" }] }, "first; second"],
    [{ type: "about:blank", title: "Not Found", detail: "Pet 5" }, "Pet 5"],
    [{ fault: { errors: [{ error: { message: "Deep" } }] } }, "Deep"],
    [{ strange: 1 }, '{"strange":1}'],
    [{ message: "\u001b[2JGone\u0007 \u202eback\u0000" }, "[2JGone back"],
  ])("fails with the API's own message: %j", async (body, said) => {
    const { host } = await openLoopback(() => ({ status: 404, body }));
    const { call } = open({ "/pets/{id}": { get: {} } }, host);
    const result = await call("get_pets_id", { id: "5" });
    expect(result).toMatchObject({ ok: false, code: "TOOL_FAILED", retryable: false });
    expect((result as { error: string }).error).toBe(
      `GET /pets/{id}: ${host} answered 404: ${said.replace(/([^.}])$/, "$1.").replace(/\}$/, "}.")}`,
    );
  });

  it("reads the title of an HTML page, and names the secret to check where the API refuses it", async () => {
    const { host } = await openLoopback(() => ({
      status: 401,
      body: "<html><title>Sign in, please</title></html>",
      headers: { "content-type": "text/html" },
    }));
    const components = { securitySchemes: { key: { type: "http", scheme: "bearer" } } };
    const { call } = open({ "/x": { get: { security: [{ key: [] }] } } }, host, { components, secrets: { key: "hunter2" } });
    const { error } = (await call("get_x", {})) as { error: string };
    expect(error).toBe(`GET /x: ${host} answered 401: Sign in, please. Check the secret "key".`);
    expect(error).not.toContain("hunter2");
  });
});

describe("pages and fields", () => {
  const pages =
    (next: (page: number, host: string) => { headers?: Record<string, string>; more?: object }, wrap: boolean) =>
    async (options = {}) => {
      const self = { host: "" };
      const server = await openLoopback(({ url }) => {
        const page = Number(/(?:page|cursor|pageToken)=(\d+)/.exec(url)?.[1] ?? 1);
        const { headers = {}, more = {} } = next(page, self.host);
        const items = [
          { id: page * 2 - 1, name: "a" },
          { id: page * 2, name: "b" },
        ];
        return { headers, body: wrap ? { items, ...more } : items };
      });
      self.host = server.host;
      const parameters = ["page", "cursor", "pageToken"].map((name) => ({ name, in: "query", schema: { type: "string" } }));
      return {
        ...server,
        ...open({ "/x": { get: { parameters, responses: json } } }, server.host, { maxPages: 5, resultFields: true, ...options }),
      };
    };

  it.each([
    [
      "a Link header",
      pages((page) => (page < 3 ? { headers: { link: `</x?page=${page + 1}>; rel="next", </x?page=1>; rel="first"` } } : {}), false),
    ],
    [
      "a next URL",
      pages((page, host) => (page < 3 ? { more: { next: `http://${host}/x?page=${page + 1}` } } : { more: { next: null } }), true),
    ],
    ["links in the answer", pages((page) => (page < 3 ? { more: { _links: { next: { href: `/x?page=${page + 1}` } } } } : {}), true)],
    ["a cursor", pages((page) => (page < 3 ? { more: { next_cursor: String(page + 1) } } : { more: { next_cursor: "" } }), true)],
    ["a page token", pages((page) => (page < 3 ? { more: { nextPageToken: String(page + 1) } } : {}), true)],
  ])("are followed on request by %s", async (_, start) => {
    const { call, met } = await start();
    const idsOf = (result: ToolResult): number[] => {
      const data = (result as { data: { items?: { id: number }[] } }).data;
      return (data.items ?? (data as unknown as { id: number }[])).map(({ id }) => id);
    };
    expect(idsOf(await call("get_x", {}))).toEqual([1, 2]);
    expect(met.length).toBe(1);
    expect(idsOf(await call("get_x", { max_pages: 2 }))).toEqual([1, 2, 3, 4]);
    expect(idsOf(await call("get_x", { max_pages: 5 }))).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await call("get_x", { max_pages: 6 })).toMatchObject({ ok: false, code: "INPUT_INVALID" });
  });

  it("never follow a link to another origin, nor the same page twice", async () => {
    const other = await openLoopback();
    const away = await pages(() => ({ headers: { link: `<${other.url}/x>; rel="next"` } }), false)();
    await away.call("get_x", { max_pages: 5 });
    expect(other.met).toEqual([]);
    const loop = await pages(() => ({ headers: { link: '</x?page=1>; rel="next"' } }), false)();
    await loop.call("get_x", { max_pages: 5 });
    expect(loop.met.length).toBe(2);
  });

  it("keep only what is asked for, by names or JSONPath", async () => {
    const { call } = await pages(() => ({ more: { total: 9 } }), true)();
    expect(await call("get_x", { result_fields: ["items.id", "total"] })).toMatchObject({
      data: { items: [{ id: 1 }, { id: 2 }], total: 9 },
    });
    expect(await call("get_x", { result_fields: ["$.items[?@.name=='b'].id"] })).toMatchObject({ data: [2], content: "[2]" });
    expect(await call("get_x", { result_fields: ["$.["] })).toMatchObject({ ok: false });
  });
});

describe("failures that pass", () => {
  it("are retried for idempotent requests alone", async () => {
    const { host, met } = await openLoopback(({ url }) =>
      met.filter((one) => one.url === url).length < 3 ? { status: 503, headers: { "retry-after": "0" } } : { body: { done: true } },
    );
    const { call } = open({ "/a": { get: {}, put: {}, post: {} }, "/b": { put: {} }, "/c": { post: {} } }, host, { retries: 3 });
    expect(await call("get_a", {})).toMatchObject({ ok: true });
    expect(await call("put_b", {})).toMatchObject({ ok: true });
    expect(await call("post_c", {})).toMatchObject({ ok: false, retryable: false });
    expect(met.filter(({ url }) => url === "/c").length).toBe(1);
  });

  it("tell how long to wait, and are not sent before that", async () => {
    const { host, met } = await openLoopback(({ url }) =>
      url === "/a"
        ? { status: 429, headers: { "retry-after": "60" }, body: { message: "Slow down" } }
        : url === "/b"
          ? { headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "120" }, body: {} }
          : { status: 429, headers: { ratelimit: '"default";r=0;t=30' } },
    );
    const { call } = open({ "/a": { get: {} }, "/b": { get: {} }, "/c": { post: {} } }, host);
    expect(await call("get_a", {})).toMatchObject({
      code: "RATE_LIMITED",
      retryable: true,
      retryAfterMs: 60_000,
      error: `GET /a: ${host} answered 429: Slow down.`,
    });
    const again = (await call("get_a", {})) as { code: string; retryAfterMs: number };
    expect(again.code).toBe("RATE_LIMITED");
    expect(again.retryAfterMs).toBeGreaterThan(0);
    expect(await call("get_b", {})).toMatchObject({ ok: true });
    expect(await call("get_b", {})).toMatchObject({ code: "RATE_LIMITED" });
    expect(await call("post_c", {})).toMatchObject({ code: "RATE_LIMITED", retryable: false, retryAfterMs: 30_000 });
    expect(met.length).toBe(3);
  });
});

describe("where requests go", () => {
  it("is the server's origin: private hosts have to be named", async () => {
    const { host, met } = await openLoopback();
    const { call } = open({ "/x": { get: {} } }, host, { allowHosts: [] });
    const result = (await call("get_x", {})) as { error: string };
    expect(result.error).toMatch(/GET \/x: .*not an address of the public internet.*allowHosts/);
    expect(met).toEqual([]);
  });

  it("stays there when the server redirects, unless the other host is named, and credentials never leave", async () => {
    const other = await openLoopback();
    const server = await openLoopback(({ url }) =>
      url === "/away"
        ? { status: 302, headers: { location: `${other.url}/y` } }
        : url === "/here"
          ? { status: 307, headers: { location: "/target" } }
          : { body: {} },
    );
    const components = {
      securitySchemes: { key: { type: "http", scheme: "bearer" }, cookie: { type: "apiKey", in: "cookie", name: "sid" } },
    };
    const paths = {
      "/away": { get: { security: [{ key: [], cookie: [] }] } },
      "/here": { put: { security: [{ key: [] }], requestBody: { required: true, content: { "application/json": { schema: {} } } } } },
    };
    const secrets = { key: "s1", cookie: "s2" };
    const closed = open(paths, server.host, { components, secrets });
    expect(((await closed.call("get_away", {})) as { error: string }).error).toMatch(
      /redirected to 127\.0\.0\.1:\d+, which is not its server.*allowHosts/,
    );
    expect(other.met).toEqual([]);
    await closed.call("put_here", { body: 1 });
    expect(server.met.at(-1)).toMatchObject({ method: "PUT", url: "/target", headers: { authorization: "Bearer s1" } });
    expect(server.met.at(-1)!.body.toString()).toBe("1");
    const named = open(paths, server.host, { components, secrets, allowHosts: [server.host, other.host] });
    expect(await named.call("get_away", {})).toMatchObject({ ok: true });
    expect(other.met[0]!.headers).not.toHaveProperty("authorization");
    expect(other.met[0]!.headers).not.toHaveProperty("cookie");
  });
});

describe("secrets of a registry", () => {
  const components = {
    securitySchemes: {
      a: { type: "apiKey", in: "header", name: "X-A" },
      b: { type: "http", scheme: "basic" },
      c: { type: "apiKey", in: "query", name: "c" },
      d: { type: "apiKey", in: "cookie", name: "d" },
      e: { type: "oauth2", flows: {} },
      f: { type: "mutualTLS" },
    },
  };
  const paths = {
    "/one": { get: { security: [{ a: [] }] } },
    "/or": { get: { security: [{ a: [], c: [] }, { b: [] }] } },
    "/maybe": { get: { security: [{}, { d: [] }] } },
    "/all": { get: { security: [{ a: [], b: [], c: [], d: [] }] } },
    "/oauth": { get: { security: [{ e: ["x"] }] } },
    "/tls": { get: { security: [{ f: [] }] } },
  };

  it("are used by the first way to sign in that is complete", async () => {
    const { host, met } = await openLoopback();
    const { call } = open(paths, host, { components, secrets: { a: "A", b: "u:p" } });
    await call("get_one", {});
    expect(met.at(-1)!.headers).toMatchObject({ "x-a": "A" });
    await call("get_or", {});
    expect(met.at(-1)!.headers).toMatchObject({ authorization: "Basic dTpw" });
    expect(met.at(-1)!.headers).not.toHaveProperty("x-a");
    expect(await call("get_maybe", {})).toMatchObject({ ok: true });
    expect(met.at(-1)!.headers).not.toHaveProperty("cookie");
    expect(await call("get_tls", {})).toMatchObject({ ok: true });
  });

  it("all go to their places, and are not shown in results", async () => {
    const { host, met } = await openLoopback(({ headers, url }) => ({ body: { echo: [headers["x-a"], headers["cookie"], url] } }));
    const { call } = open(paths, host, { components, secrets: { a: "secret-A", b: "u:p", c: "secret-C", d: "secret-D", e: "secret-E" } });
    const result = await call("get_all", {});
    expect(met.at(-1)).toMatchObject({
      url: "/all?c=secret-C",
      headers: { "x-a": "secret-A", authorization: "Basic dTpw", cookie: "d=secret-D" },
    });
    expect(JSON.stringify(result)).not.toMatch(/secret-[ACD]/);
    await call("get_oauth", {});
    expect(met.at(-1)!.headers).toMatchObject({ authorization: "Bearer secret-E" });
    await call("get_maybe", {});
    expect(met.at(-1)!.headers).toMatchObject({ cookie: "d=secret-D" });
  });

  it("that are missing make a tool unavailable, or name the ways to sign in", async () => {
    const { host, met } = await openLoopback();
    const { call } = open(paths, host, { components });
    expect(await call("get_one", {})).toMatchObject({ ok: false, code: "NEEDS_CONFIGURATION" });
    expect(await call("get_or", {})).toMatchObject({
      ok: false,
      code: "SECRET_MISSING",
      error: 'GET /or needs the secrets "a" and "c", or the secret "b". Set it, then call again.',
    });
    expect(met).toEqual([]);
  });

  it("are never properties of an input", () => {
    const { tools } = open(paths, "127.0.0.1:1", { components });
    for (const { inputSchema, metadata, name } of tools) {
      expect(inputSchema["properties"]).toEqual({});
      if (name === "get_or")
        expect([metadata?.secrets, metadata?.optionalSecrets]).toEqual([
          ["a", "c", "b"],
          ["a", "c", "b"],
        ]);
      if (name === "get_one") expect(metadata).toMatchObject({ secrets: ["a"] });
    }
  });
});

describe("a result that does not match its schema", () => {
  it("is a warning, not a failure", async () => {
    const { host } = await openLoopback(() => ({ body: { id: "text" } }));
    const { call } = open(
      {
        "/x": {
          get: {
            responses: {
              200: {
                description: "",
                content: { "application/json": { schema: { type: "object", properties: { id: { type: "integer" } } } } },
              },
            },
          },
        },
      },
      host,
    );
    const result = await call("get_x", {});
    expect(result).toMatchObject({ ok: true, data: { id: "text" } });
    expect(result.meta.warnings?.join()).toMatch(/does not match its output schema/);
  });
});
