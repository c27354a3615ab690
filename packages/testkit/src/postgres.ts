import { spawn, type ChildProcess } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { untilAnswers } from "./databases.ts";
import { freePort } from "./ports.ts";
import { fillData } from "./postgres-data.ts";
import { findPrograms, type Programs, type User } from "./postgres-programs.ts";
import { withChildren } from "./processes.ts";

/** A real PostgreSQL server. */
export interface TestPostgres {
  readonly connectionString: string;
  /** Ends it and starts it again on the same data; absent for a server that is not ours. */
  restart?(signal?: NodeJS.Signals): Promise<void>;
  /** Absent for a server that is not ours. */
  readonly faults?: PostgresFaults;
  stop(): Promise<void>;
}

/** A server that was started here, so that it may be broken. */
export interface OwnPostgres extends TestPostgres {
  restart(signal?: NodeJS.Signals): Promise<void>;
  readonly faults: PostgresFaults;
}

export interface PostgresFaults {
  /** The user it runs as; undefined for the current one. */
  readonly user: User | undefined;
  end(signal: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
  isRunning(): boolean;
  /** All of its processes stop; their sockets stay open. */
  pause(): void;
  resume(): void;
}

export interface OwnPostgresOptions {
  /** @default the system's programs, else the embedded ones */
  readonly programs?: Programs;
  /** @default false */
  readonly fsync?: boolean;
  /** The folder in which the data folder is made. @default a temporary folder */
  readonly folder?: string;
  /** Keeps the write-ahead log small enough for a small disk. @default false */
  readonly isSmall?: boolean;
}

/** The server that DATABASE_URL names, else one that is started here. */
export async function startPostgres(options: OwnPostgresOptions = {}): Promise<TestPostgres> {
  const url = process.env["DATABASE_URL"];
  if (url !== undefined && url !== "") return { connectionString: url, stop: async () => undefined };
  return startOwnPostgres(options);
}

export async function startOwnPostgres({
  programs = findPrograms(),
  fsync = false,
  folder: parent,
  isSmall = false,
}: OwnPostgresOptions = {}): Promise<OwnPostgres> {
  const { folder, user, dispose } = programs;
  const data = parent === undefined ? mkdtempSync(join(tmpdir(), "toolrack-postgres-")) : join(parent, "postgres");
  mkdirSync(data, { recursive: true });
  if (user !== undefined) chownSync(data, user.uid, user.gid);
  const port = await freePort();
  const connectionString = `postgres://postgres@127.0.0.1:${port}/postgres`;
  fillData(data, programs, isSmall);
  const settings = [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=80",
    `fsync=${fsync ? "on" : "off"}`,
    "log_min_messages=fatal",
    ...(isSmall ? ["max_wal_size=8MB", "min_wal_size=2MB"] : []),
  ];
  let server: ChildProcess;
  const isRunning = (): boolean => server.exitCode === null && server.signalCode === null;

  async function start(): Promise<void> {
    // After a kill the last of the old processes may still use the data for a moment, and the new server refuses to start.
    for (let tries = 0; ; tries++) {
      server = spawn(join(folder, "postgres"), ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])], {
        ...user,
        stdio: "ignore",
        cwd: data,
      });
      const isUp = untilAnswers(connectionString, (tried) => tried > 300 || !isRunning()).then(
        () => true,
        () => false,
      );
      const isGone = new Promise<false>((resolve) => server.once("exit", () => resolve(false)));
      if (await Promise.race([isUp, isGone])) return;
      if (tries > 100) throw new Error("PostgreSQL does not start.");
      await sleep(50);
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!isRunning()) return;
    const ended = new Promise((resolve) => server.once("exit", resolve));
    // Left alone, the processes of its connections would answer until they notice that it is gone.
    if (signal === "SIGKILL") signalAll(signal);
    else server.kill(signal);
    await ended;
  }

  /** The server itself and the processes that it started, one for each connection: they are in no common process group. */
  function signalAll(signal: NodeJS.Signals): void {
    if (!isRunning()) return;
    for (const pid of withChildren(server.pid!)) {
      try {
        process.kill(pid, signal);
      } catch {
        // It ended in the meantime.
      }
    }
  }

  await start();
  return {
    connectionString,
    faults: { user, end, start, isRunning, pause: () => signalAll("SIGSTOP"), resume: () => signalAll("SIGCONT") },
    async restart(signal = "SIGINT") {
      await end(signal);
      await start();
    },
    async stop() {
      signalAll("SIGCONT");
      await end("SIGQUIT");
      rmSync(data, { recursive: true, force: true });
      dispose();
    },
  };
}
