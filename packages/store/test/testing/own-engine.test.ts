import { appendFileSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { hasPart } from "@toolrack/core/testing";
import { createStore, createCallLog, StoreError, verifyAudit } from "@toolrack/store";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { canMount, createSmallDisk } from "@toolrack/testkit/small-disk";
import { describe, expect, it } from "vitest";
import { openJournalEngine } from "../../../../examples/own-engine/journal-engine.ts";
import { engineContract } from "../../src/testing/testing.ts";
import { runChecks } from "../_contract.ts";

describe("the engine of the example, written with public names alone", () => {
  runChecks(engineContract(() => openJournalEngine(join(temporaryFolder(), "records.journal"))));

  it("has every row again after a restart, and ignores a line that a crash cut off", async () => {
    const path = join(temporaryFolder(), "records.journal");
    const store = createStore(await openJournalEngine(path));
    await store.put({ id: "a", schema_name: "note.v1", context: { text: "one" } });
    await store.put({ id: "a", schema_name: "note.v1", version: 1, context: { text: "two" } });
    const calls = createCallLog(store);
    const meta = { callId: "c", tool: "t", durationMs: 1 };
    await calls.record({ callId: "c", tool: "t", input: {}, caller: {}, startedAt: 1, result: { ok: true, content: "x", meta } });
    const [sequence, history] = [await store.sequence(), await store.history("a")];
    await store.close();
    const { size } = statSync(path);
    appendFileSync(path, '[["save",[{"type":"crea');
    const again = createStore(await openJournalEngine(path));
    expect(statSync(path).size).toBe(size);
    expect([await again.sequence(), await again.history("a")]).toEqual([sequence, history]);
    expect(await createCallLog(again).show("c")).toMatchObject({ tool: "t", output: "x" });
    expect(await verifyAudit(again)).toMatchObject({ ok: true, rows: 1 });
    await again.close();
  });

  it.skipIf(!hasPart("the right to mount", canMount))("leaves nothing of a transaction that its disk does not take", async () => {
    const disk = createSmallDisk("256k");
    afterThisTest(() => disk.remove());
    const path = join(disk.folder, "records.journal");
    const store = createStore(await openJournalEngine(path));
    await store.put({ id: "a", schema_name: "note.v1", context: {} });
    disk.fill();
    const text = "x".repeat(20_000);
    const error: unknown = await store.put({ id: "b", schema_name: "note.v1", context: { text } }).catch((thrown: unknown) => thrown);
    expect(StoreError.is(error) && error.code).toBe("STORE_UNAVAILABLE");
    expect([await store.get("b"), await store.sequence()]).toEqual([undefined, 1]);
    disk.free();
    await store.put({ id: "c", schema_name: "note.v1", context: { text } });
    await store.close();
    expect(readFileSync(path, "utf8").trim().split("\n")).toHaveLength(2);
    const again = createStore(await openJournalEngine(path));
    expect(await again.sequence()).toBe(2);
    await again.close();
  });
});
