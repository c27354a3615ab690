import { FetchError, type SafeRequest, type SafeResponse } from "@toolrack/fetch";
import { describe, expect, it } from "vitest";
import { askService, callService, type Service } from "../../src/operations/service.ts";
import { listAt, type SearchBackend } from "../../src/web/backends/backend.ts";
import { brave } from "../../src/web/backends/brave.ts";
import { searxng } from "../../src/web/backends/searxng.ts";
import { tavily } from "../../src/web/backends/tavily.ts";

interface Sent {
  readonly url: string;
  readonly request: SafeRequest;
  readonly alsoReach: string | undefined;
}

interface Answer {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const { signal } = new AbortController();
const json = { "content-type": "application/json" };

/** A service that answers every request in the same way. */
function serviceOf(
  { status = 200, body = {}, headers = json }: Answer = {},
  more: Partial<Service> = {},
): Service & { readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = { status, ok: status >= 200 && status < 300, headers, text: () => text } as unknown as SafeResponse;
  const http: Service["http"] = {
    async request(url, request, alsoReach) {
      sent.push({ url, request, alsoReach });
      return response;
    },
  };
  return { name: "Weather", defaultUrl: "https://weather.example", http, signal, sent, ...more };
}

describe("a service", () => {
  it("is asked at its address or at that of the settings, follows nowhere, and answers JSON", async () => {
    const usual = serviceOf({ body: { a: 1 } });
    expect(await callService(usual, "/now", { method: "GET" })).toEqual({ a: 1 });
    expect(usual.sent).toEqual([
      {
        url: "https://weather.example/now",
        request: { method: "GET", signal, redirect: "error", maxBytes: 4_194_304 },
        alsoReach: undefined,
      },
    ]);
    const own = serviceOf({}, { baseUrl: "http://localhost:8080/api/" });
    await callService(own, "/now", { maxBytes: 10 });
    expect(own.sent).toMatchObject([{ url: "http://localhost:8080/api/now", request: { maxBytes: 10 }, alsoReach: "localhost:8080" }]);
    await expect(callService(serviceOf({ body: "<html>" }), "/now", {})).rejects.toMatchObject({
      code: "TOOL_FAILED",
      message: "Weather answered with something that is not JSON.",
    });
  });

  it.each<[Answer, object]>([
    [{ status: 401 }, { code: "NEEDS_CONFIGURATION", message: "Weather refused the key (401). Check the secret and its rights." }],
    [
      { status: 403, body: { error: "No  right." } },
      { code: "NEEDS_CONFIGURATION", message: "Weather refused the key (403): No right. Check the secret and its rights." },
    ],
    [
      { status: 429, headers: { ...json, "retry-after": "2" } },
      { code: "RATE_LIMITED", retryable: true, retryAfterMs: 2_000 },
    ],
    [{ status: 429, headers: { "retry-after": "1000000" } }, { retryAfterMs: 86_400_000 }],
    [
      { status: 404, body: { detail: "Nothing there." } },
      { code: "TOOL_FAILED", retryable: false, message: "Weather refused the request (404): Nothing there." },
    ],
    [{ status: 408 }, { code: "TOOL_FAILED", retryable: true }],
    [
      { status: 500, body: { message: "Broken" } },
      { retryable: true, message: "Weather refused the request (500): Broken." },
    ],
    [{ status: 499 }, { retryable: false, message: "Weather refused the request (499)." }],
    [{ status: 400, body: { error: { message: "Wrong." }, detail: "other" } }, { message: "Weather refused the request (400): Wrong." }],
    [{ status: 400, body: { error: { message: 5 } } }, { message: "Weather refused the request (400)." }],
    [{ status: 400, body: "{", headers: json }, { message: "Weather refused the request (400)." }],
    [{ status: 400, body: { error: "hidden" }, headers: {} }, { message: "Weather refused the request (400)." }],
    [
      { status: 400, body: { error: "x".repeat(400) }, headers: { "content-type": "application/problem+json" } },
      { message: `Weather refused the request (400): ${"x".repeat(300)}.` },
    ],
  ])("that answers %j fails with %j", async (answer, failure) => {
    await expect(callService(serviceOf(answer), "/now", {})).rejects.toMatchObject(failure);
  });

  it("without a usable time to wait names none", async () => {
    for (const headers of [{}, { "retry-after": "soon" }, { "retry-after": "-1" }] as Readonly<Record<string, string>>[]) {
      const error = await callService(serviceOf({ status: 429, headers }), "/now", {}).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "RATE_LIMITED" });
      expect(error).not.toHaveProperty("retryAfterMs");
    }
  });

  it("may be asked so that the caller decides about a refusal", async () => {
    const refused = await askService(serviceOf({ status: 402, body: { error: { message: "Pay." } } }), "/now", {});
    expect([refused.status, refused.body]).toEqual([402, { error: { message: "Pay." } }]);
    expect(refused.fail()).toMatchObject({ code: "TOOL_FAILED", message: "Weather refused the request (402): Pay." });
    expect(await askService(serviceOf({ status: 500, body: "oops", headers: {} }), "/now", {})).toMatchObject({
      status: 500,
      body: undefined,
    });
    expect(await askService(serviceOf({ body: { ok: 1 }, headers: {} }), "/now", {})).toMatchObject({ status: 200, body: { ok: 1 } });
  });

  it("that cannot be reached, or whose key cannot be sent, says so", async () => {
    const failing = (error: Error): Service => serviceOf({}, { http: { request: () => Promise.reject(error) } });
    await expect(callService(failing(new FetchError("HEADER_INVALID", "x")), "/now", {})).rejects.toMatchObject({
      code: "NEEDS_CONFIGURATION",
      message: "The key of Weather holds a character that cannot be sent. Check the secret.",
    });
    await expect(callService(failing(new FetchError("TIMEOUT", "Too slow.")), "/now", {})).rejects.toMatchObject({ code: "TIMEOUT" });
    await expect(callService(failing(new TypeError("other")), "/now", {})).rejects.toBeInstanceOf(TypeError);
  });
});

describe("a search engine", () => {
  const hit = { title: "Tea", url: "https://tea.example", description: "About tea.", content: "About tea." };
  const found = [{ title: "Tea", url: "https://tea.example", snippet: "About tea." }];
  const engines: [SearchBackend, Answer["body"], object, object][] = [
    [
      brave,
      { web: { results: [hit] } },
      { id: "brave", name: "Brave Search", defaultUrl: "https://api.search.brave.com", secret: "brave-api-key" },
      {
        url: "https://weather.example/res/v1/web/search?q=tea+%26+cake&count=20",
        request: { headers: { accept: "application/json", "x-subscription-token": "key" } },
      },
    ],
    [
      tavily,
      { results: [hit] },
      { id: "tavily", name: "Tavily", defaultUrl: "https://api.tavily.com", secret: "tavily-api-key" },
      {
        url: "https://weather.example/search",
        request: {
          method: "POST",
          headers: { accept: "application/json", "content-type": "application/json", authorization: "Bearer key" },
          body: '{"query":"tea & cake","max_results":20}',
        },
      },
    ],
    [
      searxng,
      { results: [hit] },
      { id: "searxng", name: "SearXNG" },
      { url: "https://weather.example/search?q=tea+%26+cake&format=json", request: { headers: { accept: "application/json" } } },
    ],
  ];

  it.each(engines)("is named, asked and read in its own way: $id", async (engine, body, facts, request) => {
    const { search, ...named } = engine;
    expect(named).toEqual(facts);
    const service = serviceOf({ body });
    expect(await search(service, { query: "tea & cake", limit: 50 }, "key")).toEqual(found);
    expect(service.sent).toMatchObject([request]);
    expect(await search(serviceOf({ body: {} }), { query: "tea", limit: 5 }, "key")).toEqual([]);
  });

  it("has a list of objects, or none", () => {
    expect(listAt({ a: { b: [{ c: 1 }, null, 5] } }, "a", "b")).toEqual([{ c: 1 }]);
    for (const answer of [{}, null, { a: null }, { a: { b: {} } }, "x"]) expect(listAt(answer, "a", "b")).toEqual([]);
    expect(listAt({}, "constructor", "prototype")).toEqual([]);
  });
});
