import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import { natsLink } from "../../src/link/nats.ts";

/** Speaks as much of a broker's language as opening a link needs, and ends the connection at the next flush once it is told to. */
async function startBroker() {
  let isEnding = false;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    if (isEnding) return void socket.destroy();
    const { port } = server.address() as AddressInfo;
    const info = { server_id: "S", client_id: 1, version: "2.10.0", proto: 1, max_payload: 1_000_000, host: "127.0.0.1", port };
    socket.write(`INFO ${JSON.stringify(info)}\r\n`);
    socket.on("data", (data) => {
      for (const _ of data.toString().matchAll(/^PING\r\n/gm)) {
        if (isEnding) socket.destroy();
        else socket.write("PONG\r\n");
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterThisTest(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`, endAtNextFlush: () => (isEnding = true) };
}

describe("a link over a broker", () => {
  it("does not fail to flush where the broker goes away meanwhile: the connection tells it", async () => {
    const broker = await startBroker();
    const link = await natsLink({ servers: broker.url });
    const lost = new Promise<boolean>((resolve) => link.onConnection(resolve));
    broker.endAtNextFlush();
    await expect(link.flush()).resolves.toBeUndefined();
    expect(await lost).toBe(false);
    await link.close();
  });
});
