import { createFakeClock } from "@toolrack/core/testing";
import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import { createAnswers } from "../../answers/answers.ts";
import { addToAudit } from "../../audit/audit.ts";
import { openDefinitionLog } from "../../audit/definition-log.ts";
import { createCallLog } from "../../calls/call-log.ts";
import { createConfigs } from "../../config/configs.ts";
import { copyStore } from "../../copy/copy-store.ts";
import type { StoredRows } from "../../engine/engine.ts";
import { keyAudit } from "../../secrets/audit-key.ts";
import { createKeys, type KeyProvider } from "../../secrets/keys.ts";
import { createSecrets } from "../../secrets/secrets.ts";
import { createSessionStore } from "../../sessions/create-session-store.ts";
import { createTickets } from "../../tickets/tickets.ts";
import { insideOf } from "../../store/create-store.ts";
import type { BreadcrumbStore } from "../../store/store.ts";
import { definition, note, written } from "./_samples.ts";
import { newTicket } from "./_ticket.ts";
import type { OpenStore } from "./open.ts";

export const copyKeys = (byte: number): KeyProvider => createKeys({ current: Buffer.alloc(32, byte) });

/** A store with something of everything that lasts, and of what must not. */
export async function fillSample(store: BreadcrumbStore, keys: KeyProvider): Promise<void> {
  await keyAudit(store.as({ owner: "inner", agent: "server", roles: ["curator"] }), keys);
  const first = written(await store.put(note("a", { tags: ["x", "y"], title: "Größe", context: { n: 0.1, __proto__: null, deep: [{}] } })));
  written(await store.put(note("a", { version: first.version, tags: ["x"] })));
  written(await store.put(note("gone")));
  written(await store.remove("gone"));
  written(await store.put(definition("greet")));
  written(await store.put(note("later", { ttl: { afterMs: 60_000 } })));
  written(await store.put(note("often", { ttl: { reads: 3 } })));
  await store.get("often");
  const secrets = await createSecrets(store, { keys });
  await secrets.set("token", "the value");
  await secrets.close();
  const configs = await createConfigs(store);
  await configs.save("greet", { max: 3 });
  await configs.close();
  await store.transaction((tx) =>
    openDefinitionLog(tx).append([{ kind: "grant", source: "s", tool: "t", print: null, detail: { reason: "Größe" } }], tx),
  );
  const lines = Array.from({ length: 250 }, (_, index) => ({ kind: "note", subject: `s${index}`, body: { index } }));
  await addToAudit(store, lines);
  await createAnswers(store).once({ key: "k", request: 1, make: async () => "kept" });
  await fillSessions(store);
  for (let index = 0; index < 30; index++)
    await createTickets(store).add(
      newTicket({ name: `t${index}`, group: "Größe", body: JSON.stringify({ text: "\0 \ud800" }), isOpen: index % 2 === 0 }),
    );
}

/** Sessions of agents with messages, with one that waits in an inbox, and with one that was taken from there. */
async function fillSessions(store: BreadcrumbStore): Promise<void> {
  const sessions = createSessionStore(store);
  const parent = await sessions.create({ key: "agent:a:main", agent: "a", kind: "main", label: "Größe", state: { left: 3 } });
  const child = await sessions.create({ key: "agent:a:subagent:1", agent: "a", kind: "subagent", parent: parent.id, model: "m" });
  await sessions.send(parent.id, { content: "\0 \ud800", from: { kind: "webhook", id: "w" }, source: "delivery-1" });
  await sessions.takeInbox(parent.id, { after: 0 });
  const messages = Array.from({ length: 60 }, (_, index) => ({ role: "assistant", content: `${index}` }));
  await sessions.append(parent.id, messages, { after: 1 });
  await sessions.end(child.id, { text: "found", status: "done" });
}

const kinds = [
  "changes",
  "heads",
  "audit",
  "secrets",
  "notes",
  "definitionLog",
  "sessions",
  "sessionMessages",
  "sessionInbox",
  "tickets",
] as const satisfies readonly (keyof StoredRows)[];

/** Everything of a store, in an order that stays the same. */
export async function dump(store: BreadcrumbStore): Promise<unknown> {
  return insideOf(store).engine.snapshot(async (snapshot) => {
    const all: Record<string, unknown[]> = {};
    for (const kind of kinds) {
      all[kind] = [];
      for await (const page of snapshot.pages(kind)) all[kind].push(...page);
      expect(all[kind].length).toBe(await snapshot.count(kind));
    }
    return { ...all, ends: await snapshot.ends() };
  });
}

export function copyContract(open: OpenStore): void {
  describe("the copy of a whole store", () => {
    const keys = copyKeys(1);

    it("has every row as it was, with its numbers and hashes, and the same again when it is copied", async () => {
      const store = await open();
      await fillSample(store, keys);
      const [copy, second] = [await open(), await open()];
      const report = await copyStore(store, copy, { keys });
      expect(report).toMatchObject({
        counts: { secret: 1, answer: 1, session: 2, message: 61, inbox: 2, task: 30 },
        rewrapped: 0,
        running: 0,
        audit: { ok: true },
      });
      await copyStore(copy, second, { keys });
      expect(await dump(copy)).toEqual(await dump(store));
      expect(await dump(second)).toEqual(await dump(store));
    });

    it("goes on where its source was: lists, words, tags, history, numbers, expiry, reads", async () => {
      const clock = createFakeClock(1_800_000_000_000);
      const source = await open({ clock });
      await fillSample(source, keys);
      const store = await open({ clock });
      await copyStore(source, store, { keys });
      expect((await store.searchBreadcrumbs({ text: "grosse" })).length).toBe((await source.searchBreadcrumbs({ text: "grosse" })).length);
      expect((await store.searchBreadcrumbs({ allTags: ["x"] })).map(({ id }) => id)).toEqual(["a"]);
      expect((await store.history("a")).map(({ record }) => record.version)).toEqual([2, 1]);
      expect((await store.history("gone")).map(({ type }) => type)).toEqual(["deleted", "created"]);
      expect(await store.get("tool-catalog")).toEqual(await source.get("tool-catalog"));
      const sequence = await store.sequence();
      expect(sequence).toBe(await source.sequence());
      written(await store.put(note("new")));
      expect(await store.sequence()).toBe(sequence + 1);
      expect(await store.get("often")).toBeDefined();
      expect(await store.get("often")).toBeDefined();
      expect(await store.get("often")).toBeUndefined();
      await clock.advance(61_000);
      expect(await store.get("later")).toBeUndefined();
    });

    it("is one moment, whatever is written while it is read", async () => {
      const store = await open();
      for (let index = 0; index < 250; index++) written(await store.put(note(`n${index}`)));
      const { engine } = insideOf(store);
      const before = await store.sequence();
      const seen = await engine.snapshot(async (snapshot) => {
        const ids: string[] = [];
        for await (const page of snapshot.pages("heads")) {
          ids.push(...page.map(({ record }) => record.id));
          written(await store.put(note(`meanwhile${ids.length}`)));
          await addToAudit(store, [{ kind: "note", subject: "s", body: 1 }]);
        }
        expect(await snapshot.ends()).toMatchObject({ sequence: before, audit: { last: { number: 0 } } });
        return ids;
      });
      expect(seen).toEqual(Array.from({ length: 250 }, (_, index) => `n${index}`));
      expect(await store.sequence()).toBe(before + 3);
    });

    it("wraps secrets and the key of the audit anew where the target has another master key", async () => {
      const store = await open();
      await fillSample(store, keys);
      const copy = await open();
      const newKeys = copyKeys(2);
      const report = await copyStore(store, copy, { keys, newKeys });
      expect(report).toMatchObject({ rewrapped: 1, audit: { ok: true } });
      const secrets = await createSecrets(copy, { keys: newKeys });
      expect(await secrets.get({ name: "token", tool: "t", callId: "c", caller: {} })).toBe("the value");
      await secrets.close();
      const keyed = await keyAudit(copy.as({ owner: "inner", agent: "server", roles: ["curator"] }), newKeys, {
        expected: report.auditKeyId,
      });
      expect(keyed).toMatchObject({ unreadable: [], isExpectedGone: false, keyId: report.auditKeyId });
    });

    it("leaves out calls that run, and says how many", async () => {
      const store = await open();
      const log = createCallLog(store, { server: "one" });
      await log.begin?.({ callId: "c1", tool: "t", caller: {}, input: {}, startedAt: 1 });
      await log.flush();
      const copy = await open();
      expect(await copyStore(store, copy, { keys })).toMatchObject({ running: 1, counts: { answer: 0 } });
      expect(await createCallLog(copy).running()).toEqual([]);
    });

    it("has the sessions of agents, which nobody runs there and which go on where they were", async () => {
      const [store, copy] = [await open(), await open()];
      await fillSessions(store);
      const before = createSessionStore(store);
      const main = (await before.get("agent:a:main"))!;
      const lease = (await before.acquire(main.id, "server", 600_000))!;
      await copyStore(store, copy, { keys });
      const after = createSessionStore(copy);
      expect(await after.list()).toEqual(await before.list());
      expect(await after.messages(main.id)).toEqual(await before.messages(main.id));
      await expect(after.append(main.id, [{ role: "user" }], { after: 61, lease })).rejects.toMatchObject({ code: "LEASE_LOST" });
      expect((await after.acquire(main.id, "other", 600_000))?.fence).toBe(lease.fence + 1);
      const again = { content: "again", from: { kind: "webhook" }, source: "delivery-1" } as const;
      expect(await after.send(main.id, again)).toMatchObject({ id: `${main.id}.1`, content: "\0 \ud800" });
      expect(await after.takeInbox(main.id, { after: 61 })).toMatchObject({ taken: [{ content: "found" }], last: 62 });
      await expect(copyStore(store, copy, { keys })).rejects.toMatchObject({ code: "STORE_NOT_EMPTY" });
    });

    it("has the tasks of clients as they were, and neither expired ones nor what servers want of calls", async () => {
      const clock = createFakeClock(1_800_000_000_000);
      const [store, copy] = [await open({ clock }), await open({ clock })];
      const [before, after] = [createTickets(store), createTickets(copy)];
      const task = newTicket({ name: "kept", holder: "server", endsAt: clock.now() + 60_000 });
      await before.add(task);
      await before.replace({ ...task, version: 2, body: "{}" });
      await before.add(newTicket({ name: "old", endsAt: clock.now() + 1_000 }));
      await before.add(newTicket({ kind: "wish", name: "call", endsAt: clock.now() + 60_000 }));
      await clock.advance(2_000);
      expect(await copyStore(store, copy, { keys })).toMatchObject({ counts: { task: 1 } });
      expect(await after.list("task")).toEqual([{ ...task, version: 2, body: "{}" }]);
      expect([await after.get("task", "old"), await after.get("wish", "call")]).toEqual([undefined, undefined]);
      expect(await after.replace({ ...task, version: 3, holder: "" })).toBe(true);
    });

    it("goes into an empty store only", async () => {
      const [store, other] = [await open(), await open()];
      await fillSample(store, keys);
      written(await other.put(note("mine")));
      const before = await dump(other);
      await expect(copyStore(store, other, { keys })).rejects.toMatchObject({ code: "STORE_NOT_EMPTY" });
      expect(await dump(other)).toEqual(before);
    });

    it("is refused before anything is written where the master key does not fit", async () => {
      const [store, copy] = [await open(), await open()];
      await fillSample(store, keys);
      await expect(copyStore(store, copy, { keys: copyKeys(3) })).rejects.toMatchObject({ code: "SECRET_UNREADABLE" });
      expect(await copy.sequence()).toBe(0);
    });
  });
}
