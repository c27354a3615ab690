import { once } from "node:events";
import { request } from "node:http";
import { type AddressInfo, connect, createServer } from "node:net";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import { startProxy } from "../../src/browser/proxy.ts";

/** What a browser gets of a host that answers with this head and body. */
async function fetchThrough(answer: string): Promise<{ status: number | undefined; text: string }> {
  const host = createServer((socket) => socket.on("error", () => {}).once("data", () => socket.end(answer)));
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  afterThisTest(() => host.close());
  const proxy = await startProxy(async () => {
    const socket = connect((host.address() as AddressInfo).port, "127.0.0.1");
    await once(socket, "connect");
    return socket;
  });
  afterThisTest(() => proxy.close());
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(proxy.url);
    const asked = request({ hostname, port, path: "http://page.example/" }, (got) => {
      let text = "";
      got.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      got.on("end", () => resolve({ status: got.statusCode, text })).on("error", reject);
    });
    asked.on("error", reject).end();
  });
}

describe("the proxy of a browser", () => {
  it("passes on what a host answers", async () => {
    expect(await fetchThrough("HTTP/1.1 203 Fine\r\nContent-Length: 2\r\n\r\nhi")).toEqual({ status: 203, text: "hi" });
  });

  it.each([
    ["a status that nobody may answer with", "HTTP/1.1 000 No\r\nContent-Length: 2\r\n\r\nhi"],
    ["trailers after a body of a known length", "HTTP/1.1 200 OK\r\nTrailer: x-one\r\nContent-Length: 2\r\n\r\nhi"],
  ])("ends the connection, and nothing else, where a host answers with %s", async (_what, answer) => {
    await expect(fetchThrough(answer)).rejects.toThrow("socket hang up");
  });
});
