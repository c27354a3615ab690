import { createFakeClock } from "@toolrack/core/testing";
import { applyRetention } from "../../retention/retention.ts";
import { createSessionStore } from "../../sessions/create-session-store.ts";
import type { NewSession } from "../../sessions/session-store.ts";
import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import type { OpenStore, OpenTwo } from "./open.ts";
import { describeSessions } from "./sessions.ts";

const session = (name: string): NewSession => ({ key: `agent:a:${name}`, agent: "a", kind: "other" });
const dayMs = 86_400_000;

export function sessionsContract(open: OpenStore): void {
  describeSessions("the sessions of agents", async (options) => createSessionStore(await open(), options));

  describe("the sessions of a store", () => {
    it("belong to its owner, and need a curator", async () => {
      const store = await open();
      const other = createSessionStore(store.as({ owner: "other", agent: "o", roles: ["curator"] }));
      const sessions = createSessionStore(store);
      const { id, key } = await sessions.create(session("x"));
      await sessions.append(id, [{ role: "user" }], { after: 0 });
      expect([await other.get(id), await other.get(key), await other.list(), await other.remove(id)]).toEqual([
        undefined,
        undefined,
        [],
        false,
      ]);
      await expect(other.messages(id)).rejects.toMatchObject({ code: "SESSION_UNKNOWN" });
      await expect(other.create({ ...session("y"), parent: id })).rejects.toMatchObject({ code: "SESSION_UNKNOWN" });
      expect(await other.create(session("x"))).toMatchObject({ key });
      expect(() => createSessionStore(store.as({ owner: "other", agent: "o", roles: ["emitter"] }))).toThrow(/curator/);
    });

    it("have the time of the store's clock, and one order also where that stands still", async () => {
      const clock = createFakeClock(1_000_000);
      const sessions = createSessionStore(await open({ clock }));
      const [a, b] = [await sessions.create(session("a")), await sessions.create(session("b"))];
      await clock.advance(500);
      await sessions.append(a.id, [{ role: "user" }], { after: 0 });
      await sessions.append(b.id, [{ role: "user" }], { after: 0 });
      await sessions.update(a.id, { status: "running" });
      expect((await sessions.list()).map(({ id, createdAt, updatedAt }) => [id, createdAt, updatedAt])).toEqual([
        [a.id, 1_000_000, 1_000_500],
        [b.id, 1_000_000, 1_000_500],
      ]);
      expect((await sessions.messages(b.id))[0]?.at).toBe(1_000_500);
      expect(await sessions.end(b.id, { text: "", status: "done" })).toMatchObject({ endedAt: 1_000_500 });
      expect(await sessions.list({ activeSince: 1_000_501 })).toEqual([]);
    });

    it("are removed a while after they ended, and never before", async () => {
      const clock = createFakeClock(1_800_000_000_000);
      const store = await open({ clock });
      const sessions = createSessionStore(store);
      const plan = { revisionsPerRecord: 2, changesMs: dayMs, deletedMs: dayMs, endedSessionsMs: 2 * dayMs };
      const running = await sessions.create(session("running"));
      await sessions.update(running.id, { status: "running" });
      for (let index = 0; index < 12; index++) {
        const { id } = await sessions.create(session(`${index}`));
        await sessions.append(id, [{ role: "user" }], { after: 0 });
        await sessions.end(id, { text: "", status: "done" });
      }
      await clock.advance(dayMs);
      const later = await sessions.create(session("later"));
      await sessions.end(later.id, { text: "", status: "done" });
      expect(await applyRetention(store, plan)).toMatchObject({ sessions: 0 });
      await clock.advance(dayMs);
      expect(await applyRetention(store, { ...plan, endedSessionsMs: Number.POSITIVE_INFINITY })).toMatchObject({ sessions: 0 });
      expect(await applyRetention(store, plan)).toMatchObject({ sessions: 12 });
      expect((await sessions.list()).map(({ id }) => id)).toEqual([later.id, running.id]);
      await clock.advance(1_000 * dayMs);
      expect(await applyRetention(store, { revisionsPerRecord: 2, changesMs: dayMs, deletedMs: dayMs })).toMatchObject({ sessions: 1 });
      expect(await sessions.list()).toHaveLength(1);
    });
  });
}

/** What sessions promise that several processes use. */
export function sharedSessionsContract(openTwo: OpenTwo): void {
  describe("shared sessions", () => {
    it("two servers append, take and run in turns: no message is lost, doubled or out of order", async () => {
      const both = (await openTwo()).map((store) => createSessionStore(store));
      const { id } = await both[0]!.create(session("x"));
      const count = 15;
      await Promise.all(
        both.map(async (sessions, server) => {
          for (let sent = 0; sent < count; sent++) {
            await sessions.send(id, { content: `${server}-${sent}`, from: { kind: "person" } });
            const { last } = (await sessions.get(id))!;
            const lease = await sessions.acquire(id, `server-${server}`, 600_000);
            if (lease !== undefined) {
              const taken = await sessions.takeInbox(id, { after: last, lease }).catch(() => undefined);
              if (taken !== undefined) await sessions.append(id, [{ role: "assistant" }], { after: taken.last, lease });
              await sessions.release(lease);
            }
          }
        }),
      );
      const { last } = (await both[1]!.get(id))!;
      await both[1]!.takeInbox(id, { after: last });
      const stored = await both[0]!.messages(id);
      expect(stored.map(({ seq }) => seq)).toEqual(Array.from({ length: stored.length }, (_, index) => index + 1));
      const contents = stored.flatMap(({ message }) => ("content" in message ? [String(message.content)] : []));
      expect([contents.length, new Set(contents).size]).toEqual([2 * count, 2 * count]);
      for (const server of [0, 1])
        expect(contents.filter((text) => text.startsWith(`${server}-`))).toEqual(
          Array.from({ length: count }, (_, sent) => `${server}-${sent}`),
        );
    });

    it("children that end on both servers at once bring their parent one result each", async () => {
      const [here, there] = (await openTwo()).map((store) => createSessionStore(store));
      const parent = await here!.create(session("parent"));
      const children = await Promise.all(
        Array.from({ length: 10 }, (_, index) => here!.create({ ...session(`child-${index}`), parent: parent.id })),
      );
      const result = (text: string) => ({ text, status: "done" });
      await Promise.all(children.flatMap(({ id }) => [here!.end(id, result(id)), there!.end(id, result(id))]));
      const { taken } = await there!.takeInbox(parent.id, { after: 0 });
      expect(taken.map(({ content }) => content).toSorted()).toEqual(children.map(({ id }) => id).toSorted());
    });
  });
}
