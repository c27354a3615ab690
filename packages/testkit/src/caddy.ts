import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasPart } from "@toolrack/core/testing";
import { freePort } from "./ports.ts";
import { until } from "./until.ts";

/** Whether there is a Caddy to put before servers. */
export const hasCaddy: boolean = hasPart("caddy", spawnSync("caddy", ["version"], { stdio: "ignore" }).error === undefined);

export interface Caddy {
  /** "http://127.0.0.1:40123" */
  readonly url: string;
  stop(): Promise<void>;
}

/** A Caddy with this Caddyfile, for the port that it gets. It asks for no certificate, and has no port for its administration. */
export async function startCaddyWith(contents: (port: number) => string): Promise<Caddy> {
  const folder = mkdtempSync(join(tmpdir(), "toolrack-caddy-"));
  const port = await freePort();
  const file = join(folder, "Caddyfile");
  writeFileSync(file, `{\n\tadmin off\n\tauto_https off\n\tdefault_bind 127.0.0.1\n}\n${contents(port)}`);
  const child: ChildProcess = spawn("caddy", ["run", "--config", file, "--adapter", "caddyfile"], {
    stdio: "ignore",
    env: { PATH: process.env["PATH"], HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  const stop = async (): Promise<void> => {
    // In order it would wait for every connection that a client keeps.
    child.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  await until(async () => child.exitCode !== null || (await fetch(url).then(Boolean, () => false)));
  if (child.exitCode === null) return { url, stop };
  await stop();
  throw new Error("Caddy does not start.");
}
