import { untilLater } from "@toolrack/testkit/until";
import { describe, expect, it, vi } from "vitest";
import type { SessionMessage, SessionStore, StoredSession } from "../../../../src/serve/http/sessions/session-store.ts";

let count = 0;

function session(principal = "ada"): StoredSession {
  return { key: `key-${count++}`, principal, expiresAt: Date.now() + 60_000 };
}

/** What every store of sessions does. `open` makes one that keeps the settings of two sessions for each principal. */
export function sessionStoreContract(name: string, open: () => Promise<SessionStore>): void {
  describe(`${name} as a store of sessions`, () => {
    it("ends a session, tells who listens, and ends no other", async () => {
      const store = await open();
      const [first, second] = [session(), session()];
      const told: SessionMessage[] = [];
      store.subscribe((message) => {
        told.push(message);
        return false;
      });
      await store.change(first, (now) => ({ ...now, logLevel: "info" }));
      expect([store.hasEnded(first.key), store.hasEnded(second.key)]).toEqual([false, false]);
      await store.end(first);
      await store.end(first);
      expect([store.hasEnded(first.key), store.hasEnded(second.key)]).toEqual([true, false]);
      expect(store.settings(first.key)).toEqual({ uris: [] });
      await vi.waitFor(() => expect(told).toContainEqual({ kind: "end", session: first.key }), { timeout: 60_000 });
    });

    it("changes settings from what they are, and not at all where the change is refused", async () => {
      const store = await open();
      const one = session();
      expect(store.settings(one.key)).toEqual({ uris: [] });
      await Promise.all([
        store.change(one, (now) => ({ ...now, logLevel: "debug" })),
        store.change(one, (now) => ({ ...now, uris: [...now.uris, "a:1"] })),
        store.change(one, (now) => ({ ...now, uris: [...now.uris, "a:2"] })),
      ]);
      const refuse = (): never => {
        throw new Error("refused");
      };
      await expect(store.change(one, refuse)).rejects.toThrow("refused");
      const { logLevel, uris } = store.settings(one.key);
      expect([logLevel, uris.toSorted()]).toEqual(["debug", ["a:1", "a:2"]]);
    });

    it("SD12: keeps the settings of so many sessions of one principal, its oldest going first, and those of others", async () => {
      const store = await open();
      const other = session("bob");
      await store.change(other, (now) => ({ ...now, logLevel: "debug" }));
      const own = [session(), session(), session()];
      for (const one of own) {
        await store.change(one, (now) => ({ ...now, logLevel: "debug" }));
        await untilLater(2); // so that one is older than the next
      }
      expect([...own, other].map(({ key }) => store.settings(key).logLevel)).toEqual([undefined, "debug", "debug", "debug"]);
    });

    it("takes messages, also twice", async () => {
      const store = await open();
      const one = session();
      await store.tell(one, { kind: "cancel", session: one.key, request: "number 1" });
      await store.tell(one, { kind: "cancel", session: one.key, request: "number 1" });
    });
  });
}
