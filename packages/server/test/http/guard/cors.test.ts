import { describe, expect, it } from "vitest";
import { createCors } from "../../../src/http/guard/cors.ts";
import { isProxyHeader } from "../../../src/http/guard/proxy-headers.ts";
import type { HttpRequest } from "../../../src/http/transport/exchange.ts";

const request = (method: string, headers: Readonly<Record<string, string>>): HttpRequest =>
  ({ method, header: (name: string) => headers[name] }) as unknown as HttpRequest;

describe("pages of other origins", () => {
  const cors = createCors(["https://Admin.example.com"]);
  const origin = "https://admin.example.com";

  it("that are allowed are told before a request what they may send", () => {
    const asked = request("OPTIONS", { origin, "access-control-request-method": "PUT", "access-control-request-headers": "x-a" });
    expect(cors.preflight(asked)).toEqual({
      status: 204,
      headers: {
        "access-control-allow-origin": origin,
        "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
        "access-control-allow-headers": "x-a",
        "access-control-max-age": "600",
        vary: "origin, access-control-request-headers",
      },
    });
    const bare = cors.preflight(request("OPTIONS", { origin, "access-control-request-method": "PUT" }));
    expect(bare?.headers["access-control-allow-headers"]).toBe("");
  });

  it("are told nothing where they are not allowed, or where it is no such question", () => {
    const method = { "access-control-request-method": "PUT" };
    expect(cors.preflight(request("OPTIONS", { origin: "https://evil.example.com", ...method }))).toBeUndefined();
    expect(cors.preflight(request("OPTIONS", method))).toBeUndefined();
    expect(cors.preflight(request("OPTIONS", { origin }))).toBeUndefined();
    expect(cors.preflight(request("GET", { origin, ...method }))).toBeUndefined();
  });

  it("that are allowed may read an answer and its headers, and caches keep it apart from others", () => {
    const reply = { status: 200, headers: { "cross-origin-resource-policy": "same-origin", etag: "1" }, body: "x" };
    expect(cors.open(request("GET", { origin }), reply)).toEqual({
      status: 200,
      body: "x",
      headers: {
        etag: "1",
        "access-control-allow-origin": origin,
        "access-control-expose-headers": "etag, retry-after, traceparent, x-request-id, mcp-session-id",
        "cross-origin-resource-policy": "cross-origin",
        vary: "origin",
      },
    });
    expect(cors.open(request("GET", { origin }), { ...reply, headers: { vary: "authorization" } }).headers["vary"]).toBe(
      "authorization, origin",
    );
    expect(cors.open(request("GET", {}), reply)).toBe(reply);
    expect(cors.open(request("GET", { origin: "https://evil.example.com" }), reply)).toBe(reply);
  });
});

describe("a header of a proxy", () => {
  it.each([
    "forwarded",
    "via",
    "cdn-loop",
    "x-real-ip",
    "x-appengine-user-ip",
    "x-envoy-external-address",
    "x-proxyuser-ip",
    "proxy-authorization",
    "x-forwarded-for",
    "x-original-url",
    "x-envoy-attempt-count",
    "cf-ray",
    "x-arr-ssl",
    "x-azure-ref",
    "fastly-ff",
    "true-client-ip",
    "x-cluster-clientip",
    "cf-connecting-ip",
    "fly-client-ip",
    "do-connecting-ip",
  ])("is %s", (name) => {
    expect(isProxyHeader(name)).toBe(true);
  });

  it.each(["host", "origin", "content-type", "authorization", "x-request-id", "user-agent", "client-ip-note", "x-forward"])(
    "is not %s",
    (name) => {
      expect(isProxyHeader(name)).toBe(false);
    },
  );
});
