import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { turns } from "@toolrack/testkit/turns";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { createGuardedFetch, type GuardedFetchOptions } from "../../../src/upstream/http/guarded-fetch.ts";

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  afterThisTest(() => server.closeAllConnections());
  afterThisTest(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function fetchWith(options: Partial<GuardedFetchOptions> = {}): ReturnType<typeof createGuardedFetch> {
  const fetch = createGuardedFetch({ maxBytes: 1_000, headers: {}, origin: "https://example.com", ...options });
  afterThisTest(() => fetch.close());
  return fetch;
}

describe("requests to upstream servers", () => {
  it("go to no address that is not public, however it is written", async () => {
    const fetch = fetchWith();
    for (const host of [
      "127.0.0.1",
      "localhost",
      "127.1",
      "2130706433",
      "0x7f.1",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "169.254.169.254",
      "10.0.0.1",
      "192.168.1.1",
      "0.0.0.0",
    ]) {
      await expect(fetch(`http://${host}:9/mcp`), host).rejects.toMatchObject({
        code: "ADDRESS_REFUSED",
        message: expect.stringContaining("allowHosts"),
      });
    }
    for (const url of ["file:///etc/passwd", "ftp://example.com", "data:text/plain,x"])
      await expect(fetch(url)).rejects.toMatchObject({ code: "URL_INVALID" });
  });

  it("go to a host that is allowed, at the port that is allowed", async () => {
    const url = await serve((_request, response) => response.end("hello"));
    const { port } = new URL(url);
    expect(await (await fetchWith({ allowHosts: [`127.0.0.1:${port}`] })(url)).text()).toBe("hello");
    expect(await (await fetchWith({ allowHosts: ["localhost"] })(`http://localhost:${port}`)).text()).toBe("hello");
    await expect(fetchWith({ allowHosts: ["127.0.0.1:1"] })(url)).rejects.toMatchObject({ code: "ADDRESS_REFUSED" });
    for (const entry of ["*", "a/b", "http://x", "a b", ""]) expect(() => fetchWith({ allowHosts: [entry] })).toThrow("must be a host");
  });

  it("are sent again once where an idle connection broke, unless they call a tool", async () => {
    let [requests, breaks] = [0, 0];
    const url = await serve((request, response) => {
      requests++;
      if (request.url === "/break" && breaks-- > 0) return void request.socket.resetAndDestroy();
      response.end("hello");
    });
    const fetch = fetchWith({ allowHosts: ["127.0.0.1"] });
    const attempt = async (times: number, body: string) => {
      await (await fetch(url)).text(); // leaves a connection open
      [requests, breaks] = [0, times];
      const outcome = await fetch(`${url}/break`, { method: "POST", body }).then(
        (response) => response.text(),
        () => "failed",
      );
      return [outcome, requests];
    };
    expect(await attempt(0, "{}")).toEqual(["hello", 1]);
    expect(await attempt(1, '{"method":"tools/list"}')).toEqual(["hello", 2]);
    expect(await attempt(2, '{"method":"tools/list"}')).toEqual(["failed", 2]);
    expect(await attempt(1, '{"method":"tools/call"}')).toEqual(["failed", 1]);
    [requests, breaks] = [0, 1];
    await expect(fetchWith({ allowHosts: ["127.0.0.1"] })(`${url}/break`)).rejects.toThrow();
    expect(requests).toBe(1);
  });

  it("S14: send no user name or password that an address brings along, as an authorization server may write it", async () => {
    const url = await serve((_request, response) => response.end("hello"));
    const fetch = fetchWith({ allowHosts: ["127.0.0.1"] });
    await expect(fetch(url.replace("//", "//user:password@"))).rejects.toMatchObject({ code: "URL_INVALID" });
    await expect(fetch("not an address")).rejects.toMatchObject({ code: "URL_INVALID" });
  });

  it("go to an allowed host also where its name ends with a dot", async () => {
    const fetch = fetchWith({ allowHosts: ["wiki.invalid."] });
    // The name leads nowhere; it is not refused.
    await expect(fetch("http://wiki.invalid./")).rejects.toMatchObject({ code: "UNREACHABLE" });
    await expect(fetchWith({ allowHosts: ["[::1]:9"] })("http://[::1]:9/")).rejects.toMatchObject({ code: "UNREACHABLE" });
  });

  it("follow no redirect", async () => {
    const url = await serve((_request, response) => response.writeHead(302, { location: "http://169.254.169.254/" }).end());
    const answer = await fetchWith({ allowHosts: ["127.0.0.1"] })(url);
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "http://169.254.169.254/"]);
  });

  it("carry the credentials to their own origin, and to no other", async () => {
    const seen: unknown[] = [];
    const listener: RequestListener = (request, response) => {
      seen.push(request.headers.authorization);
      response.end();
    };
    const [own, other] = [await serve(listener), await serve(listener)];
    const fetch = fetchWith({ allowHosts: ["127.0.0.1"], origin: own, headers: { Authorization: "Bearer own" } });
    await fetch(own);
    await fetch(other);
    expect(seen).toEqual(["Bearer own", undefined]);
  });

  it("end where an answer grows too large, and an event stream where a single event does", async () => {
    const url = await serve((request, response) => {
      const isStream = request.url === "/stream";
      response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
      for (let event = 0; event < 100; event++) response.write(`data: ${"x".repeat(100)}\n\n`);
      response.end(isStream ? "" : "x".repeat(2_000));
    });
    const fetch = fetchWith({ allowHosts: ["127.0.0.1"] });
    await expect(fetch(url)).rejects.toMatchObject({ code: "RESPONSE_TOO_LARGE" });
    expect((await (await fetch(`${url}/stream`)).text()).length).toBeGreaterThan(10_000);
    const endless = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const timer = setInterval(() => response.write(`data: ${"x".repeat(500)}`), 1);
      response.on("close", () => clearInterval(timer));
    });
    const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call" });
    const text = await (await fetch(endless, { method: "POST", body })).text();
    expect(text).toContain('"id":7,"error"');
    expect(text.length).toBeLessThan(2_000);
  });

  it("are sent again when an idle connection closed under them, unless they call a tool", async () => {
    let requests = 0;
    const url = await serve((request, response) => {
      if (++requests % 2 === 0) request.socket.destroy();
      else response.end("answered");
    });
    const fetch = fetchWith({ allowHosts: ["127.0.0.1"] });
    const post = async (method: string): Promise<string> =>
      (await fetch(url, { method: "POST", body: JSON.stringify({ id: 1, method }) })).text();
    expect(await post("tools/list")).toBe("answered");
    expect(await post("tools/list")).toBe("answered");
    expect(requests).toBe(3);
    await expect(post("tools/call")).rejects.toMatchObject({ code: "UNREACHABLE" });
    expect(requests).toBe(4);
  });

  it("can be given up, before and during the answer", async () => {
    const url = await serve((request, response) => {
      if (request.url === "/begun") response.writeHead(200, { "content-type": "text/event-stream" }).write("a");
    });
    const fetch = fetchWith({ allowHosts: ["127.0.0.1"] });
    const controller = new AbortController();
    const waiting = fetch(url, { signal: controller.signal });
    const begun = await fetch(`${url}/begun`, { signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
    await expect(begun.text()).rejects.toThrow();
  });

  it("hand the answer over as it came: status, its words, every header, and a body where there may be one", async () => {
    const url = await serve((request, response) => {
      const status = Number(request.url!.slice(1));
      response.writeHead(
        status,
        "As told",
        [
          ["a", "1"],
          ["Set-Cookie", "b=2"],
          ["Set-Cookie", "c=3"],
        ].flat(),
      );
      response.end(status === 200 ? "hello" : "");
    });
    const fetch = fetchWith({ allowHosts: ["127.0.0.1"] });
    const answer = await fetch(`${url}/200`);
    expect([answer.status, answer.statusText, answer.headers.get("a"), answer.headers.getSetCookie()]).toEqual([
      200,
      "As told",
      "1",
      ["b=2", "c=3"],
    ]);
    expect(await answer.text()).toBe("hello");
    for (const status of [204, 205, 304]) {
      const empty = await fetch(`${url}/${status}`);
      expect([empty.status, empty.body]).toEqual([status, null]);
    }
  });

  it("say what they send: its method, its headers, and that it must not be compressed", async () => {
    const seen: unknown[] = [];
    const url = await serve((request, response) => {
      let body = "";
      request.on("data", (chunk) => (body += String(chunk)));
      request.on("end", () => {
        const { "accept-encoding": encoding, "content-type": type, x } = request.headers;
        seen.push([request.method, encoding, type, x, body]);
        response.end();
      });
    });
    const fetch = fetchWith({ allowHosts: ["127.0.0.1"] });
    await fetch(new URL(url));
    await fetch(url, { method: "POST", body: "text", headers: { x: "1", "accept-encoding": "br" } });
    await fetch(url, { method: "POST", body: new URLSearchParams({ a: "b c" }) });
    await fetch(url, { method: "POST", body: new URLSearchParams({ a: "b" }), headers: { "content-type": "own/type" } });
    await fetch(url, { method: "DELETE", body: null, signal: null });
    expect(seen).toEqual([
      ["GET", "identity", undefined, undefined, ""],
      ["POST", "br", undefined, "1", "text"],
      ["POST", "identity", "application/x-www-form-urlencoded;charset=UTF-8", undefined, "a=b+c"],
      ["POST", "identity", "own/type", undefined, "a=b"],
      ["DELETE", "identity", undefined, undefined, ""],
    ]);
    await expect(fetch(url, { method: "POST", body: Buffer.from("a") })).rejects.toThrow("Only text can be sent to an MCP server.");
  });

  it("tell of the credentials that go out and come in", async () => {
    const told: unknown[] = [];
    const url = await serve((_request, response) => response.end(JSON.stringify({ access_token: "t0ken-that-came-in" })));
    const fetch = fetchWith({ allowHosts: ["127.0.0.1"], onCredentials: (credentials) => told.push(...credentials) });
    await fetch(url, { headers: { authorization: "Bearer t0ken-that-went-out" } });
    expect(told.join(" ")).toMatch(/t0ken-that-went-out.*t0ken-that-came-in/);
  });

  it("pass no message on that two readers could read in two ways", async () => {
    const twofold = '{"jsonrpc":"2.0","id":7,"result":{"a":1,"a":2}}';
    const url = await serve((request, response) => response.end(request.url === "/other" ? '{"a":1,"a":2}' : twofold));
    const fetch = fetchWith({ allowHosts: ["127.0.0.1"] });
    const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call" });
    const refused = (await (await fetch(url, { method: "POST", body })).json()) as { id: number; error: object; result?: unknown };
    expect([refused.id, refused.error, refused.result]).toEqual([7, expect.objectContaining({ message: expect.any(String) }), undefined]);
    expect(await (await fetch(`${url}/other`)).text()).toBe('{"a":1,"a":2}');
  });

  it("say what cannot be reached, and why", async () => {
    const url = await serve((request) => request.socket.destroy());
    const { host } = new URL(url);
    await expect(fetchWith({ allowHosts: [host] })(url)).rejects.toMatchObject({
      code: "UNREACHABLE",
      message: `${host} cannot be reached: ECONNRESET.`,
      cause: expect.objectContaining({ code: "ECONNRESET" }),
    });
  });

  it("keep a connection for the next one, and none after they are closed", async () => {
    const sockets = new Set<unknown>();
    let closed = 0;
    const url = await serve((request, response) => {
      if (!sockets.has(request.socket)) request.socket.once("close", () => closed++);
      sockets.add(request.socket);
      response.end("hello");
    });
    const fetch = fetchWith({ allowHosts: ["127.0.0.1"] });
    for (let times = 0; times < 3; times++) await (await fetch(url)).text();
    expect([sockets.size, closed]).toEqual([1, 0]);
    fetch.close();
    await until(() => closed === 1);
  });

  it("may share one signal, any number of them, without a warning", async () => {
    const url = await serve((_request, response) => response.end("hello"));
    const warnings: string[] = [];
    const onWarning = ({ name }: Error): void => void warnings.push(name);
    process.on("warning", onWarning);
    afterThisTest(() => process.off("warning", onWarning));
    const { signal } = new AbortController();
    const fetch = fetchWith({ allowHosts: ["127.0.0.1"] });
    await Promise.all(Array.from({ length: 12 }, async () => (await fetch(url, { signal })).text()));
    await turns(3);
    expect(warnings).toEqual([]);
  });
});
