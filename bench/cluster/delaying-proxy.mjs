import { once } from "node:events";
import net from "node:net";

/** A TCP proxy on loopback that holds back everything by `delayMs` in each direction, in order. */
export async function startDelayingProxy({ host, port }, delayMs) {
  const sockets = new Set();
  const pass = (from, to) => {
    from.on("data", (chunk) => setTimeout(() => to.destroyed || to.write(chunk), delayMs));
    from.on("end", () => setTimeout(() => to.end(), delayMs));
    from.on("error", () => to.destroy());
  };
  const server = net.createServer((near) => {
    const far = net.connect({ host, port });
    for (const socket of [near, far]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    }
    pass(near, far);
    pass(far, near);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: server.address().port,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
