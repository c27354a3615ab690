import assert from "node:assert/strict";
import { type ContractCheck, createFakeClock, type FakeClock } from "@toolrack/core/testing";
import { codeOf } from "../errors.ts";
import type { Message, UserMessage } from "../message.ts";
import type { NewSession, Session, SessionStore } from "../sessions.ts";

/** Opens an empty store that reads the time from this clock. */
export type OpenSessions = (clock: FakeClock) => SessionStore | Promise<SessionStore>;

const said = (content: string): UserMessage => ({ role: "user", content, from: { kind: "person" } });
const draft = (rest = "main", more: Partial<NewSession> = {}): NewSession => ({
  key: `agent:a:${rest}`,
  agent: "a",
  kind: "main",
  ...more,
});
const ttlMs = 30_000;

/** The contract of `SessionStore` as checks for any test runner: `for (const check of sessionStoreContract(…)) it(check.name, check.run)`. */
export function sessionStoreContract(open: OpenSessions): readonly ContractCheck[] {
  const checks: Record<string, (store: SessionStore, clock: FakeClock) => Promise<void>> = {
    "creates a session once for each key, and finds it by id and by key": async (store) => {
      const session = await store.create(draft("main", { label: "first", state: { n: 1 }, model: "m" }));
      const expected: Partial<Session> = {
        key: "agent:a:main",
        agent: "a",
        kind: "main",
        label: "first",
        depth: 0,
        status: "idle",
        model: "m",
        last: 0,
      };
      assertHas(session, expected);
      assert.deepEqual(session.usage, { inputTokens: 0, outputTokens: 0, turns: 0, calls: 0 });
      assert.deepEqual(session.state, { n: 1 });
      assert.deepEqual(await store.get(session.id), session);
      assert.deepEqual(await store.get(session.key), session);
      assert.equal(await store.get("agent:a:other"), undefined);
      await refuses("SESSION_EXISTS", store.create(draft()));
    },

    "appends messages without gaps, and gives them back oldest first": async (store) => {
      const { id } = await store.create(draft());
      assert.equal(await store.append(id, [said("one"), said("two")], { after: 0 }), 2);
      assert.equal(await store.append(id, [said("three")], { after: 2 }), 3);
      const all = await store.messages(id);
      assert.deepEqual(
        all.map(({ seq, message }) => [seq, (message as UserMessage).content]),
        [
          [1, "one"],
          [2, "two"],
          [3, "three"],
        ],
      );
      assert.deepEqual(
        (await store.messages(id, { after: 1, limit: 1 })).map(({ seq }) => seq),
        [2],
      );
      assert.equal((await store.get(id))?.last, 3);
    },

    "keeps every kind of message as it was": async (store) => {
      const { id } = await store.create(draft());
      const meta = { callId: "c", tool: "t", durationMs: 1 };
      const call = { id: "1", name: "t", wireName: "t", input: { "__proto__ ": "é\u0000", list: [null, 1.5, "x"] } };
      const messages: readonly Message[] = [
        {
          role: "user",
          content: "see",
          blocks: [{ type: "image", data: "AA==", mimeType: "image/png" }],
          from: { kind: "webhook", id: "w" },
        },
        {
          role: "assistant",
          content: "",
          calls: [call],
          usage: { inputTokens: 1, outputTokens: 2 },
          raw: { vendor: "v", items: [{ s: "x" }] },
        },
        { role: "tool", results: [{ ok: false, error: "no", code: "TOOL_FAILED", status: 500, retryable: false, meta }] },
        { role: "summary", content: "short", upTo: 2 },
      ];
      await store.append(id, messages, { after: 0 });
      assert.deepEqual(
        (await store.messages(id)).map(({ message }) => message),
        messages,
      );
    },

    "lets one of two appends after the same message win, and changes nothing for the other": async (store) => {
      const { id } = await store.create(draft());
      const tries = await Promise.allSettled(["a", "b"].map((one) => store.append(id, [said(one)], { after: 0, patch: { label: one } })));
      assert.deepEqual(tries.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
      const lost = tries.find((one) => one.status === "rejected");
      assert.equal(codeOf((lost as PromiseRejectedResult).reason), "SESSION_CHANGED");
      const [only, ...others] = await store.messages(id);
      assert.equal(others.length, 0);
      assert.equal((await store.get(id))?.label, (only!.message as UserMessage).content);
    },

    "patches a session with an append, or alone": async (store, clock) => {
      const { id, createdAt } = await store.create(draft());
      await clock.advance(5);
      const usage = { inputTokens: 5, outputTokens: 6, turns: 1, calls: 2 };
      await store.append(id, [said("a")], { after: 0, patch: { status: "running", usage, state: { phase: "x" } } });
      const changed = await store.update(id, { status: "waiting", model: "other" });
      assertHas(changed, { status: "waiting", model: "other", usage, state: { phase: "x" }, createdAt, last: 1 });
      assert.equal(changed.updatedAt > createdAt, true);
      await refuses("SESSION_UNKNOWN", store.update("none", { status: "idle" }));
    },

    "gives a lease to one holder, and to another when it was released or its time has passed": async (store, clock) => {
      const { id } = await store.create(draft());
      const first = await store.acquire(id, "one", ttlMs);
      assert.equal(first?.holder, "one");
      assert.equal(await store.acquire(id, "two", ttlMs), undefined);
      await clock.advance(ttlMs - 1);
      assert.equal(await store.renew(first, ttlMs), true);
      await clock.advance(ttlMs - 1);
      assert.equal(await store.acquire(id, "two", ttlMs), undefined);
      await clock.advance(2);
      const second = await store.acquire(id, "two", ttlMs);
      assert.equal(second !== undefined && second.fence > first.fence, true);
      assert.equal(await store.renew(first, ttlMs), false);
      await store.release(first);
      assert.equal(await store.acquire(id, "three", ttlMs), undefined);
      await store.release(second!);
      assert.equal((await store.acquire(id, "three", ttlMs))?.holder, "three");
    },

    "gives a lease to one of many that ask at once": async (store) => {
      const { id } = await store.create(draft());
      const leases = await Promise.all(["a", "b", "c", "d"].map((holder) => store.acquire(id, holder, ttlMs)));
      assert.equal(leases.filter((lease) => lease !== undefined).length, 1);
    },

    "takes no write of a holder whose lease another has": async (store, clock) => {
      const { id } = await store.create(draft());
      const lease = (await store.acquire(id, "one", ttlMs))!;
      await store.append(id, [said("mine")], { after: 0, lease });
      await clock.advance(ttlMs + 1);
      assert.notEqual(await store.acquire(id, "two", ttlMs), undefined);
      await refuses("LEASE_LOST", store.append(id, [said("late")], { after: 1, lease }));
      await refuses("LEASE_LOST", store.update(id, { status: "ended" }, lease));
      await refuses("LEASE_LOST", store.takeInbox(id, { after: 1, lease }));
      await refuses("LEASE_LOST", store.end(id, { text: "x", status: "done" }, lease));
      assertHas(await store.get(id), { last: 1, status: "idle" });
    },

    "moves the inbox to the messages once, in its order, with who sent it": async (store) => {
      const { id } = await store.create(draft());
      await store.append(id, [said("a")], { after: 0 });
      await store.send(id, { content: "from: person", from: { kind: "session", id: "agent:b:main" } });
      await store.send(id, { content: "second", from: { kind: "schedule", id: "nightly" } });
      assert.equal((await store.messages(id)).length, 1);
      const { taken, last } = await store.takeInbox(id, { after: 1 });
      assert.deepEqual([taken.map(({ content }) => content), last], [["from: person", "second"], 3]);
      const [, one, two] = (await store.messages(id)).map(({ message }) => message);
      assert.deepEqual(one, { role: "user", content: "from: person", from: { kind: "session", id: "agent:b:main" } });
      assert.deepEqual(two, { role: "user", content: "second", from: { kind: "schedule", id: "nightly" } });
      assert.deepEqual(await store.takeInbox(id, { after: 3 }), { taken: [], last: 3 });
    },

    "loses and doubles no message of an inbox that two take at once": async (store) => {
      const { id } = await store.create(draft());
      for (const content of ["a", "b", "c"]) await store.send(id, { content, from: { kind: "person" } });
      await Promise.allSettled([1, 2, 3].map(() => store.takeInbox(id, { after: 0 })));
      assert.deepEqual(
        (await store.messages(id)).map(({ message }) => (message as UserMessage).content),
        ["a", "b", "c"],
      );
    },

    "tells a parent once how its child ended": async (store) => {
      const parent = await store.create(draft());
      const child = await store.create(draft("subagent:1", { kind: "subagent", parent: parent.id, depth: 1 }));
      assert.equal((await store.end(child.id, { text: "found it", status: "done" })).status, "ended");
      await store.end(child.id, { text: "again", status: "done" });
      const { taken } = await store.takeInbox(parent.id, { after: 0 });
      assert.equal(taken.length, 1);
      assert.match(taken[0]!.content, /found it/);
      assert.deepEqual(taken[0]!.from, { kind: "session", id: child.key });
    },

    "lists sessions by what is asked for, the newest first": async (store, clock) => {
      const made: Session[] = [];
      for (const [rest, more] of listed) {
        made.push(await store.create(draft(rest, more)));
        await clock.advance(10);
      }
      await store.update(made[0]!.id, { status: "running" });
      const keys = async (filter?: Parameters<SessionStore["list"]>[0]): Promise<string[]> =>
        (await store.list(filter)).map(({ key }) => key.slice("agent:a:".length));
      assert.deepEqual(await keys(), ["main", "subagent:1", "cron:x"]);
      assert.deepEqual(await keys({ limit: 1, offset: 1 }), ["subagent:1"]);
      assert.deepEqual(await keys({ kinds: ["cron", "group"] }), ["cron:x"]);
      assert.deepEqual(await keys({ parent: "p" }), ["subagent:1"]);
      assert.deepEqual(await keys({ label: "Nightly" }), ["cron:x"]);
      assert.deepEqual(await keys({ search: "night" }), ["cron:x"]);
      assert.deepEqual(await keys({ status: "running" }), ["main"]);
      assert.deepEqual(await keys({ agent: "b" }), []);
      assert.deepEqual(await keys({ activeSince: made[2]!.createdAt }), ["main", "subagent:1"]);
    },

    "removes a session with its messages": async (store) => {
      const { id, key } = await store.create(draft());
      await store.append(id, [said("a")], { after: 0 });
      assert.equal(await store.remove(id), true);
      assert.equal(await store.remove(id), false);
      assert.equal(await store.get(key), undefined);
      const again = await store.create(draft());
      assert.deepEqual(await store.messages(again.id), []);
    },

    "tells whoever listens which session changed": async (store) => {
      const { id } = await store.create(draft());
      const heard: string[] = [];
      const stop = store.onChange((session) => heard.push(session));
      await store.send(id, { content: "x", from: { kind: "person" } });
      assert.deepEqual(heard, [id]);
      stop();
      await store.append(id, [said("a")], { after: 0 });
      assert.deepEqual(heard, [id]);
    },
  };
  return Object.entries(checks).map(([name, run]) => ({
    name,
    async run() {
      const clock = createFakeClock(1_000_000);
      await run(await open(clock), clock);
    },
  }));
}

const listed: readonly (readonly [string, Partial<NewSession>])[] = [
  ["main", {}],
  ["cron:x", { kind: "cron", label: "Nightly" }],
  ["subagent:1", { kind: "subagent", parent: "p", depth: 1 }],
];

async function refuses(code: string, tried: Promise<unknown>): Promise<void> {
  await assert.rejects(tried, (error) => codeOf(error) === code);
}

/** Has at least these fields. */
function assertHas(session: Session | undefined, expected: Partial<Session>): void {
  for (const [field, value] of Object.entries(expected)) assert.deepEqual(session?.[field as keyof Session], value, field);
}
