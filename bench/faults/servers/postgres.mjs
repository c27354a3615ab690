import { execFileSync, spawn } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A PostgreSQL that can be stopped for a while, killed, paused, and whose disk can be small: `data` is a folder on it. */
export async function startFaultyPostgres(programs, { data: place } = {}) {
  const { folder, user, dispose } = programs.findPrograms();
  const data = place === undefined ? mkdtempSync(join(tmpdir(), "toolrack-faults-pg-")) : join(place, "pg");
  mkdirSync(data, { recursive: true });
  if (user !== undefined) chownSync(data, user.uid, user.gid);
  const port = await freePort();
  const own = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync", "--wal-segsize=1"];
  execFileSync(join(folder, "initdb"), ["-D", data, ...own], { ...user, stdio: ["ignore", "ignore", "pipe"], cwd: data });
  const settings = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=80",
    "log_min_messages=fatal",
    "max_wal_size=8MB",
    "min_wal_size=2MB",
  ];
  const connectionString = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let server;
  let hasEnded;

  async function start() {
    for (let tries = 0; tries < 100; tries++) {
      const started = spawn(join(folder, "postgres"), ["-D", data, "-p", String(port), ...settings.flatMap((one) => ["-c", one])], {
        ...user,
        stdio: "ignore",
        cwd: data,
        detached: true,
      });
      server = started;
      hasEnded = new Promise((resolve) => started.once("exit", resolve));
      if (await isUp(connectionString, started)) return;
      await sleep(100);
    }
    throw new Error("PostgreSQL does not start.");
  }

  async function end(signal) {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill(signal);
    await hasEnded;
  }

  await start();
  return {
    connectionString,
    start,
    stop: () => end("SIGINT"),
    kill: () => end("SIGKILL"),
    isRunning: () => server.exitCode === null && server.signalCode === null,
    /** With every process that serves a connection. */
    pause: () => signalAll(server.pid, "SIGSTOP"),
    resume: () => signalAll(server.pid, "SIGCONT"),
    async dispose() {
      signalAll(server.pid, "SIGCONT");
      await end("SIGQUIT");
      dispose();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** Backends lead groups of their own, so the children are looked up. */
function signalAll(pid, signal) {
  const children = execFileSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" })
    .split("\n")
    .map(Number)
    .filter(Boolean);
  for (const one of [pid, ...children]) {
    try {
      process.kill(one, signal);
    } catch {
      // It ended meanwhile.
    }
  }
}

async function isUp(connectionString, server) {
  const { default: pg } = await import("pg");
  for (let tries = 0; tries < 200 && server.exitCode === null && server.signalCode === null; tries++) {
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.end();
      return true;
    } catch {
      await client.end().catch(() => undefined);
      await sleep(50);
    }
  }
  return false;
}

export function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
