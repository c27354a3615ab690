import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { chownSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { findPrograms, type Programs, type User } from "./postgres-programs.ts";

/** A real server for tests. */
export interface TestPostgres {
  readonly connectionString: string;
  /** Kills and starts it again on the same data; absent for a server that is not ours. */
  restart?(signal?: NodeJS.Signals): Promise<void>;
  /** Absent for a server that is not ours. */
  readonly faults?: PostgresFaults;
  stop(): Promise<void>;
}

export interface PostgresFaults {
  readonly user: User | undefined;
  end(signal: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
  /** All of its processes stand still; their sockets stay open. */
  pause(): void;
  resume(): void;
}

/** The server that DATABASE_URL names, else one that is started here and goes with the tests. */
export async function startPostgres({ fsync = false }: { readonly fsync?: boolean } = {}): Promise<TestPostgres> {
  const url = process.env["DATABASE_URL"];
  if (url !== undefined && url !== "") return { connectionString: url, stop: async () => undefined };
  return startPrograms(findPrograms(), fsync);
}

export async function startPrograms({ folder, user, dispose }: Programs, fsync = false): Promise<TestPostgres> {
  const data = mkdtempSync(join(tmpdir(), "toolrack-postgres-"));
  if (user !== undefined) chownSync(data, user.uid, user.gid);
  const port = await freePort();
  const connectionString = `postgres://postgres@127.0.0.1:${port}/postgres`;
  execFileSync(join(folder, "initdb"), ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"], {
    ...user,
    stdio: ["ignore", "ignore", "pipe"],
    cwd: data,
  });
  let server: ChildProcess;

  async function start(): Promise<void> {
    const settings = [
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      "max_connections=60",
      `fsync=${fsync ? "on" : "off"}`,
      "log_min_messages=fatal",
    ];
    // After a kill the last of the old processes may still hold on to the data for a moment, and the new server refuses to start.
    for (let tries = 0; ; tries++) {
      server = spawn(join(folder, "postgres"), ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])], {
        ...user,
        stdio: "ignore",
        cwd: data,
      });
      const isUp = untilReady(connectionString).then(() => true);
      const isGone = new Promise<false>((resolve) => server.once("exit", () => resolve(false)));
      if (await Promise.race([isUp, isGone])) return;
      isUp.catch(() => undefined);
      if (tries > 100) throw new Error("PostgreSQL does not start again.");
      await sleep(50);
    }
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once("exit", resolve));
    server.kill(signal);
    await ended;
  }

  /** The process itself, and those that it started: each serves one connection, and belongs to no common group. */
  function signalAll(signal: NodeJS.Signals): void {
    const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, "utf8").trim();
    for (const pid of [server.pid!, ...children.split(" ").filter(Boolean).map(Number)]) process.kill(pid, signal);
  }

  await start();
  return {
    connectionString,
    faults: { user, end, start, pause: () => signalAll("SIGSTOP"), resume: () => signalAll("SIGCONT") },
    async restart(signal = "SIGINT") {
      await end(signal);
      await start();
    },
    async stop() {
      await end("SIGQUIT");
      rmSync(data, { recursive: true, force: true });
      dispose();
    },
  };
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

async function untilReady(connectionString: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const client = new pg.Client({ connectionString });
    try {
      await client.connect();
      await client.query("select 1");
      return;
    } catch (error) {
      if (tries > 300) throw error;
      await sleep(50);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
