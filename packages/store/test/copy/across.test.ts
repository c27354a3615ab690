import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundleProgram, removeProgram } from "@toolrack/testkit/child-server";
import { startPostgres, type TestPostgres } from "@toolrack/testkit/postgres";
import { sized } from "@toolrack/testkit/sized";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { verifyAudit } from "../../src/audit/verify.ts";
import { backUpStore } from "../../src/copy/back-up.ts";
import { copyStore } from "../../src/copy/copy-store.ts";
import { restoreStore } from "../../src/copy/restore.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { createPostgresStore } from "../../src/store/postgres.ts";
import { createSqliteStore } from "../../src/store/sqlite.ts";
import type { BreadcrumbStore } from "../../src/store/store.ts";
import { note, written } from "../../src/testing/contract/_samples.ts";
import { copyKeys, dump, fillSample } from "../../src/testing/contract/copy.ts";

const folder = mkdtempSync(join(tmpdir(), "toolrack-test-"));
const keys = copyKeys(1);
let server: TestPostgres;
let storeModule: string;
beforeAll(async () => {
  server = await startPostgres();
  storeModule = await bundleProgram(new URL("../../src/index.ts", import.meta.url));
});
afterAll(async () => {
  await (server as TestPostgres | undefined)?.stop();
  removeProgram(storeModule);
  rmSync(folder, { recursive: true, force: true });
});
const opened: BreadcrumbStore[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});
let count = 0;
const remember = (store: BreadcrumbStore): BreadcrumbStore => (opened.push(store), store);
const sqlite = async (): Promise<BreadcrumbStore> => remember(await createSqliteStore({ path: join(folder, `${count++}.db`) }));
const postgres = async (): Promise<BreadcrumbStore> =>
  remember(await createPostgresStore({ connectionString: server.connectionString, schema: `copy_${process.pid}_${count++}` }));

describe("stores of different kinds", () => {
  it("CP1: SQLite to PostgreSQL and back gives the same rows, and an audit that verifies on each side", async () => {
    const [source, middle, end] = [await sqlite(), await postgres(), await sqlite()];
    await fillSample(source, keys);
    for (const [from, to] of [
      [source, middle],
      [middle, end],
    ] as const)
      expect(await copyStore(from, to, { keys })).toMatchObject({ audit: { ok: true } });
    expect(await dump(middle)).toEqual(await dump(source));
    expect(await dump(end)).toEqual(await dump(source));
    expect(await verifyAudit(end)).toMatchObject({ ok: true });
  });

  it("CP2: a back-up of PostgreSQL that is written to restores into SQLite, and one of SQLite into PostgreSQL", async () => {
    const source = await postgres();
    await fillSample(source, keys);
    const file = join(folder, `${count++}.backup`);
    await backUpStore(source, file, { keys });
    const target = await sqlite();
    expect(await restoreStore(target, file, { keys })).toMatchObject({ audit: { ok: true }, isSealed: true });
    expect(await dump(target)).toEqual(await dump(source));
    const again = join(folder, `${count++}.backup`);
    await backUpStore(target, again, { keys });
    const last = await postgres();
    await restoreStore(last, again, { keys });
    expect(await dump(last)).toEqual(await dump(source));
  });

  it("CP3: whatever was written, a copy of a copy has the same content", async () => {
    const step = fc.record({
      id: fc.constantFrom("a", "b", "c", "d"),
      what: fc.constantFrom("put", "remove"),
      context: fc.dictionary(
        fc.string({ unit: "grapheme" }).filter((key) => !key.includes("\0")),
        fc.oneof(fc.integer(), fc.boolean()),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const stores = [createMemoryStore(), await createSqliteStore({ path: ":memory:" }), createMemoryStore()];
        const [source, first, second] = stores as [BreadcrumbStore, BreadcrumbStore, BreadcrumbStore];
        try {
          for (const { id, what, context } of steps) {
            const version = (await source.get(id))?.version;
            if (what === "remove") await source.remove(id);
            else written(await source.put(note(id, { context, ...(version !== undefined && { version }) })));
          }
          await copyStore(source, first, { keys });
          await copyStore(first, second, { keys });
          expect(await dump(second)).toEqual(await dump(source));
        } finally {
          for (const store of stores) await store.close();
        }
      }),
      { numRuns: sized(8, 15) },
    );
  });

  it("CP4: a process that is killed in the middle of restoring leaves an empty store", async () => {
    const source = await sqlite();
    for (let index = 0; index < 400; index++) written(await source.put(note(`n${index}`)));
    const file = join(folder, `${count++}.backup`);
    await backUpStore(source, file, { keys });
    const path = join(folder, `${count++}.db`);
    const schema = `killed_${process.pid}`;
    const { connectionString } = server;
    for (const opening of [
      `createSqliteStore(${JSON.stringify({ path })})`,
      `createPostgresStore(${JSON.stringify({ connectionString, schema })})`,
    ]) {
      const program = `
        const { createKeys, createPostgresStore, createSqliteStore, restoreStore } = await import(${JSON.stringify(pathToFileURL(storeModule).href)});
        const store = await ${opening};
        const keys = createKeys({ current: Buffer.alloc(32, 1) });
        await restoreStore(store, ${JSON.stringify(file)}, {
          keys,
          onProgress: ({ done, total }) => done > total / 2 && process.kill(process.pid, "SIGKILL"),
        });`;
      const { signal } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
      expect(signal).toBe("SIGKILL");
    }
    for (const store of [remember(await createSqliteStore({ path })), remember(await createPostgresStore({ connectionString, schema }))]) {
      expect(await store.sequence()).toBe(0);
      expect(await restoreStore(store, file, { keys })).toMatchObject({ counts: { head: 400 } });
      expect(await dump(store)).toEqual(await dump(source));
    }
  });
});
