import { execFileSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const upstream = fileURLToPath(new URL("./upstream.mjs", import.meta.url));

/**
 * Each fault: on which store, how many servers, and what is done to them while callers call. With `prepare` each server has a folder of its own. `hit` answers when the fault is over, and
 * `cured` is when recovery begins. `atLeastSeconds` is how long a run must be allowed to take for the fault to be part of it.
 */
export const faults = [
  ...[3, 30, 300].map((seconds) => ({
    name: `PostgreSQL stopped for ${seconds >= 60 ? `${seconds / 60} min` : `${seconds} s`}`,
    on: "postgres",
    atLeastSeconds: seconds,
    async hit({ postgres }) {
      await postgres.end("SIGINT");
      await sleep(seconds * 1_000);
      await postgres.start();
    },
  })),
  {
    name: "PostgreSQL killed",
    on: "postgres",
    async hit({ postgres }) {
      await postgres.end("SIGKILL");
      await postgres.start();
    },
  },
  {
    name: "PostgreSQL away when a server starts",
    on: "postgres",
    async hit({ cluster, postgres }) {
      await postgres.end("SIGINT");
      const early = await cluster.start(3);
      cluster.servers.length = 3;
      await postgres.start();
      if (early.failed === undefined) throw new Error("A server started without its database.");
      await cluster.start(3);
    },
  },
  {
    name: "PostgreSQL paused for 20 s",
    on: "postgres",
    async hit({ postgres }) {
      postgres.pause();
      await sleep(20_000);
      postgres.resume();
    },
  },
  {
    name: "PostgreSQL's disk full for 10 s",
    on: "postgres",
    disk: "160m",
    async hit({ postgres, disk }) {
      disk.fill();
      await sleep(10_000);
      disk.free();
      if (!postgres.isRunning()) await postgres.start();
    },
  },
  {
    name: "SQLite's disk full for 10 s",
    on: "sqlite",
    disk: "24m",
    async hit({ disk }) {
      disk.fill();
      await sleep(10_000);
      disk.free();
    },
  },
  {
    name: "SQLite's folder read-only at the start of a server",
    on: "sqlite",
    async hit({ cluster, storeFolder }) {
      const readOnly = mkdtempSync(join(tmpdir(), "toolrack-faults-ro-"));
      execFileSync("mount", ["--bind", storeFolder, readOnly]);
      try {
        execFileSync("mount", ["-o", "remount,ro,bind", readOnly]);
        const started = await cluster.start(9, { folder: readOnly });
        if (started.failed === undefined) throw new Error("A server started on a store that it cannot write.");
        cluster.servers.length = 1;
        started.process.kill("SIGKILL");
      } finally {
        execFileSync("umount", [readOnly]);
        rmSync(readOnly, { recursive: true });
      }
    },
  },
  {
    name: "A server killed",
    on: "postgres",
    workMs: 50,
    async hit({ cluster }) {
      await cluster.kill(1);
      await sleep(3_000);
      await cluster.start(1);
    },
  },
  {
    name: "Servers of different folders with one program, one of them killed",
    on: "postgres",
    workMs: 50,
    prepare: (folder) => copyFileSync(upstream, join(folder, "echo.mjs")),
    config: { sources: { up: { command: process.execPath, args: ["echo.mjs", "answer"] } } },
    async hit({ cluster, key }) {
      const answers = () => Promise.all(cluster.servers.map(({ url }) => untilEcho(url, key)));
      const before = await answers();
      await cluster.kill(1);
      await cluster.start(1);
      const told = new Set([...before, ...(await answers())]);
      if (told.size !== 1) throw new Error(`Servers of different folders answered differently: ${[...told].join("; ")}`);
    },
  },
  {
    name: "A server paused for 45 s, longer than its lease",
    on: "postgres",
    workMs: 50,
    atLeastSeconds: 45,
    async hit({ cluster }) {
      cluster.signal(1, "SIGSTOP");
      await sleep(45_000);
      cluster.signal(1, "SIGCONT");
    },
  },
  {
    name: "Clocks three hours fast and slow, and a server killed",
    on: "postgres",
    workMs: 50,
    clockOffsetsMs: [0, 10_800_000, -10_800_000],
    async hit({ cluster }) {
      await sleep(3_000);
      await cluster.kill(1);
      await sleep(3_000);
      await cluster.start(1, { clockOffsetMs: 10_800_000 });
    },
  },
  {
    name: "300 event streams that nobody reads",
    on: "postgres",
    async hit({ cluster, key }) {
      const sockets = [];
      for (let index = 0; index < 300; index++) sockets.push(await openStream(cluster.servers[index % 3].url, key));
      await sleep(10_000);
      for (const socket of sockets) socket.destroy();
    },
  },
  ...["hang", "crash", "flood"].map((mode) => ({
    name: {
      hang: "An upstream that answers no call",
      crash: "An upstream that ends again and again",
      flood: "An upstream whose list has no end",
    }[mode],
    on: "postgres",
    config: {
      limits: { timeoutMs: 3_000 },
      sources: { up: { command: process.execPath, args: [upstream, mode] } },
    },
    async hit({ cluster, key }) {
      const until = performance.now() + 10_000;
      for (let turn = 0; performance.now() < until; turn++) await callUpstream(cluster.servers[turn % 3].url, key);
    },
  })),
];

/** What the program of a server says, once that server has connected to it. */
async function untilEcho(url, key) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  for (let tries = 0; ; tries++) {
    const answer = await fetch(`${url}/api/v1/tools/up__echo/call`, { method: "POST", headers, body: '{"input":{}}' });
    const body = await answer.json();
    if (answer.ok) return JSON.stringify(body.content);
    if (tries > 100) throw new Error(`The program of a server did not answer: ${body.code}`);
    await sleep(100);
  }
}

/** A client that sends its request and reads nothing of the answer. */
function openStream(url, key) {
  const { hostname, port, host } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      socket.write(`GET /api/v1/events HTTP/1.1\r\nHost: ${host}\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${key}\r\n\r\n`);
      socket.pause();
      resolve(socket);
    });
    socket.once("error", reject);
    socket.on("error", () => undefined);
  });
}

/** Whatever the upstream does, its caller gets an answer. */
async function callUpstream(url, key) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const { tools } = await fetch(`${url}/api/v1/tools?limit=200`, { headers, signal: AbortSignal.timeout(10_000) }).then((response) =>
    response.json(),
  );
  const name = tools.map((tool) => tool.name).find((one) => one.includes("echo")) ?? "up__echo";
  await fetch(`${url}/api/v1/tools/${name}/call`, { method: "POST", headers, body: '{"input":{}}', signal: AbortSignal.timeout(10_000) });
  await sleep(100);
}
