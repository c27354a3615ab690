import { type AddressInfo, createServer, type Socket } from "node:net";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import { natsLink } from "../../src/link/nats.ts";

/** Speaks as much of a broker's language as opening a link needs, and ends the connection at the next flush once it is told to. */
async function startBroker() {
  let isEnding = false;
  /** How many more sign-ins are refused. */
  let refusals = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => undefined));
    if (isEnding) return void socket.destroy();
    const { port } = server.address() as AddressInfo;
    const info = { server_id: "S", client_id: 1, version: "2.10.0", proto: 1, max_payload: 1_000_000, host: "127.0.0.1", port };
    socket.write(`INFO ${JSON.stringify(info)}\r\n`);
    socket.on("data", (data) => {
      if (refusals > 0) {
        refusals -= 1;
        return void socket.end("-ERR 'Authorization Violation'\r\n");
      }
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
  /** Ends every connection, and refuses the next ones. */
  function restart(refused: number): void {
    refusals = refused;
    for (const socket of sockets) socket.destroy();
  }
  return {
    url: `nats://127.0.0.1:${(server.address() as AddressInfo).port}`,
    endAtNextFlush: () => (isEnding = true),
    restart,
    refusals: () => refusals,
  };
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

  it("comes back where a broker that was started again refuses its sign-in for a while", async () => {
    const broker = await startBroker();
    const link = await natsLink({ servers: broker.url });
    afterThisTest(() => link.close());
    const told: boolean[] = [];
    link.onConnection((isConnected) => told.push(isConnected));
    broker.restart(4);
    await until(() => told.includes(true), "The link does not come back.", 1_000);
    expect([told, link.isConnected, broker.refusals()]).toEqual([[false, true], true, 0]);
  });

  it("is not opened where its sign-in is refused", async () => {
    const broker = await startBroker();
    broker.restart(100);
    await expect(natsLink({ servers: broker.url })).rejects.toThrow(/cannot be used: .*Authorization Violation/i);
  });
});
