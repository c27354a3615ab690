import { gunzipSync } from "node:zlib";
import { defineTool } from "@toolrack/core";
import { openTestServer } from "@toolrack/testkit/test-server";
import { expect, it } from "vitest";
import { acceptsEncoding, compressReply } from "../../../src/http/reply/compress.ts";
import type { HttpRequest } from "../../../src/http/transport/exchange.ts";
import { routes } from "../../../src/routes.ts";

const asking = (accept?: string): HttpRequest =>
  ({ header: (name: string) => (name === "accept-encoding" ? accept : undefined) }) as unknown as HttpRequest;

const large = JSON.stringify("a".repeat(5_000));

it("an answer above a kilobyte is compressed for a client that takes gzip, and marked as one of several forms", async () => {
  const headers = { etag: '"1"', vary: "authorization" };
  const sent = await compressReply(asking("gzip, br"), { status: 200, headers, body: large });
  expect(sent.headers).toEqual({ etag: 'W/"1"', vary: "authorization, accept-encoding", "content-encoding": "gzip" });
  expect(gunzipSync(sent.body as Uint8Array<ArrayBuffer>).toString()).toBe(large);
  const plain = { status: 200, headers: { etag: '"1"', vary: "authorization, accept-encoding" }, body: large };
  expect(await compressReply(asking(), { status: 200, headers, body: large })).toEqual(plain);
  const small = await compressReply(asking("gzip"), { status: 200, headers: {}, body: "{}" });
  expect(small).toEqual({ status: 200, headers: { vary: "accept-encoding" }, body: "{}" });
});

it.each([
  ["gzip", true],
  ["br, GZIP;q=0.1", true],
  ["*", true],
  ["gzip;q=0, *", false],
  ["br", false],
  ["", false],
  [undefined, false],
])("%j takes gzip: %s", (accept, wanted) => {
  expect(acceptsEncoding(accept, "gzip")).toBe(wanted);
});

it("the list of tools is compressed, and what holds secrets or data of calls is not", async () => {
  const long = defineTool({ name: "long", description: "x".repeat(2_000), inputSchema: { type: "object" }, handler: () => "" });
  await using server = await openTestServer({ tools: [long] });
  const headers = { "accept-encoding": "gzip" };
  const list = await server.request("GET", "/api/v1/tools", { headers });
  expect([list.headers.get("content-encoding"), list.headers.get("vary")]).toEqual(["gzip", expect.stringContaining("accept-encoding")]);
  const called = await server.request("POST", "/api/v1/tools/echo/call", { headers, body: { input: { text: "x".repeat(5_000) } } });
  const calls = await server.request("GET", "/api/v1/calls", { headers });
  for (const reply of [called, calls]) expect(reply.headers.get("content-encoding")).toBeNull();
  const compressed = routes.filter(({ isCompressed }) => isCompressed === true).map(({ method, path }) => `${method} ${path}`);
  expect(compressed.sort()).toEqual([
    "GET /exports/{target}",
    "GET /lint",
    "GET /policy/matrix",
    "GET /policy/view",
    "GET /tools",
    "GET /usage",
  ]);
});
