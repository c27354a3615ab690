import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import { isOfOwnUser, isOwn, readConnections } from "../../../src/http/transport/peer-user.ts";

const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1CA5 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 11 1 0000000000000000 100 0 0 10 0
   1: 0100007F:1CA5 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1000        0 12 1 0000000000000000 20 4 30 10 -1
   2: 0100007F:9C40 0100007F:1CA5 01 00000000:00000000 00:00000000 00000000    33        0 13 1 0000000000000000 20 4 30 10 -1
   3: 0100007F:9C41 0100007F:1CA5 06 00000000:00000000 03:00000E6B 00000000     0        0 0 3 0000000000000000
`;
const connections = readConnections(table);
const ports = { localPort: 7333, remotePort: 40_000 };

describe("the user at the other end of a connection", () => {
  it("is told from the lines of the kernel, and is the own one, root or another", () => {
    expect(connections[2]).toEqual({ localPort: 40_000, remotePort: 7333, user: 33, isHeld: true });
    expect(isOwn(connections, ports, 1000)).toBe(false);
    expect(isOwn(connections, ports, 33)).toBe(true);
    const ofRoot = connections.map((one) => (one.user === 33 ? { ...one, user: 0 } : one));
    expect(isOwn(ofRoot, ports, 1000)).toBe(true);
  });

  it("is another one where one of several possible ends is, or where nobody holds the other end", () => {
    expect(isOwn([...connections, { ...connections[2]!, user: 1000 }], ports, 1000)).toBe(false);
    const closing = connections.map((one) => (one.user === 33 ? { ...one, user: 0, isHeld: false } : one));
    expect(isOwn(closing, ports, 1000)).toBe(false);
  });

  it("is not known where the kernel tells nothing of this connection", () => {
    expect(isOwn([], ports, 1000)).toBeUndefined();
    expect(isOwn(connections, { ...ports, remotePort: 40_001 }, 1000)).toBeUndefined();
  });

  it.each(["127.0.0.1", "::1", "::ffff:127.0.0.1"])("is the own one for a connection of this process over %s", async (host) => {
    const server = createServer().listen(0, host === "::1" ? "::1" : "::");
    afterThisTest(() => void server.close());
    await once(server, "listening");
    const client = connect((server.address() as AddressInfo).port, host);
    afterThisTest(() => void client.destroy());
    const [socket] = (await once(server, "connection")) as [Socket];
    expect(await isOfOwnUser(socket)).toBe(process.platform === "linux" ? true : undefined);
    socket.destroy();
  });
});
