import { FetchError, type SafeFetch, type SafeRequest } from "@toolrack/fetch";
import type { CallContext } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import type { Breadcrumb } from "../../../src/record/breadcrumb.ts";
import { httpKind } from "../../../src/tools/kinds/http.ts";

const record = { context: { name: "x" } } as unknown as Breadcrumb;
const { signal } = new AbortController();
const context = { signal, secret: async (name: string) => `value of ${name}` } as unknown as CallContext;

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly text?: string;
  readonly headers?: Record<string, string>;
}

/** A tool whose endpoint gives this answer, and what the endpoint was asked. */
function toolOf(
  implementation: Record<string, unknown>,
  { status = 200, type = "application/json", text = "{}", headers = {} }: Answer = {},
) {
  const asked: { url: string; request: SafeRequest }[] = [];
  const fetch = (async (url: URL, request: SafeRequest) => {
    asked.push({ url: url.href, request });
    return { status, ok: status < 300, url: url.href, headers: { "content-type": type, ...headers }, text: () => text };
  }) as unknown as SafeFetch;
  const handler = httpKind(fetch).createHandler({ kind: "http", endpoint: "https://a.example/p", ...implementation }, record);
  return { asked, call: (input: Record<string, unknown> = {}) => handler(input, context) };
}

const accept = { accept: "application/json" };
const json = { ...accept, "content-type": "application/json" };

describe("the request of an HTTP tool", () => {
  it.each<[object, Record<string, unknown>, string, object]>([
    [
      {},
      { q: "a b", n: 5, list: ["x", { y: 1 }] },
      "https://a.example/p?q=a+b&n=5&list=x&list=%7B%22y%22%3A1%7D",
      { method: "GET", headers: accept },
    ],
    [{ method: "head" }, { q: 1 }, "https://a.example/p?q=1", { method: "HEAD", headers: accept }],
    [{ method: "delete" }, { q: 1 }, "https://a.example/p?q=1", { method: "DELETE", headers: accept }],
    [{ method: "POST" }, { q: 1 }, "https://a.example/p", { method: "POST", headers: json, body: '{"q":1}' }],
    [{ method: "PUT" }, {}, "https://a.example/p", { method: "PUT", headers: json, body: "{}" }],
    [{ method: "PATCH" }, { q: null }, "https://a.example/p", { method: "PATCH", headers: json, body: '{"q":null}' }],
    [{ parameters: { b: "body" } }, { b: 1 }, "https://a.example/p", { method: "POST", headers: json, body: '{"b":1}' }],
    [
      { method: "DELETE", parameters: { b: "body" } },
      { b: 1 },
      "https://a.example/p",
      { method: "DELETE", headers: json, body: '{"b":1}' },
    ],
    [
      { method: "POST", parameters: { q: "query", h: "header" } },
      { q: 1, h: 2 },
      "https://a.example/p?q=1",
      { method: "POST", headers: { ...accept, h: "2", "content-type": "application/json" }, body: "{}" },
    ],
    [
      { endpoint: "https://a.example/{id}", parameters: { id: "path" } },
      { id: "a/b" },
      "https://a.example/a%2Fb",
      { method: "GET", headers: accept },
    ],
    [
      { headers: { accept: "text/plain", "content-type": "x/y" }, method: "POST" },
      {},
      "https://a.example/p",
      { method: "POST", headers: { accept: "text/plain", "content-type": "x/y" }, body: "{}" },
    ],
    [{ headers: "none" }, {}, "https://a.example/p", { method: "GET", headers: accept }],
    [
      { auth: { type: "bearer", secret: "secret:k" } },
      {},
      "https://a.example/p",
      { method: "GET", headers: { ...accept, authorization: "Bearer value of k" } },
    ],
    [
      { auth: { type: "basic", secret: "secret:k" } },
      {},
      "https://a.example/p",
      { method: "GET", headers: { ...accept, authorization: `Basic ${Buffer.from("value of k").toString("base64")}` } },
    ],
    [
      { auth: { type: "header", name: "X-Key", secret: "secret:k" } },
      {},
      "https://a.example/p",
      { method: "GET", headers: { ...accept, "x-key": "value of k" } },
    ],
    [
      { auth: { type: "query", name: "key", secret: "secret:k" } },
      {},
      "https://a.example/p?key=value+of+k",
      { method: "GET", headers: accept },
    ],
  ])("of %j with %j", async (implementation, input, url, request) => {
    const { asked, call } = toolOf(implementation as Record<string, unknown>);
    await call(input);
    expect(asked).toEqual([{ url, request: { ...request, signal } }]);
  });

  const authForm = 'implementation.auth must be { type: "bearer" | "basic" | "header" | "query", secret: "secret:<name>", name? }.';
  it.each([
    [{ method: "TRACE" }, 'Tool "x": implementation.method must be GET, HEAD, POST, PUT, PATCH or DELETE.'],
    [{ method: 5 }, 'Tool "x": implementation.method must be GET, HEAD, POST, PUT, PATCH or DELETE.'],
    [{ parameters: { a: "cookie" } }, 'Tool "x": implementation.parameters.a must be "path", "query", "body" or "header".'],
    [{ parameters: { a: "path" } }, 'Tool "x": implementation.parameters.a is not in the endpoint\'s path.'],
    [
      { endpoint: "https://a.example/{a}", parameters: { a: "query" } },
      'Tool "x": implementation.parameters.a is in the endpoint\'s path.',
    ],
    [{ auth: "key" }, authForm],
    [{ auth: { type: "bearer" } }, authForm],
    [{ auth: { type: "bearer", secret: "secret:" } }, authForm],
    [{ auth: { type: "bearer", secret: "plain" } }, authForm],
    [{ auth: { type: "digest", secret: "secret:k" } }, authForm],
    [{ auth: { type: "header", secret: "secret:k" } }, authForm],
    [{ auth: { type: "query", secret: "secret:k", name: 5 } }, authForm],
  ])("is refused from the start for %j", (implementation, message) => {
    expect(() => toolOf(implementation)).toThrow(expect.objectContaining({ code: "DEFINITION_INVALID", message }));
  });

  it("needs the secret that its reference names", () => {
    const { secrets } = httpKind((() => undefined) as unknown as SafeFetch);
    expect(secrets!({ kind: "http", auth: { type: "bearer", secret: "secret:k" } })).toEqual(["k"]);
    expect(secrets!({ kind: "http" })).toEqual([]);
  });
});

describe("the answer of an HTTP tool", () => {
  it.each([
    [{ text: '{"a":1}' }, { a: 1 }],
    [{ text: "[1]", type: "application/problem+json; charset=utf-8" }, [1]],
    [{ text: '{"a":1}', type: "text/plain" }, '{"a":1}'],
    [{ text: "x", type: "application/jsonlines" }, "x"],
  ])("is what %j says", async (answer, wanted) => {
    expect(await toolOf({}, answer).call()).toEqual(wanted);
  });

  it.each([
    [{ text: "{" }, { message: 'Tool "x": the response is labelled as JSON, but is not JSON.' }],
    [
      { status: 404, text: "" },
      { message: 'Tool "x": a.example answered 404.', retryable: false },
    ],
    [
      { status: 400, text: "y".repeat(600) },
      { message: `Tool "x": a.example answered 400: ${"y".repeat(500)}`, retryable: false },
    ],
    ...[408, 425, 429, 500, 502, 503, 504].map((status): [object, object] => [
      { status, text: "", headers: { "retry-after": "2" } },
      { retryable: true, retryAfterMs: 2_000 },
    ]),
    [{ status: 503, headers: { "retry-after": "9999" } }, { retryAfterMs: 3_600_000 }],
    [{ status: 501, text: "", headers: { "retry-after": "2" } }, { retryable: false }],
    [{ status: 503, text: "", headers: { "retry-after": "0" } }, { retryable: true }],
    [{ status: 503, text: "", headers: { "retry-after": "soon" } }, { retryable: true }],
  ] as [Answer, object][])("fails for %j", async (answer, error) => {
    const failure: unknown = await Promise.resolve(toolOf({}, answer).call()).catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ code: "TOOL_FAILED", ...error });
    expect(Object.hasOwn(failure as object, "retryAfterMs")).toBe("retryAfterMs" in error);
  });

  it.each([
    ["TIMEOUT", "TIMEOUT", true],
    ["ABORTED", "ABORTED", false],
    ["UNREACHABLE", "TOOL_FAILED", true],
    ["ADDRESS_REFUSED", "TOOL_FAILED", false],
  ] as const)("that does not come (%s) is %s", async (code, wanted, retryable) => {
    const cause = new FetchError(code, "why");
    const fetch = (() => Promise.reject(cause)) as unknown as SafeFetch;
    const handler = httpKind(fetch).createHandler({ kind: "http", endpoint: "https://a.example/p" }, record);
    await expect(handler({}, context)).rejects.toMatchObject({ code: wanted, message: 'Tool "x": why', retryable, cause });
    const odd = new Error("odd");
    const other = httpKind((() => Promise.reject(odd)) as unknown as SafeFetch).createHandler(
      { kind: "http", endpoint: "https://a.example/p" },
      record,
    );
    await expect(other({}, context)).rejects.toBe(odd);
  });
});
