import { insideOf } from "../../store/create-store.ts";
import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import type { OpenStore } from "./open.ts";
import { note, written } from "./_samples.ts";

export function transactionContract(open: OpenStore): void {
  describe("transactions of the engine", () => {
    it("leave nothing behind when they throw, take no number, and were never seen by others", async () => {
      const store = await open();
      const { engine } = insideOf(store);
      const { owner } = store.actor;
      const secret = { owner, name: "s", version: 1, keyId: "k", wrappedKey: "", sealed: "", updatedAt: 1 };
      written(await store.put(note("before")));
      const meanwhile: Promise<unknown>[] = [];
      const failing = engine.write(async (tx) => {
        const { record } = (await tx.head(owner, "before"))!;
        const changed = { ...record, id: "never", version: 1 };
        const found = { identity: undefined, position: undefined, tagsBefore: [], terms: ["never"] };
        const saving = { type: "created", record: changed, ...found, expiresAt: undefined, readsLeft: undefined } as const;
        expect(await tx.save([saving])).toMatchObject([{ sequence: 2 }]);
        await tx.saveSecret(secret);
        expect(await tx.head(owner, "never")).toMatchObject({ record: { id: "never" } });
        meanwhile.push(engine.head(owner, "never"), engine.secret(owner, "s"));
        throw new Error("changed its mind");
      });
      await expect(failing).rejects.toThrow("changed its mind");
      expect(await Promise.all(meanwhile)).toEqual([undefined, undefined]);
      expect([await engine.head(owner, "never"), await engine.secret(owner, "s")]).toEqual([undefined, undefined]);
      expect(await engine.lastSequence()).toBe(1);
      written(await store.put(note("after")));
      expect((await engine.changesAfter(0, 10)).map(({ sequence, record }) => [sequence, record.id])).toEqual([
        [1, "before"],
        [2, "after"],
      ]);
    });

    it("that lock notes run one after another, and each sees what the one before it wrote", async () => {
      const store = await open();
      const { engine } = insideOf(store);
      const counter = { owner: store.actor.owner, kind: "answer", name: "n", holder: "", endsAt: undefined } as const;
      const countUp = () =>
        engine.writeAudit(async (tx) => {
          await tx.lockNotes();
          const before = await tx.note(counter.owner, "answer", "n");
          await tx.saveNotes([{ ...counter, body: String(Number(before?.body ?? 0) + 1) }]);
        });
      await Promise.all(Array.from({ length: 20 }, countUp));
      expect(await engine.note(counter.owner, "answer", "n")).toMatchObject({ body: "20" });
    });

    it("that lock the audit append lines without a gap, in the order of their commits", async () => {
      const store = await open();
      const { engine } = insideOf(store);
      const line = (name: string) => [5, store.actor.owner, "call", "a", "t", name, 1, null, 1, "{}", ""] as const;
      const page = (name: string) => ({ lines: [line(name)], key: undefined, owner: store.actor.owner, removed: [], saved: [] });
      const names = Array.from({ length: 20 }, (_, index) => `c${index}`);
      await Promise.all(names.map((name) => engine.writeLog(page(name))));
      const rows = await engine.auditAfter(0, 100);
      expect(rows.map(({ number }) => number)).toEqual(names.map((_, index) => index + 1));
      expect(rows.map(({ previous }) => previous)).toEqual(["", ...rows.map(({ hash }) => hash)].slice(0, -1));
      expect(rows.map(({ callId }) => callId).sort()).toEqual([...names].sort());
      expect(await engine.auditEnds()).toMatchObject({ first: { number: 0, hash: "" }, last: { number: 20 } });
    });

    it("wake whoever listens once records were committed, until it stops listening", async () => {
      const store = await open();
      const { engine } = insideOf(store);
      let woken = 0;
      const stop = engine.onWake(() => (woken += 1));
      written(await store.put(note("a")));
      await expect.poll(() => woken > 0).toBe(true);
      stop();
      const before = woken;
      written(await store.put(note("b")));
      expect(woken).toBe(before);
    });
  });
}
