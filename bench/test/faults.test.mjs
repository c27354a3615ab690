import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@toolrack/testkit/postgres";
import { sized } from "@toolrack/testkit/sized";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runKills } from "../faults/lib/kills.mjs";
import { bundleStore } from "../lib/bundle.mjs";

const folder = mkdtempSync(join(tmpdir(), "toolrack-faults-"));
let storeModule;
let server;

beforeAll(async () => {
  storeModule = (await bundleStore("test")).store;
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

// Fault 12; the 200 rounds are node bench/faults/kill.mjs.
describe("a process that is killed while it writes", () => {
  const clean = { lost: [], torn: [], gaps: [], audit: "verified" };

  it.each([
    ["written by itself", 1_000_000],
    ["written by a thread", 0],
  ])(
    "loses nothing that SQLite acknowledged, leaves each call finished or aborted, no gap, and an audit that verifies: a log %s",
    async (_, pagesBeforeThread) => {
      const target = { engine: "sqlite", path: join(folder, `${pagesBeforeThread}.db`), pagesBeforeThread };
      const counts = await runKills({ storeModule, target, rounds: sized(2, 4) });
      expect(counts).toMatchObject(clean);
      expect(counts.puts * counts.groups * counts.calls * counts.aborted).toBeGreaterThan(0);
      expect(counts.begins).toBeGreaterThan(counts.calls);
    },
  );

  it("loses nothing that PostgreSQL acknowledged, also when the server is killed with it", async () => {
    server = await startPostgres({ fsync: true });
    const target = { engine: "postgres", connectionString: server.connectionString, schema: `faults_${Date.now().toString(36)}` };
    const restart = server.restart && (() => server.restart("SIGKILL"));
    const counts = await runKills({ storeModule, target, rounds: sized(2, 4), restart, restartEvery: 2 });
    expect(counts).toMatchObject(clean);
    expect(counts.puts * counts.groups * counts.calls * counts.aborted).toBeGreaterThan(0);
    expect(counts.begins).toBeGreaterThan(counts.calls);
  });
});
