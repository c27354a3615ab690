import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasPart } from "@toolrack/core/testing";
import { freePort } from "./ports.ts";
import { until } from "./until.ts";

const program = ["nats-server", "/usr/sbin/nats-server"].find(
  (path) => spawnSync(path, ["--version"], { stdio: "ignore" }).error === undefined,
);

/** Whether there is a NATS server to start. */
export const hasNats: boolean = hasPart("nats-server", program !== undefined);

export interface NatsUser {
  readonly user: string;
  readonly password: string;
  /** @default everything */
  readonly publish?: readonly string[];
  readonly subscribe?: readonly string[];
}

export interface TestNats {
  readonly url: string;
  /** The user of the system account, who is told of connections that end. */
  readonly system: { readonly user: string; readonly password: string };
  /** Ends it at once, and starts it again on the same port. */
  restart(): Promise<void>;
  end(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A real NATS server on this machine, with these users. */
export async function startNats(users: readonly NatsUser[] = [{ user: "all", password: "all" }]): Promise<TestNats> {
  const folder = mkdtempSync(join(tmpdir(), "toolrack-nats-"));
  const port = await freePort();
  const file = join(folder, "nats.conf");
  writeFileSync(file, configuration(port, users));
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const started = spawn(program!, ["-c", file], { stdio: "ignore" });
    child = started;
    await until(async () => started.exitCode !== null || (await answers(port)), "The NATS server does not answer.");
    if (started.exitCode !== null) throw new Error("The NATS server does not start.");
  };
  const end = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise<void>((resolve) => child!.once("exit", () => resolve()));
    child.kill("SIGKILL");
    await ended;
  };
  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    system: { user: "system", password: "system" },
    end,
    start,
    async restart() {
      await end();
      await start();
    },
    async stop() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configuration(port: number, users: readonly NatsUser[]): string {
  const list = (subjects: readonly string[]): string => `[${subjects.map((subject) => JSON.stringify(subject)).join(", ")}]`;
  const rows = users.map(({ user, password, publish, subscribe }) => {
    const rights = [publish && `publish: { allow: ${list(publish)} }`, subscribe && `subscribe: { allow: ${list(subscribe)} }`].filter(
      Boolean,
    );
    return `{ user: ${user}, password: ${password}${rights.length > 0 ? `, permissions: { ${rights.join(", ")} }` : ""} }`;
  });
  return [
    `listen: "127.0.0.1:${port}"`,
    `accounts: { TOOLS: { users: [${rows.join(", ")}] }, SYS: { users: [{ user: system, password: system }] } }`,
    "system_account: SYS",
  ].join("\n");
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1");
    const end = (isThere: boolean) => () => {
      socket.destroy();
      resolve(isThere);
    };
    socket.once("data", end(true)).once("error", end(false)).once("close", end(false));
  });
}
