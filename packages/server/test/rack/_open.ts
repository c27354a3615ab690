import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach } from "vitest";
import type { RackConfig } from "../../src/config/config.ts";
import { openRack, type OpenRackOptions } from "../../src/rack/open.ts";
import type { Rack } from "../../src/rack/rack.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** Done after the test, the last one first. */
export function later(end: () => unknown): void {
  ends.push(end);
}

/** An empty folder that goes with the test. */
export function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "toolrack-server-"));
  later(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A rack that is closed after the test; in memory, unless the options say otherwise. */
export async function open(options: OpenRackOptions = {}): Promise<Rack> {
  const config = "config" in options ? options.config : { store: { memory: true } };
  const rack = await openRack({
    folder: temporaryFolder(),
    ...options,
    environment: withKey(options),
    config: withStrangers(config),
  });
  later(() => rack.close({ graceMs: 0 }));
  return rack;
}

/** Servers of one database have one master key, unless the test says otherwise; those of one folder find it there. */
function withKey({ folder, environment = {} }: OpenRackOptions): NonNullable<OpenRackOptions["environment"]> {
  if (folder !== undefined || environment["DATABASE_URL"] === undefined) return environment;
  return { TOOLRACK_MASTER_KEY: sharedMasterKey, ...environment };
}

export const sharedMasterKey: string = Buffer.alloc(32, 1).toString("base64");

/** Agents need not be listed, unless the test says so; a file says what it says. */
export function withStrangers(config: string | RackConfig | undefined): string | RackConfig | undefined {
  return typeof config !== "object" ? config : { ...config, policy: { unknownAgents: "allow", ...config.policy } };
}

/** Waits for something that comes by itself; far longer than it should take. */
export async function until(isSo: () => unknown, what = "It did not become so."): Promise<void> {
  for (let tries = 0; !(await isSo()); tries++) {
    if (tries > 1_000) throw new Error(what);
    await sleep(20);
  }
}
