import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

interface Kills {
  runKills(options: object): Promise<{
    puts: number;
    groups: number;
    calls: number;
    begins: number;
    aborted: number;
    lost: string[];
    torn: string[];
    gaps: number[];
    audit: string;
  }>;
}
interface Bundle {
  bundleStore(name: string): Promise<{ store: string }>;
}

const load = async <Module>(path: string): Promise<Module> =>
  (await import(new URL(`../../../bench/${path}`, import.meta.url).href)) as Module;
const folder = mkdtempSync(join(tmpdir(), "toolrack-faults-"));
let storeModule: string;
let server: TestPostgres | undefined;

beforeAll(async () => {
  storeModule = (await (await load<Bundle>("lib/bundle.mjs")).bundleStore("test")).store;
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe("a process that is killed while it writes", () => {
  const clean = { lost: [], torn: [], gaps: [], audit: "verified" };

  it.each([
    ["written by itself", 1_000_000],
    ["written by a thread", 0],
  ])(
    "loses nothing that SQLite acknowledged, leaves each call finished or aborted, no gap, and an audit that verifies: a log %s",
    async (_, pagesBeforeThread) => {
      const { runKills } = await load<Kills>("faults/lib/kills.mjs");
      const target = { engine: "sqlite", path: join(folder, `${pagesBeforeThread}.db`), pagesBeforeThread };
      const counts = await runKills({ storeModule, target, rounds: 4 });
      expect(counts).toMatchObject(clean);
      expect(counts.puts * counts.groups * counts.calls * counts.aborted).toBeGreaterThan(0);
      expect(counts.begins).toBeGreaterThan(counts.calls);
    },
    60_000,
  );

  it("loses nothing that PostgreSQL acknowledged, also when the server is killed with it", async () => {
    server = await startPostgres({ fsync: true });
    const { runKills } = await load<Kills>("faults/lib/kills.mjs");
    const target = { engine: "postgres", connectionString: server.connectionString, schema: `faults_${Date.now().toString(36)}` };
    const restart = server.restart && (() => server!.restart!("SIGKILL"));
    const counts = await runKills({ storeModule, target, rounds: 4, restart, restartEvery: 2 });
    expect(counts).toMatchObject(clean);
    expect(counts.puts * counts.groups * counts.calls * counts.aborted).toBeGreaterThan(0);
    expect(counts.begins).toBeGreaterThan(counts.calls);
  }, 120_000);
});
