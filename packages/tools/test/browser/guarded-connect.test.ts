import { startLoopback } from "@toolrack/testkit/loopback";
import { describe, expect, it } from "vitest";
import { createGuardedConnect } from "../../src/browser/guarded-connect.ts";
import { safeName } from "../../src/browser/downloads.ts";
import { startProxy } from "../../src/browser/proxy.ts";

describe("the way out of a browser", () => {
  it("AH4: connects to the very address that was checked, and asks for it once", async () => {
    await using server = await startLoopback((_, response) => void response.end());
    const port = server.host.split(":")[1];
    const answers = ["127.0.0.1", "127.0.0.2"];
    let asked = 0;
    const connect = createGuardedConnect({
      allowHosts: [`rebind.example:${port}`],
      resolve: async () => [{ address: answers[asked++]!, family: 4 }],
    });
    const socket = await connect(`http://rebind.example:${port}/`);
    expect([socket.remoteAddress, asked]).toEqual(["127.0.0.1", 1]);
    socket.destroy();
  });

  it("AH4: refuses a name as soon as one of its addresses is private", async () => {
    const resolve = async () => [
      { address: "93.184.216.34", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ];
    await expect(createGuardedConnect({ resolve })("https://both.example/")).rejects.toMatchObject({ code: "ADDRESS_REFUSED" });
    const metadata = async () => [{ address: "169.254.169.254", family: 4 }];
    const named = createGuardedConnect({ allowHosts: ["cloud.example"], resolve: metadata });
    await expect(named("http://cloud.example/")).rejects.toMatchObject({ code: "ADDRESS_REFUSED" });
  });

  it("AH1: reaches no address of the server itself, although the list names it, and connects to none", async () => {
    await using server = await startLoopback((_, response) => void response.end());
    const port = Number(server.host.split(":")[1]);
    const options = {
      allowHosts: [`127.0.0.1:${port}`, `name.example:${port}`, `public.example:${port}`],
      isOwnAddress: (address: string, at: number, host: string) => at === port && (address === "127.0.0.1" || host === "public.example"),
      resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    };
    const connect = createGuardedConnect(options);
    for (const host of ["127.0.0.1", "name.example", "public.example", "2130706433", "0x7f.1"])
      await expect(connect(`http://${host}:${port}/`)).rejects.toMatchObject({ code: "ADDRESS_REFUSED" });
    const socket = await createGuardedConnect({ ...options, isOwnAddress: () => false })(`http://name.example:${port}/`);
    expect(socket.remotePort).toBe(port);
    socket.destroy();
  });

  it("passes on what is allowed, and says what is not", async () => {
    await using server = await startLoopback((request, response) => void response.end(`${request.method} ${request.path} ${request.body}`));
    const proxy = await startProxy(createGuardedConnect({ allowHosts: [server.host] }));
    const ask = async (url: string): Promise<string> => {
      const { request } = await import("node:http");
      return new Promise((resolve, reject) => {
        request(proxy.url, { path: url, method: "POST" }, (response) => {
          let text = "";
          response.on("data", (part) => (text += String(part))).on("end", () => resolve(`${response.statusCode} ${text}`));
        })
          .on("error", reject)
          .end("tea");
      });
    };
    try {
      expect(await ask(`${server.url}/a`)).toBe("200 POST /a tea");
      expect(await ask("http://127.0.0.1:9/")).toMatch(/^403 "127\.0\.0\.1:9" is not an address/);
      expect(await ask("ftp://example.com/")).toMatch(/^403/);
      expect(await ask("/no-address")).toMatch(/^502/);
      expect(proxy.refusalOf("127.0.0.1:9")).toContain("not an address of the public internet");
    } finally {
      await proxy.close();
    }
  });

  it.each(["http", "a tunnel"])("ends a connection that brings more than it may, over %s", async (way) => {
    await using server = await startLoopback((_, response) => {
      const more = (): void => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
      };
      response.on("drain", more).on("error", () => {});
      more();
    });
    const proxy = await startProxy(createGuardedConnect({ allowHosts: [server.host] }), { maxBytes: 1_000_000 });
    const { connect } = await import("node:net");
    const client = connect(Number(new URL(proxy.url).port), "127.0.0.1");
    try {
      let bytes = 0;
      const closed = new Promise<void>((resolve) =>
        client
          .on("data", (part) => void (bytes += part.length))
          .on("error", () => {})
          .once("close", resolve),
      );
      if (way === "http") client.write(`GET ${server.url}/ HTTP/1.1\r\nhost: ${server.host}\r\n\r\n`);
      else {
        client.write(`CONNECT ${server.host} HTTP/1.1\r\n\r\n`);
        await new Promise<void>((resolve) => client.once("data", () => resolve()));
        client.write(`GET / HTTP/1.1\r\nhost: ${server.host}\r\n\r\n`);
      }
      await closed;
      expect(bytes).toBeGreaterThan(100_000);
      expect(bytes).toBeLessThan(2_000_000);
    } finally {
      client.destroy();
      await proxy.close();
    }
  });

  it("AH6: makes a plain name of every suggestion", () => {
    expect(["../../x", "..\\..\\x.txt", ".bashrc", "", "...", "a\0b\n.txt", "C:\\y.exe", "名前.pdf"].map(safeName)).toEqual([
      "x",
      "x.txt",
      "bashrc",
      "download",
      "download",
      "a_b_.txt",
      "y.exe",
      "名前.pdf",
    ]);
  });
});
