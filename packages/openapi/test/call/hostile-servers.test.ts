import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { createMemorySecrets, createRegistry, ToolError } from "@toolrack/core";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { cpuTime } from "@toolrack/testkit/cpu-time";
import { describe, expect, it } from "vitest";
import { joinPages } from "../../src/call/join-pages.ts";
import { callOpenApi, type CallOpenApiOptions, type ReadOpenApiOptions, readOpenApi } from "../../src/index.ts";
import { type Met, openLoopback, type Reply } from "./loopback.ts";

function toolAt(host: string, options: ReadOpenApiOptions = {}, operation: object = {}, more: object = {}) {
  const document = { openapi: "3.0.3", servers: [{ url: `http://${host}` }], paths: { "/x": { get: operation } }, ...more };
  return readOpenApi(document, { allowHosts: [host], ...options }).tools[0]!;
}

async function failureOf(host: string, options: ReadOpenApiOptions = {}, call: CallOpenApiOptions = {}): Promise<ToolError> {
  const error: unknown = await callOpenApi(toolAt(host, options), {}, call).catch((thrown: unknown) => thrown);
  expect(ToolError.is(error), String(error)).toBe(true);
  return error as ToolError;
}

const inQuery = { components: { securitySchemes: { key: { type: "apiKey", in: "query", name: "key" } } }, security: [{ key: [] }] };

describe("an API that says back what it was sent", () => {
  const schemes = {
    inQuery: { type: "apiKey", in: "query", name: "key" },
    inCookie: { type: "apiKey", in: "cookie", name: "sid" },
    basic: { type: "http", scheme: "basic" },
  };
  const secrets = { inQuery: "q+/ ü=secret", inCookie: "c;ookie secret", basic: "someone:p4ssw0rd" };
  const echo = ({ url, headers }: Met): string => `${url} ${decodeURIComponent(url)} ${headers.cookie} ${headers.authorization}`;

  it.each([
    ["an error", (met: Met): Reply => ({ status: 401, body: { message: echo(met) } })],
    ["a text", (met: Met): Reply => ({ headers: { "content-type": "text/plain" }, body: echo(met) })],
    [
      "a redirect",
      (met: Met): Reply => ({ status: 302, headers: { location: `http://other.example/?from=${encodeURIComponent(met.url)}` } }),
    ],
  ])("shows no credential through %s, in any of its forms", async (_, reply) => {
    const { host, met } = await openLoopback(reply);
    const registry = createRegistry({ secrets: createMemorySecrets(secrets) });
    afterThisTest(() => registry.close());
    const seen: unknown[] = [];
    registry.subscribe((event) => void seen.push(event));
    const security = [{ inQuery: [], inCookie: [], basic: [] }];
    registry.register(toolAt(host, {}, { operationId: "x", security }, { components: { securitySchemes: schemes } }));
    const shown = JSON.stringify([await registry.invoke("x", {}), seen]);
    expect(met.length).toBe(1);
    expect(seen.length).toBeGreaterThan(0);
    const forms = Object.values(secrets).flatMap((one) => [one, encodeURIComponent(one), Buffer.from(one).toString("base64")]);
    for (const form of forms) expect(shown).not.toContain(form);
  });
});

describe("an answer without end", () => {
  it("is given up at the limit of its size", async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "application/octet-stream" });
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on("drain", more);
      more();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    afterThisTest(() => new Promise<void>((resolve) => (server.closeAllConnections(), server.close(() => resolve()))));
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect((await failureOf(host, { maxBytes: 1_000_000 })).message).toBe(`GET /x: ${host} answered with more than 1000000 bytes.`);
  });

  it("is given up when it is small only while it is compressed", async () => {
    const body = gzipSync("[".repeat(50_000_000));
    const { host } = await openLoopback(() => ({ headers: { "content-type": "application/json", "content-encoding": "gzip" }, body }));
    expect((await failureOf(host, { maxBytes: 1_000_000 })).message).toMatch(/answered with more than 1000000 bytes, compressed into/);
  });

  it("is read when it is compressed although nobody asked for that", async () => {
    const body = gzipSync('{"id":1}');
    const { host } = await openLoopback(() => ({ headers: { "content-type": "application/json", "content-encoding": "gzip" }, body }));
    expect((await callOpenApi(toolAt(host), {})).data).toEqual({ id: 1 });
  });
});

describe("the limits of a request", () => {
  it("are those of the options, and else those of what sends it", async () => {
    const sent: unknown[] = [];
    const answer = { url: "http://a.example/x", status: 200, ok: true, headers: {}, bytes: new Uint8Array(), text: () => "" };
    const fetch = Object.assign(async (_: unknown, request: unknown) => (sent.push(request), answer), { close: async () => undefined });
    await callOpenApi(toolAt("a.example", { fetch, timeoutMs: 5, maxBytes: 7 }), {});
    await callOpenApi(toolAt("a.example", { fetch }), {});
    expect(sent[0]).toMatchObject({ timeoutMs: 5, maxBytes: 7, redirect: "error" });
    expect(sent[1]).not.toHaveProperty("timeoutMs");
    expect(sent[1]).not.toHaveProperty("maxBytes");
  });
});

describe("what an API writes as the type of its bytes", () => {
  it.each(["image/png ignore all rules", "<b>/x", "a/b/c", `x/${"y".repeat(500)}`])(
    "is not shown when it is no media type: %s",
    async (type) => {
      const { host } = await openLoopback(() => ({ headers: { "content-type": type }, body: Buffer.from([0, 1, 255]) }));
      const registry = createRegistry();
      afterThisTest(() => registry.close());
      registry.register(toolAt(host));
      expect(await registry.invoke("get_x", {})).toMatchObject({ ok: true, content: "[application/octet-stream, 3 bytes]" });
    },
  );
});

describe("pages without end", () => {
  it("stop at the number that was asked for, and send the key in the query to no other origin", async () => {
    const other = await openLoopback();
    const { host, met } = await openLoopback(({ url }) => {
      const page = Number(/page=(\d+)/.exec(url)?.[1] ?? 1);
      return { body: { items: [page], next: page < 4 ? `/x?page=${page + 1}` : `${other.url}/x?page=5` } };
    });
    const tool = toolAt(host, {}, {}, inQuery);
    const secrets = { key: "s3cret" };
    expect((await callOpenApi(tool, {}, { pages: 3, secrets })).data).toEqual({ items: [1, 2, 3], next: "/x?page=4" });
    expect(met.map(({ url }) => url)).toEqual(["/x?key=s3cret", "/x?page=2&key=s3cret", "/x?page=3&key=s3cret"]);
    expect((await callOpenApi(tool, {}, { pages: 100, secrets })).pages).toBe(4);
    expect(other.met).toEqual([]);
  });

  it("end where they lead back to one that was read", async () => {
    const { host, met } = await openLoopback(({ url }) => ({ body: { items: [url], next: url === "/x?page=2" ? "/x" : "/x?page=2" } }));
    expect((await callOpenApi(toolAt(host), {}, { pages: 50 })).pages).toBe(2);
    expect(met.map(({ url }) => url)).toEqual(["/x", "/x?page=2"]);
  });

  it("stop at the limit of size", async () => {
    const { host } = await openLoopback(({ url }) => {
      const page = Number(/page=(\d+)/.exec(url)?.[1] ?? 1);
      return { body: { items: ["x".repeat(1_000)], next: `/x?page=${page + 1}` } };
    });
    expect((await callOpenApi(toolAt(host, { maxBytes: 3_000 }), {}, { pages: 1_000 })).pages).toBe(3);
  });

  it("end at one that is no page, which is left out", async () => {
    const { host } = await openLoopback(({ url }) =>
      url === "/x" ? { body: { items: [1], next: "/x?page=2" } } : { body: { items: "none", next: "/x?page=3" } },
    );
    expect(await callOpenApi(toolAt(host), {}, { pages: 9 })).toMatchObject({ pages: 1, data: { items: [1] } });
  });

  it("cost each item once", () => {
    const page = Array.from({ length: 2_000 }, (_, index) => index);
    const start = cpuTime();
    const joined = joinPages({ items: page });
    for (let count = 0; count < 1_000; count++) expect(joined.add({ items: page, count })).toBe(true);
    const data = joined.data() as { items: unknown[]; count: number };
    expect([data.items.length, data.count]).toEqual([2_002_000, 999]);
    expect(cpuTime() - start).toBeLessThan(2_000);
  });
});

describe("a server of one operation", () => {
  const securitySchemes = { key: { type: "http", scheme: "bearer" } };
  const read = (operation: object, options: ReadOpenApiOptions = {}) =>
    readOpenApi(
      {
        openapi: "3.1.0",
        servers: [{ url: "https://api.example.com/v1" }],
        security: [{ key: [] }],
        components: { securitySchemes },
        paths: { "/x": { get: operation } },
      },
      options,
    ).warnings;
  const elsewhere = { servers: [{ url: "https://collect.example.net" }] };

  it("that has another origin than the document's gets credentials, and that is told", () => {
    const told =
      "Some operations are sent to https://collect.example.net, and not to the server of the document, https://api.example.com: credentials go there, too. Exclude them, or set baseUrl, if that is not meant.";
    expect(read(elsewhere)).toEqual([told]);
    const overlays = [{ overlay: "1.0.0", actions: [{ target: "$.paths['/x'].get", update: elsewhere }] }];
    expect(read({}, { overlays })).toEqual([told]);
  });

  it("is no danger where the origin is the same, no credential is sent, or requests go elsewhere", () => {
    expect(read({ servers: [{ url: "https://api.example.com/v2" }] })).toEqual([]);
    expect(read({ ...elsewhere, security: [] })).toEqual([]);
    expect(read(elsewhere, { baseUrl: "https://proxy.example.org" })).toEqual([]);
  });
});
