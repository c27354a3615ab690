import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFakeClock } from "@toolrack/core/testing";
import { afterAll, describe, expect, it } from "vitest";
import { anchorAudit } from "../../src/audit/anchor.ts";
import { addToAudit, listAudit, pruneAudit } from "../../src/audit/audit.ts";
import { verifyAudit } from "../../src/audit/verify.ts";
import { createMemoryEngine } from "../../src/engines/memory/memory.ts";
import { loadSqlite } from "../../src/engines/sqlite/load.ts";
import { createLeases } from "../../src/leases/leases.ts";
import { keyAudit } from "../../src/secrets/audit-key.ts";
import { createKeys } from "../../src/secrets/keys.ts";
import { createStore } from "../../src/store/create-store.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { createSqliteStore } from "../../src/store/sqlite.ts";
import type { BreadcrumbStore } from "../../src/store/store.ts";

const folder = mkdtempSync(join(tmpdir(), "toolrack-anchor-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const keys = createKeys({ current: Buffer.alloc(32, 5) });
const now = 1_800_000_000_000;

async function fill(store: BreadcrumbStore, lines: number): Promise<void> {
  await addToAudit(
    store,
    Array.from({ length: lines }, (_, index) => ({ kind: "note", subject: `s${index}`, body: index })),
  );
}

describe("the anchor that pruning leaves in an audit with a key", () => {
  it("AN1: says where the audit begins, and since when", async () => {
    const clock = createFakeClock(now);
    const store = createMemoryStore({ clock });
    await keyAudit(store, keys);
    await fill(store, 10);
    expect(await verifyAudit(store)).not.toHaveProperty("begin");
    await clock.advance(60_000);
    await pruneAudit(store, { maxRows: 4 });
    expect(await verifyAudit(store)).toMatchObject({ ok: true, begin: { number: 8, anchor: { number: 12, at: now + 60_000 } } });
  });

  it("AN2: is left by each of many small steps, so that an interrupted pruning verifies too", async () => {
    const store = createMemoryStore();
    await keyAudit(store, keys);
    await fill(store, 6_000);
    expect(await pruneAudit(store, { maxRows: 1_000 })).toBeGreaterThanOrEqual(5_001);
    const anchors = await listAudit(store, { kinds: ["audit-pruned"] });
    expect(anchors.length).toBeGreaterThan(1);
    expect(await verifyAudit(store)).toMatchObject({ ok: true, begin: { anchor: { number: anchors[0]!.number } } });
  });

  it("AN3: is written once: pruning again removes and adds nothing", async () => {
    const store = createMemoryStore();
    await keyAudit(store, keys);
    await fill(store, 10);
    await pruneAudit(store, { maxRows: 4 });
    expect(await pruneAudit(store, { maxRows: 4 })).toBe(0);
    expect(await listAudit(store, { kinds: ["audit-pruned"] })).toHaveLength(1);
  });

  it.each([
    ["more lines removed, and the beginning moved", (sql: Sql) => moveBeginning(sql, 9)],
    ["the line of the anchor removed from the end", (sql: Sql) => cutOff(sql, 11)],
    [
      "the beginning forged in the text of the anchor",
      (sql: Sql) => {
        moveBeginning(sql, 9);
        sql.run(`update audit set body = replace(body, '"number":7', '"number":9') where kind = 'audit-pruned'`);
      },
    ],
    ["the beginning set back", (sql: Sql) => sql.run("update ends set number = 0, hash = '' where name = 'audit-first'")],
  ])("AN4: shows %s", async (what, tamper) => {
    const path = join(folder, `${what.replaceAll(/\W/g, "-")}.db`);
    const store = await createSqliteStore({ path });
    await keyAudit(store, keys);
    await fill(store, 10);
    await pruneAudit(store, { maxRows: 4 });
    expect(await verifyAudit(store)).toMatchObject({ ok: true, begin: { number: 8 } });
    const database = (await loadSqlite()).open(path, 1_000);
    tamper({ run: (text) => database.exec(text) });
    database.close();
    expect(await verifyAudit(store)).toMatchObject({ ok: false });
    await store.close();
  });

  it("AN5: cannot be had without a key, and verifying says so", async () => {
    const store = createMemoryStore();
    await fill(store, 10);
    await pruneAudit(store, { maxRows: 4 });
    const check = await verifyAudit(store);
    expect(check).toMatchObject({
      ok: true,
      begin: { number: 7 },
      limits: expect.arrayContaining([expect.stringMatching(/begins at line 7.*no key/)]),
    });
    expect(check).not.toHaveProperty("begin.anchor");
  });
});

interface Sql {
  run(text: string): void;
}

function moveBeginning(sql: Sql, to: number): void {
  sql.run(`update ends set number = ${to}, hash = (select hash from audit where number = ${to}) where name = 'audit-first'`);
  sql.run(`delete from audit where number <= ${to}`);
}

function cutOff(sql: Sql, to: number): void {
  sql.run(`update ends set number = ${to}, hash = (select hash from audit where number = ${to}) where name = 'audit-last'`);
  sql.run(`delete from audit where number > ${to}`);
}

describe("the anchor of several chains", () => {
  it("is not written by a server whose lease another one has taken since", async () => {
    const store = createStore({ ...createMemoryEngine(), hasChains: true });
    const leases = createLeases(store);
    const lease = (await leases.acquire("audit-anchor", "one", 60_000))!;
    await leases.release(lease);
    await leases.acquire("audit-anchor", "other", 60_000);
    await fill(store, 1);
    await expect(anchorAudit(store, lease)).rejects.toMatchObject({ code: "LEASE_LOST" });
    expect(await verifyAudit(store)).toMatchObject({ ok: true, rows: 1, chains: { anchors: 0 } });
    await store.close();
  });
});
