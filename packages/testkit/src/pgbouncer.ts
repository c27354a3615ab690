import { spawn, spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { untilAnswers } from "./databases.ts";
import { freePort } from "./ports.ts";
import { otherUser } from "./postgres-programs.ts";

/** A real connection pooler in transaction mode, in front of a server. */
export interface TestPgBouncer {
  readonly connectionString: string;
  stop(): Promise<void>;
}

const program = ["pgbouncer", "/usr/sbin/pgbouncer"].find((name) => spawnSync(name, ["--version"]).status === 0);

export const isPgBouncerThere: boolean = program !== undefined;

/** `settings` are further lines of its configuration. */
export async function startPgBouncer(connectionString: string, settings: readonly string[] = []): Promise<TestPgBouncer> {
  const { hostname, port: serverPort, username, pathname } = new URL(connectionString);
  const folder = mkdtempSync(join(tmpdir(), "toolrack-pgbouncer-"));
  const port = await freePort();
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(join(folder, "users.txt"), `"${username}" ""\n`);
  const lines = [
    "[databases]",
    `* = host=${hostname} port=${serverPort}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = trust",
    `auth_file = ${join(folder, "users.txt")}`,
    "pool_mode = transaction",
    "default_pool_size = 4",
    "max_client_conn = 200",
    ...settings,
  ];
  writeFileSync(file, lines.join("\n"));
  const user = otherUser();
  if (user !== undefined) for (const path of [folder, file, join(folder, "users.txt")]) chownSync(path, user.uid, user.gid);
  const bouncer = spawn(program!, [file], { ...user, stdio: "ignore", cwd: folder });
  const address = `postgres://${username}@127.0.0.1:${port}${pathname}`;
  await untilAnswers(address, (tries) => tries > 200);
  return {
    connectionString: address,
    async stop() {
      const ended = new Promise((resolve) => bouncer.once("exit", resolve));
      bouncer.kill("SIGQUIT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
