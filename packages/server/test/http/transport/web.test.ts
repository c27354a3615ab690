import { describe, expect, it } from "vitest";
import { WebRequest } from "../../../src/http/transport/web.ts";

const open = (path = "/a%20b?x=1", init: RequestInit = {}, remoteAddress?: string): WebRequest =>
  new WebRequest(new Request(`http://tools.example:8443${path}`, init), { remoteAddress });

const post = (body: string | ReadableStream): RequestInit => ({ method: "POST", body, duplex: "half" }) as RequestInit;

/** The body as text, or why it could not be read. */
const bodyOf = (request: WebRequest, maxBytes: number): Promise<string> =>
  new Promise((resolve) => request.readBody(maxBytes, (bytes) => resolve(new TextDecoder().decode(bytes)), resolve));

describe("a web-standard request", () => {
  it("has its path as it was sent, its query without the mark, and the origin of its address", () => {
    expect(open()).toMatchObject({ method: "GET", path: "/a%20b", query: "x=1", origin: "http://tools.example:8443" });
    expect(open("/").query).toBe("");
    expect(open("/", {}, "10.0.0.7").remoteAddress).toBe("10.0.0.7");
    expect(open("/").remoteAddress).toBeUndefined();
  });

  it("has the host of its address unless a header says another, and no other header that was not sent", () => {
    expect(open().header("host")).toBe("tools.example:8443");
    expect(open("/", { headers: { "X-One": "1" } }).header("x-one")).toBe("1");
    expect(open().header("x-one")).toBeUndefined();
    expect(open("/", { headers: { "X-One": "1", b: "2" } }).headerNames()).toEqual(["b", "x-one"]);
  });

  it("has the id that it was sent, or one of its own", () => {
    expect(open("/", { headers: { "x-request-id": "mine-1" } }).id).toBe("mine-1");
    expect(open("/").id).not.toBe(open("/").id);
  });

  it("has a body that is read up to a size, and is broken off where its sender fails", async () => {
    expect([open().hasBody, open("/", post("")).hasBody]).toEqual([false, true]);
    expect(await bodyOf(open("/", post("hello")), 5)).toBe("hello");
    expect(await bodyOf(open("/", post("hello")), 4)).toBe("too-large");
    const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("gone")) });
    expect(await bodyOf(open("/", post(broken)), 5)).toBe("broken-off");
  });

  it("tells once that its client left, also to who asks afterwards", () => {
    const client = new AbortController();
    const request = open("/", { signal: client.signal });
    const told: string[] = [];
    request.onLeave(() => told.push("before"));
    expect(told).toEqual([]);
    client.abort();
    request.onLeave(() => told.push("after"));
    expect(told).toEqual(["before", "after"]);
  });
});

describe("the answer to a web-standard request", () => {
  const headers = { "x-own": "1" };

  it("has the status, the headers and the body of the reply, and to HEAD no body", async () => {
    const id = { "x-request-id": "mine-1" };
    const answer = await open("/", { headers: id }).toResponse({ status: 201, headers, body: "made" });
    expect([answer.status, await answer.text()]).toEqual([201, "made"]);
    expect([answer.headers.get("x-own"), answer.headers.get("x-request-id")]).toEqual(["1", "mine-1"]);
    const head = await open("/", { method: "HEAD" }).toResponse({ status: 200, headers, body: "made" });
    expect([head.headers.get("x-own"), await head.text()]).toEqual(["1", ""]);
    expect((await open("/").toResponse({ status: 204, headers })).body).toBeNull();
  });

  it("of another handler carries the headers of this server, too", async () => {
    const handler = { node: () => undefined, fetch: async (request: Request) => new Response(`to ${request.method}`, { status: 202 }) };
    const answer = await open("/", { ...post("x"), headers: { "x-request-id": "mine-1" } }).toResponse({ handler, headers });
    expect([answer.status, await answer.text()]).toEqual([202, "to POST"]);
    expect([answer.headers.get("x-own"), answer.headers.get("x-request-id")]).toEqual(["1", "mine-1"]);
  });
});
