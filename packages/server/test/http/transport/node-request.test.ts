import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import type { BodyFault, Reply } from "../../../src/http/transport/exchange.ts";
import { NodeRequest } from "../../../src/http/transport/node.ts";

interface Sent {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly raw?: readonly string[];
  readonly socket?: object;
}

class Outgoing extends EventEmitter {
  writableFinished = false;
  destroyed = false;
  headersSent = false;
  readonly written: unknown[] = [];
  setHeader(name: string, value: string): void {
    this.written.push([name, value]);
  }
  writeHead(status: number, headers: object): this {
    this.written.push([status, headers]);
    return this;
  }
  end(body?: unknown): void {
    this.written.push(["end", body]);
  }
  destroy(): void {
    this.destroyed = true;
  }
}

function open({ socket = { remoteAddress: "10.0.0.7" }, headers = {}, raw, ...sent }: Sent = {}, ...more: [(() => void)?, string?]) {
  const incoming = Object.assign(new EventEmitter(), {
    rawHeaders: raw ?? Object.entries(headers).flat(),
    headers,
    socket,
    ...sent,
  });
  const outgoing = new Outgoing();
  const request = new NodeRequest(incoming as unknown as IncomingMessage, outgoing as unknown as ServerResponse, ...more);
  return { request, incoming, outgoing };
}

describe("a request of node:http as the server sees it", () => {
  it("has a method, a path and an address, also where the connection says little", () => {
    expect(open().request).toMatchObject({ method: "GET", path: "/", query: "", remoteAddress: "10.0.0.7", hasBody: false });
    expect(open({ method: "PUT", url: "/a?b?c" }).request).toMatchObject({ method: "PUT", path: "/a", query: "b?c" });
    expect(open({}, undefined, "192.0.2.1").request.remoteAddress).toBe("192.0.2.1");
    expect(open({ headers: { host: "a:1" } }).request.origin).toBe("http://a:1");
    expect(open({ headers: { host: "a:1" }, socket: { encrypted: true } }).request.origin).toBe("https://a:1");
    expect(open().request.origin).toBe("http://");
  });

  it("has a body where a length or pieces are announced", () => {
    expect(open({ headers: { "content-length": "0" } }).request.hasBody).toBe(true);
    expect(open({ headers: { "transfer-encoding": "chunked" } }).request.hasBody).toBe(true);
  });

  it("has its headers by name, lists joined, and the id that it was sent", () => {
    const { request } = open({ headers: { "set-cookie": ["a", "b"], "x-request-id": "mine-1" } });
    expect([request.header("set-cookie"), request.header("constructor"), request.id]).toEqual(["a, b", undefined, "mine-1"]);
    expect(request.headerNames()).toEqual(["set-cookie", "x-request-id"]);
  });

  it.each<[Sent, string | undefined]>([
    [{ headers: { host: "a" } }, undefined],
    [{ headers: { host: "a" }, raw: ["HOST", "a", "hos", "b", "hosts", "c", "x-ab", "host"] }, undefined],
    [{ headers: {} }, "it has no Host header"],
    [{ headers: { host: "a" }, raw: ["Host", "a", "Host", "a"] }, "it has more than one Host header"],
    [{ headers: { host: "a, b" }, raw: ["Host", "a, b"] }, "its Host header names more than one host"],
    [{ headers: { host: "A:1" }, raw: ["Host", "A:1"], url: "http://a:1/x" }, undefined],
    [{ headers: { host: "a" }, url: "http://b/x" }, "its request line and its Host header name different hosts"],
    [{ headers: { host: "a" }, url: "*" }, undefined],
    [{ raw: ["Host", ""], url: "/" }, undefined],
  ])("tells what is wrong with its host: %j", (sent, fault) => {
    expect(open(sent).request.hostFault()).toBe(fault);
  });

  it("gives its body once it is whole, or why it is none, once", () => {
    const read = (...events: readonly (string | [string, unknown])[]): readonly string[] => {
      const { request, incoming } = open();
      const told: string[] = [];
      request.readBody(
        5,
        (bytes) => told.push(`took ${Buffer.from(bytes).toString()}`),
        (fault: BodyFault) => told.push(fault),
      );
      for (const event of events) {
        if (typeof event === "string") incoming.emit("data", Buffer.from(event));
        else incoming.emit(...event);
      }
      return told;
    };
    const end: [string, unknown] = ["end", undefined];
    const error: [string, unknown] = ["error", new Error("gone")];
    expect(read("abcde", end)).toEqual(["took abcde"]);
    expect(read("ab", "cde", end, end)).toEqual(["took abcde"]);
    expect(read(end)).toEqual(["took "]);
    expect(read("abcdef", end)).toEqual(["too-large"]);
    expect(read("abc", "def", "ghi", error, end)).toEqual(["too-large"]);
    expect(read("ab", error, end, error)).toEqual(["broken-off"]);
    expect(read("ab", end, error)).toEqual(["took ab"]);
  });

  it("tells that its client left before the answer was finished, and in any case that it is over", () => {
    const told: string[] = [];
    const left = open({}, () => told.push("closed"));
    left.request.onLeave(() => told.push("left"));
    left.outgoing.emit("close");
    expect(told.splice(0)).toEqual(["left", "closed"]);
    const finished = open({}, () => told.push("closed"));
    finished.request.onLeave(() => told.push("left"));
    finished.outgoing.writableFinished = true;
    finished.outgoing.emit("close");
    expect(told.splice(0)).toEqual(["closed"]);
    const gone = open();
    gone.outgoing.destroyed = true;
    gone.request.onLeave(() => told.push("left already"));
    expect(told).toEqual(["left already"]);
    gone.outgoing.emit("close");
    expect(told).toHaveLength(1);
  });
});

describe("an answer to a request of node:http", () => {
  const id = { "x-request-id": "mine-1" };
  const answered = (reply: Reply, sent = true): readonly unknown[] => {
    const { request, outgoing } = open({ headers: id });
    outgoing.headersSent = !sent;
    request.send(reply, (error) => ({ status: 500, headers: { why: (error as Error).message }, body: "instead" }));
    return [...outgoing.written, ...(outgoing.destroyed ? ["destroyed"] : [])];
  };

  it("has its status, its headers, its length and the id of the request", () => {
    expect(answered({ status: 204, headers: { a: "1" } })).toEqual([
      [204, { a: "1", ...id }],
      ["end", undefined],
    ]);
    expect(answered({ status: 200, headers: { a: "1" }, body: "größer" })).toEqual([
      [200, { a: "1", ...id, "content-length": 8 }],
      ["end", "größer"],
    ]);
  });

  it("is replaced where it cannot be written, and cut off where its head was sent", () => {
    const broken: Reply = {
      headers: {},
      handler: {
        node: () => {
          throw new Error("broken");
        },
        fetch: () => Promise.reject(new Error("not here")),
      },
    };
    expect(answered(broken)).toEqual([
      ["x-request-id", "mine-1"],
      [500, { why: "broken", ...id, "content-length": 7 }],
      ["end", "instead"],
    ]);
    expect(answered(broken, false)).toEqual([["x-request-id", "mine-1"], "destroyed"]);
  });
});
