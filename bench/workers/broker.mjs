import { spawn } from "node:child_process";
import { createConnection, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A NATS server on this machine, for as long as the benchmark runs. */
export async function startBroker() {
  const port = await freePort();
  const child = spawn("nats-server", ["-a", "127.0.0.1", "-p", String(port)], { stdio: "ignore" });
  while (!(await answers(port))) await sleep(20);
  return { url: `nats://127.0.0.1:${port}`, stop: () => child.kill("SIGKILL") };
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1");
    socket.once("data", () => (socket.destroy(), resolve(true))).once("error", () => resolve(false));
  });
}
