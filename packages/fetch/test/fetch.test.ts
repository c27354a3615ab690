import { getEventListeners } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { sized } from "@toolrack/testkit/sized";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readAllowedHosts } from "../src/address/hosts.ts";
import type { Resolve } from "../src/address/lookup.ts";
import { singleMetadataAddresses } from "../src/address/metadata.ts";
import { isPublicAddress } from "../src/address/public.ts";
import { refusedMetadata } from "../src/address/reserved.ts";
import { createSafeFetch, type SafeFetch, type SafeFetchOptions } from "../src/fetch/fetch.ts";
import { untilAborted } from "../src/fetch/until-aborted.ts";

let server: Server;
let port: number;
let hits: { url: string; headers: IncomingMessage["headers"]; method: string; body: string }[] = [];
const opened: SafeFetch[] = [];

const safeFetch = (options?: SafeFetchOptions): SafeFetch => {
  const made = createSafeFetch(options);
  opened.push(made);
  return made;
};

const packed: Readonly<Record<string, (text: string) => Buffer>> = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync };

function respond(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url!, "http://x");
  let body = "";
  request.on("data", (chunk: Buffer) => (body += chunk.toString()));
  request.on("end", () => {
    hits.push({ url: request.url!, headers: request.headers, method: request.method!, body });
    if (url.pathname === "/redirect")
      response.writeHead(Number(url.searchParams.get("status") ?? 302), { location: url.searchParams.get("to")! }).end();
    else if (url.pathname === "/loop") response.writeHead(302, { location: "/loop" }).end();
    else if (url.pathname === "/large") response.end("x".repeat(100_000));
    else if (url.pathname === "/packed")
      response
        .writeHead(200, { "content-encoding": url.searchParams.get("as")! })
        .end(
          url.searchParams.has("size")
            ? packed[url.searchParams.get("as")!]!("x".repeat(Number(url.searchParams.get("size"))))
            : "as it is",
        );
    else if (url.pathname === "/slow") return;
    else response.writeHead(200, { "content-type": "text/plain", "set-cookie": ["a=1", "b=2"] }).end(`hello ${request.method}`);
  });
}

beforeAll(async () => {
  server = createServer(respond);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  await Promise.all(opened.map((one) => one.close()));
  server.closeAllConnections();
  server.close();
});

describe("public addresses", () => {
  it("S17: are those of the internet and no others", () => {
    for (const address of ["8.8.8.8", "1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "2a00:1450:4001:800::200e"])
      expect(isPublicAddress(address), address).toBe(true);
    const refused = [
      "127.0.0.1 127.255.255.255 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 0.1.2.3 255.255.255.255 224.0.0.1 240.0.0.1",
      "192.0.0.1 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1",
      ":: ::1 fe80::1 fe80::1%eth0 fc00::1 fd12:3456::1 ff02::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 2002:7f00:1:: 2001::1 2001:db8::1 fec0::1 100::1 4000::1",
      "not-an-address",
    ];
    for (const address of refused.join(" ").split(" ")) expect(isPublicAddress(address), address).toBe(false);
  });
});

describe("the metadata services of clouds", () => {
  const addresses = [
    ...singleMetadataAddresses,
    "169.254.169.254",
    "169.254.170.2",
    "::ffff:168.63.129.16",
    "2002:a83f:8110::",
    "64:ff9b::a83f:8110",
  ];

  it.each(addresses)("S17: are no public addresses, at %s, and stay refused for a host that is allowed", async (address) => {
    expect(isPublicAddress(address)).toBe(false);
    const reserved = { allowed: readAllowedHosts(["wiki.internal"]), isOwnAddress: () => false, key: "allowHosts" };
    expect(refusedMetadata("wiki.internal", address, reserved)?.code).toBe("ADDRESS_REFUSED");
    const family = address.includes(":") ? 6 : 4;
    const fetch = safeFetch({ resolve: async () => [{ address, family }] });
    for (const host of ["innocent.example", family === 6 ? `[${address}]` : address])
      await expect(fetch(`http://${host}:1/`), host).rejects.toMatchObject({ code: "ADDRESS_REFUSED" });
  });
});

describe("a request that is given up while its host is being resolved", () => {
  /** A resolver that answers when it is told to, and how often it was asked. */
  const hanging = () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const asked = { count: 0 };
    const resolve: Resolve = async () => {
      asked.count++;
      await released;
      return [{ address: "127.0.0.1", family: 4 }];
    };
    return { resolve, release, asked };
  };

  it("is over at once: its time is that of the whole request", async () => {
    const { resolve, release } = hanging();
    const fetch = safeFetch({ resolve, allowHosts: ["slow.internal"] });
    // The cause tells what ended it: not the client's own limit for connections.
    await expect(fetch(`http://slow.internal:${port}/`, { timeoutMs: 20 })).rejects.toMatchObject({
      code: "TIMEOUT",
      message: `slow.internal:${port} did not answer within 20 ms.`,
      cause: { name: "TimeoutError" },
    });
    release();
  });

  it("is over when the caller aborts, sends nothing later, and leaves no listener on the signal", async () => {
    const { resolve, release, asked } = hanging();
    const fetch = safeFetch({ resolve, allowHosts: ["slow.internal"] });
    const controller = new AbortController();
    const reason = new Error("enough");
    hits = [];
    const given = expect(fetch(`http://slow.internal:${port}/late`, { signal: controller.signal })).rejects.toMatchObject({
      code: "ABORTED",
      cause: reason,
    });
    await expect.poll(() => asked.count).toBe(1);
    controller.abort(reason);
    await given;
    release();
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    expect((await fetch(`http://slow.internal:${port}/after`)).ok).toBe(true);
    expect(hits.map(({ url }) => url)).toEqual(["/after"]);
  });

  it("is over for each of many on one signal that stays, which keeps no listener", async () => {
    const { signal } = new AbortController();
    const { resolve, release } = hanging();
    const fetch = safeFetch({ resolve, allowHosts: ["slow.internal"] });
    const outcomes = Array.from({ length: 5 }, () =>
      fetch(`http://slow.internal:${port}/`, { signal, timeoutMs: 20 }).catch(({ code }) => code),
    );
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(["TIMEOUT"]));
    expect(getEventListeners(signal, "abort")).toEqual([]);
    release();
  });

  it("discards an answer that comes after all, also one whose body fails, and passes a late failure over", async () => {
    const controller = new AbortController();
    let answer!: (response: { readonly body: Readable }) => void;
    const late = untilAborted(new Promise<{ readonly body: Readable }>((resolve) => (answer = resolve)) as never, controller.signal);
    const failing = untilAborted(new Promise<never>((_, reject) => setImmediate(() => reject(new Error("too late")))), controller.signal);
    controller.abort(new Error("enough"));
    await expect(late).rejects.toThrow("enough");
    await expect(failing).rejects.toThrow("enough");
    const body = new Readable({ destroy: (_, done) => done(new Error("broken")), read: () => undefined });
    answer({ body });
    await expect.poll(() => body.closed).toBe(true);
    await new Promise((resolve) => setImmediate(resolve)); // an unhandled rejection would fail this file
    expect([body.destroyed, getEventListeners(controller.signal, "abort")]).toEqual([true, []]);
  });
});

describe("safe fetching", () => {
  it("S17: refuses addresses that are not public in every notation, before a connection is made", async () => {
    const fetch = safeFetch();
    hits = [];
    const hosts =
      "127.0.0.1 127.1 0x7f.1 0177.0.0.1 2130706433 0x7f000001 017700000001 0 0.0.0.0 [::1] [::] [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:0:0:1] 169.254.169.254 2852039166 [fd00:ec2::254] 10.0.0.1 192.168.0.1 １２７.0.0.1 127。0。0。1";
    for (const host of hosts.split(" ")) {
      await expect(fetch(`http://${host}:${port}/`), host).rejects.toMatchObject({ code: "ADDRESS_REFUSED" });
    }
    expect(hits).toEqual([]);
  });

  it("S17: refuses names that resolve to such an address, also when only one of several does", async () => {
    hits = [];
    const answers = [
      [{ address: "127.0.0.1", family: 4 }],
      [{ address: "::1", family: 6 }],
      [{ address: "::ffff:10.0.0.1", family: 6 }],
      [
        { address: "93.184.216.34", family: 4 },
        { address: "127.0.0.1", family: 4 },
      ],
      [],
    ];
    for (const answer of answers) {
      const fetch = safeFetch({ resolve: async () => answer });
      await expect(fetch(`http://innocent.example:${port}/`), JSON.stringify(answer)).rejects.toMatchObject({
        code: "ADDRESS_REFUSED",
        message: expect.stringContaining("innocent.example"),
      });
    }
    await expect(safeFetch()(`http://localhost:${port}/`)).rejects.toMatchObject({ code: "ADDRESS_REFUSED" });
    expect(hits).toEqual([]);
  });

  it("S17: resolves once for a connection, so that a second, other answer gains nothing", async () => {
    let asked = 0;
    hits = [];
    const fetch = safeFetch({
      timeoutMs: 300,
      resolve: async () => [{ address: asked++ === 0 ? "93.184.216.34" : "127.0.0.1", family: 4 }],
    });
    await fetch(`http://rebinding.example:${port}/`).catch(() => undefined); // whether that address answers does not matter
    expect(asked).toBe(1);
    expect(hits).toEqual([]);
  });

  it("S17: refuses a redirect that leads inward, and follows one that does not", async () => {
    const allowHosts = [`localhost:${port}`];
    const fetch = safeFetch({ allowHosts });
    const inward = [
      `http://127.0.0.1:${port}/`,
      "http://169.254.169.254/latest/meta-data/",
      `http://[::1]:${port}/`,
      `//127.0.0.1:${port}/`,
      "http://2130706433/",
      `http://127.1:${port}`,
    ];
    for (const to of inward) {
      hits = [];
      await expect(fetch(`http://localhost:${port}/redirect?to=${encodeURIComponent(to)}`), to).rejects.toMatchObject({
        code: "ADDRESS_REFUSED",
      });
      expect(hits).toHaveLength(1);
    }
    await expect(fetch(`http://localhost:${port}/redirect?to=${encodeURIComponent("file:///etc/passwd")}`)).rejects.toMatchObject({
      code: "URL_INVALID",
    });
    const response = await fetch(`http://localhost:${port}/redirect?to=%2Fend`);
    expect(response).toMatchObject({ ok: true, status: 200, url: `http://localhost:${port}/end` });
    await expect(fetch(`http://localhost:${port}/loop`)).rejects.toMatchObject({ code: "TOO_MANY_REDIRECTS" });
  });

  it("S17: never reaches the metadata service of a cloud through a name that is allowed", async () => {
    const addresses = [
      "169.254.169.254",
      "169.254.170.2",
      "100.100.100.200",
      "fd00:ec2::254",
      "::ffff:169.254.169.254",
      "fe80::a9fe:a9fe",
      "64:ff9b::a9fe:a9fe",
      "64:ff9b:1::a9fe:a9fe",
      "2002:a9fe:a9fe::",
      "::a9fe:a9fe",
    ];
    for (const address of addresses) {
      // The first address is this test's own server, so that nothing else is reached where the refusal is missing.
      const resolve = async () => [
        { address: "127.0.0.1", family: 4 },
        { address, family: address.includes(":") ? 6 : 4 },
      ];
      const fetch = safeFetch({ allowHosts: ["wiki.internal"], resolve, allowHostsKey: "web.allowHosts" });
      await expect(fetch(`http://wiki.internal:${port}/`), address).rejects.toMatchObject({
        code: "ADDRESS_REFUSED",
        message: expect.stringMatching(/"wiki\.internal" leads to .*metadata.*web\.allowHosts/),
      });
    }
  });

  it("may reach the metadata service of a cloud where the configuration names its address, or its own name", () => {
    const refused = (host: string, address: string, ...allowHosts: string[]): boolean =>
      refusedMetadata(host, address, { allowed: readAllowedHosts(allowHosts), isOwnAddress: () => false, key: "allowHosts" }) !== undefined;
    expect(refused("wiki.internal", "169.254.169.254", "wiki.internal:80")).toBe(true);
    expect(refused("wiki.internal", "169.254.169.254", "wiki.internal", "169.254.169.254")).toBe(false);
    expect(refused("wiki.internal", "169.254.169.254", "wiki.internal", "169.254.169.254:80")).toBe(false);
    expect(refused("fd00:ec2::254", "fd00:ec2::254", "[fd00:ec2::254]:80")).toBe(false);
    expect(refused("metadata.google.internal", "169.254.169.254", "metadata.google.internal")).toBe(false);
    expect(refused("wiki.internal", "10.0.0.7", "wiki.internal")).toBe(false);
  });

  it("S17: reaches an address of its own process only if the configuration names it with its port", async () => {
    hits = [];
    const isOwnAddress = (address: string, ownPort: number): boolean => address === "127.0.0.1" && ownPort === port;
    const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
    for (const [host, allowHosts] of [
      ["127.0.0.1", ["127.0.0.1"]],
      ["127.1", ["127.0.0.1"]],
      ["wiki.internal", ["wiki.internal"]],
    ] as const) {
      const fetch = safeFetch({ allowHosts, isOwnAddress, resolve });
      await expect(fetch(`http://${host}:${port}/`), host).rejects.toMatchObject({
        code: "ADDRESS_REFUSED",
        message: expect.stringMatching(/leads to this server.*allowHosts/),
      });
    }
    expect(hits).toEqual([]);
    expect((await safeFetch({ allowHosts: [`127.0.0.1:${port}`], isOwnAddress })(`http://127.0.0.1:${port}/`)).ok).toBe(true);
    const other = safeFetch({ allowHosts: ["127.0.0.1"], isOwnAddress: (_, ownPort) => ownPort === port + 1 });
    expect((await other(`http://127.0.0.1:${port}/`)).ok).toBe(true);
  });

  it("names the key of the configuration that would allow a host", async () => {
    const fetch = safeFetch({ allowHostsKey: "tools.records.allowHosts" });
    await expect(fetch("http://10.0.0.7/")).rejects.toThrow("add it to tools.records.allowHosts.");
    await expect(fetch("http://localhost/")).rejects.toThrow("add it to tools.records.allowHosts.");
    await expect(safeFetch()("http://10.0.0.7/")).rejects.toThrow("add it to allowHosts.");
  });

  it("reaches a host that the configuration names, on that port only", async () => {
    const fetch = safeFetch({ allowHosts: [`127.0.0.1:${port}`] });
    const response = await fetch(`http://127.0.0.1:${port}/a?b=c`, { method: "POST", body: "text" });
    expect(response.text()).toBe("hello POST");
    expect(response.headers).toMatchObject({ "content-type": "text/plain", "set-cookie": "a=1, b=2" });
    await expect(fetch(`http://127.0.0.1:${port + 1}/`)).rejects.toMatchObject({ code: "ADDRESS_REFUSED" });
    await expect(fetch(`http://localhost:${port}/`)).rejects.toMatchObject({ code: "ADDRESS_REFUSED" });
    expect((await safeFetch({ allowHosts: ["127.0.0.1"] })(`http://127.1:${port}/`)).ok).toBe(true);
    for (const wrong of ["*", "http://x", "a b", "*.example.com", "x/y"])
      expect(() => createSafeFetch({ allowHosts: [wrong] }), wrong).toThrow(/allowed host/);
  });

  it("does not carry credentials to another origin, nor a body where browsers do not", async () => {
    hits = [];
    const fetch = safeFetch({ allowHosts: [`127.0.0.1:${port}`, `localhost:${port}`] });
    const to = encodeURIComponent(`http://localhost:${port}/other`);
    const headers = {
      authorization: "Bearer secret",
      "x-api-key": "secret",
      cookie: "a=b",
      accept: "text/plain",
      "content-type": "text/plain",
    };
    await fetch(`http://127.0.0.1:${port}/redirect?to=${to}`, { method: "POST", body: "text", headers });
    expect(JSON.stringify(hits[1])).not.toContain("secret");
    expect(hits[1]).toMatchObject({ method: "GET", body: "", headers: { accept: "text/plain" } });
    await fetch(`http://127.0.0.1:${port}/redirect?status=307&to=%2Fsame`, { method: "POST", body: "text", headers });
    expect(hits[3]).toMatchObject({ method: "POST", body: "text", headers: { authorization: "Bearer secret" } });
  });

  it("S23: refuses other schemes, user names in URLs, and headers that break out", async () => {
    const fetch = safeFetch();
    for (const url of [
      "ftp://example.com/",
      "file:///etc/passwd",
      "gopher://x",
      "data:text/plain,x",
      "http://user:pw@example.com/",
      "http://",
      "nonsense",
    ]) {
      await expect(fetch(url), url).rejects.toMatchObject({ code: "URL_INVALID" });
    }
    const broken: Record<string, string>[] = [
      { "x-a": "1\r\nx-b: 2" },
      { "x-a": "1\n" },
      { "x a": "1" },
      { host: "internal" },
      { "transfer-encoding": "chunked" },
      { "x-a": "ü€" },
    ];
    for (const headers of broken)
      await expect(fetch("http://93.184.216.34/", { headers })).rejects.toMatchObject({ code: "HEADER_INVALID" });
  });

  it.each(["gzip", "deflate", "br"])("unpacks an answer that comes as %s unasked, within the limit of size", async (as) => {
    const fetch = safeFetch({ allowHosts: [`127.0.0.1:${port}`], maxBytes: 20_000 });
    const answer = await fetch(`http://127.0.0.1:${port}/packed?as=${as}&size=20000`);
    expect(answer.text()).toBe("x".repeat(20_000));
    expect(answer.headers).not.toHaveProperty("content-encoding");
    expect(hits.at(-1)!.headers["accept-encoding"]).toBe("identity");
    await expect(fetch(`http://127.0.0.1:${port}/packed?as=${as}&size=${sized(5_000_000, 50_000_000)}`)).rejects.toMatchObject({
      code: "RESPONSE_TOO_LARGE",
      message: expect.stringMatching(/more than 20000 bytes/) as string,
    });
  });

  it("leaves an answer as it is that is not compressed as it says", async () => {
    const fetch = safeFetch({ allowHosts: [`127.0.0.1:${port}`] });
    for (const as of ["gzip", "br", "zstd", "constructor", "identity"]) {
      const answer = await fetch(`http://127.0.0.1:${port}/packed?as=${as}`);
      expect([answer.text(), answer.headers["content-encoding"]]).toEqual(["as it is", as]);
    }
  });

  it("stops at its limits of size and time, and when the caller gives up", async () => {
    const fetch = safeFetch({ allowHosts: [`127.0.0.1:${port}`], maxBytes: 1_000 });
    await expect(fetch(`http://127.0.0.1:${port}/large`)).rejects.toMatchObject({ code: "RESPONSE_TOO_LARGE" });
    await expect(fetch(`http://127.0.0.1:${port}/slow`, { timeoutMs: 50 })).rejects.toMatchObject({ code: "TIMEOUT", retryable: true });
    const controller = new AbortController();
    hits = [];
    const given = expect(fetch(`http://127.0.0.1:${port}/slow?given`, { signal: controller.signal })).rejects.toMatchObject({
      code: "ABORTED",
    });
    await expect.poll(() => hits.filter(({ url }) => url === "/slow?given").length).toBe(1);
    controller.abort();
    await given;
    await expect(fetch(`http://127.0.0.1:${port}/`, { signal: controller.signal })).rejects.toMatchObject({ code: "ABORTED" });
    await expect(safeFetch({ allowHosts: ["127.0.0.1:9"] })("http://127.0.0.1:9/")).rejects.toMatchObject({
      code: "UNREACHABLE",
      retryable: true,
    });
  });
});
