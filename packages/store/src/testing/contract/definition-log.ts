import { createMerkleLog, verifyConsistency, verifyInclusion, verifyProof, leafHash } from "@toolrack/core/trust";
import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import { listAudit, pruneAudit } from "../../audit/audit.ts";
import { type DefinitionLogEntry, openDefinitionLog } from "../../audit/definition-log.ts";
import { proveEntry, verifyHead } from "../../audit/proof.ts";
import { verifyAudit } from "../../audit/verify.ts";
import { keyAudit } from "../../secrets/audit-key.ts";
import { createKeys } from "../../secrets/keys.ts";
import { insideOf } from "../../store/create-store.ts";
import type { BreadcrumbStore } from "../../store/store.ts";
import { note, written } from "./_samples.ts";
import type { OpenStore } from "./open.ts";

const entry = (tool: string, more: Partial<DefinitionLogEntry> = {}): DefinitionLogEntry => ({
  kind: "first-sight",
  source: "mcp https://tools.example",
  tool,
  print: "v1:sha256:00",
  ...more,
});

function append(store: BreadcrumbStore, ...entries: DefinitionLogEntry[]): Promise<void> {
  return store.transaction((tx) => openDefinitionLog(tx).append(entries, tx));
}

export function definitionLogContract(open: OpenStore): void {
  describe("the log of definitions", () => {
    it("proves every entry in every size, and that each size begins with the ones before it", async () => {
      const store = await open();
      const log = openDefinitionLog(store);
      const reference = createMerkleLog();
      expect(await log.head()).toEqual(reference.head());
      for (const count of [1, 2, 1, 3, 4, 9]) await append(store, ...Array.from({ length: count }, (_, index) => entry(`t${index}`)));
      const entries = (await log.list()).toReversed();
      for (const { text } of entries) reference.append(text);
      expect(entries.map(({ index }) => index)).toEqual(Array.from({ length: 20 }, (_, index) => index));
      for (let size = 0; size <= 20; size++) {
        const head = await log.head(size);
        expect(head).toEqual(reference.head(size));
        for (let index = 0; index < size; index++) {
          const proof = await log.inclusionProof(index, size);
          expect(verifyInclusion({ leaf: leafHash(entries[index]!.text), index, head, proof })).toBe(true);
          const between = await log.consistencyProof(index, size);
          expect(verifyConsistency({ from: await log.head(index), to: head, proof: between })).toBe(true);
        }
      }
      await expect(log.head(21)).rejects.toThrow("The size 21 is not in the log of definitions: it goes up to 20.");
      await expect(log.inclusionProof(20, 20)).rejects.toThrow(/index 20/);
      await expect(log.consistencyProof(21, 20)).rejects.toThrow(/size 21/);
    });

    it("is written with the record or not at all", async () => {
      const store = await open();
      const log = openDefinitionLog(store);
      const failing = store.transaction(async (tx) => {
        written(await tx.put(note("a")));
        await log.append([entry("a")], tx);
        expect(await insideOf(tx).unit!.tx.logSize()).toBe(1);
        throw new Error("changed its mind");
      });
      await expect(failing).rejects.toThrow("changed its mind");
      expect([await log.head(), await store.get("a"), await listAudit(store)]).toEqual([createMerkleLog().head(), undefined, []]);
      await expect(log.append([entry("a")], store)).rejects.toMatchObject({ code: "QUERY_INVALID" });
    });

    it("lists what happened to one tool of one source, the newest first, to its owner alone", async () => {
      const store = await open();
      await append(
        store,
        entry("a"),
        entry("b"),
        entry("a", { source: "other" }),
        entry("a", { kind: "grant", detail: { reason: "x" }, by: "eve" }),
      );
      await append(store.as({ owner: "other", agent: "o", roles: ["curator"] }), entry("a"));
      const log = openDefinitionLog(store);
      const found = await log.list({ source: "mcp https://tools.example", tool: "a" });
      expect(found.map(({ index, kind, by, detail }) => [index, kind, by, detail])).toEqual([
        [3, "grant", "eve", { reason: "x" }],
        [0, "first-sight", store.actor.agent, {}],
      ]);
      expect(await log.list({ tool: "a", limit: 1, before: 3 })).toMatchObject([{ index: 2, source: "other" }]);
      const reader = store.as({ owner: store.actor.owner, agent: "r", roles: ["subscriber"] });
      await expect(openDefinitionLog(reader).list()).rejects.toMatchObject({ code: "FORBIDDEN" });
      const odd = entry("name\0\ud800", { source: "s".repeat(2_000) });
      await append(store, odd);
      expect(await log.list({ source: odd.source, tool: odd.tool })).toHaveLength(1);
      expect(await log.list({ source: "s".repeat(1_999), tool: odd.tool })).toEqual([]);
    });

    it("states each head in the audit, which finds an entry that was changed, cut off or put in place of another", async () => {
      const store = await open();
      await append(store, entry("a"), entry("b"));
      await append(store, entry("c"));
      const head = await openDefinitionLog(store).head();
      expect(await verifyAudit(store)).toMatchObject({ ok: true, log: { ...head, anchors: 2 } });
      const { engine } = insideOf(store);
      const rows = await engine.logFrom(0, 10);
      expect(rows.map(({ nodes }) => nodes.length)).toEqual([64, 128, 64]);
      const other = await open();
      await append(other, entry("a"), entry("x"));
      await append(other, entry("c"));
      const forged = await insideOf(other).engine.logFrom(0, 10);
      const third = await open();
      await insideOf(third).engine.write(async (tx) => {
        await tx.appendLog(forged);
        await tx.addAudit(await engine.auditAfter(0, 10));
        const { audit, chains } = await engine.snapshot((snapshot) => snapshot.ends());
        await tx.setEnds({ sequence: 0, changesBegin: 0, audit, chains });
      });
      expect(await verifyAudit(third)).toEqual({
        ok: false,
        number: 1,
        reason: "Line 1 of the audit: by then the first 2 entries of the log of definitions had another root: the log was rewritten.",
      });
    });

    it("keeps its head in the audit when old lines are removed", async () => {
      const store = await open();
      await keyAudit(store, createKeys({ current: Buffer.alloc(32, 1) }));
      await append(store, entry("a"));
      for (let index = 0; index < 5; index++) await append(store, entry(`t${index}`));
      await pruneAudit(store, { maxRows: 1 });
      const check = await verifyAudit(store);
      expect(check).toMatchObject({ ok: true, log: { size: 6 } });
      expect(check.ok && check.log.anchors > 0).toBe(true);
    });

    it("makes proofs that hold by themselves, with a head that is signed where the audit has a key", async () => {
      const store = await open();
      await append(store, entry("a"), entry("b"));
      const log = openDefinitionLog(store);
      const before = await log.head();
      const [found] = await log.list({ tool: "a" });
      const plain = await proveEntry(store, found!);
      expect(verifyProof(plain)).toMatchObject({ ok: true, entry: { tool: "a", kind: "first-sight" } });
      expect([plain.signature, verifyHead(plain)]).toEqual([undefined, false]);
      await keyAudit(store, createKeys({ current: Buffer.alloc(32, 1) }));
      await append(store, entry("c"));
      const proof = await proveEntry(store, found!, before);
      expect(verifyProof(JSON.parse(JSON.stringify(proof)), { since: before })).toMatchObject({ ok: true });
      expect([verifyHead(proof), verifyHead(proof, proof.signature!.publicKey), verifyHead(proof, "00")]).toEqual([true, true, false]);
      expect(verifyHead({ ...proof, head: { ...proof.head, at: proof.head.at + 1 } })).toBe(false);
      await append(store, entry("d"));
      expect((await proveEntry(store, found!)).signature!.publicKey).toBe(proof.signature!.publicKey);
    });
  });
}
