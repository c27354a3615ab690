import { createFakeClock } from "@toolrack/core/testing";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import { createMemoryEngine } from "../../src/engines/memory/memory.ts";
import { createSessionStore } from "../../src/sessions/create-session-store.ts";
import type { SessionStore, SessionStoreOptions } from "../../src/sessions/session-store.ts";
import { toMessageRecord, toSessionRecord } from "../../src/sessions/to-records.ts";
import { createStore } from "../../src/store/create-store.ts";
import type { BreadcrumbStore } from "../../src/store/store.ts";

const now = 1_800_000_000_000;

/** Sessions in memory; `asked` is what the engine was asked for lists. */
function open(options?: SessionStoreOptions) {
  const clock = createFakeClock(now);
  const engine = createMemoryEngine();
  const asked: unknown[][] = [];
  const store: BreadcrumbStore = createStore(
    {
      ...engine,
      sessions: (...args) => (asked.push(args), engine.sessions(...args)),
      sessionMessages: (...args) => (asked.push(args), engine.sessionMessages(...args)),
    },
    { clock },
  );
  afterThisTest(() => store.close());
  const sessions: SessionStore = createSessionStore(store, options);
  return { sessions, clock, asked, engine };
}

const main = { key: "k", agent: "a", kind: "main" } as const;
const noUsage = { inputTokens: 0, outputTokens: 0, turns: 0, calls: 0 };

describe("a session as a whole", () => {
  it("is stored with every column, and has what it was begun with", async () => {
    const { sessions, engine } = open();
    const session = await sessions.create({ ...main, label: "l", model: "m", state: { a: 1 } });
    expect(session).toEqual({
      id: expect.stringMatching(new RegExp(`^0${now.toString(36)}[0-9a-f]{24}$`)),
      key: "k",
      agent: "a",
      kind: "main",
      label: "l",
      depth: 0,
      status: "idle",
      model: "m",
      usage: noUsage,
      createdAt: now,
      updatedAt: now,
      last: 0,
      inbox: 0,
      state: { a: 1 },
    });
    expect(await engine.session("local", session.id)).toEqual({
      owner: "local",
      id: session.id,
      key: "k",
      agent: "a",
      kind: "main",
      parent: undefined,
      depth: 0,
      createdAt: now,
      label: "l",
      model: "m",
      state: '{"a":1}',
      result: undefined,
      status: "idle",
      usage: JSON.stringify(noUsage),
      touched: now * 1_000,
      endedAt: undefined,
      last: 0,
      bytes: 0,
      holder: "",
      fence: 0,
      leaseEndsAt: 0,
      inboxLast: 0,
      inboxCount: 0,
      inboxBytes: 0,
    });
    const child = await sessions.create({ ...main, key: "c", kind: "subagent", parent: "k" });
    expect([child.parent, child.depth]).toEqual([session.id, 1]);
    expect((await sessions.create({ ...main, key: "d", parent: "k", depth: 7 })).depth).toBe(7);
    expect(Object.keys(await sessions.create({ ...main, key: "e" }))).toEqual([
      "id",
      "key",
      "agent",
      "kind",
      "depth",
      "status",
      "usage",
      "createdAt",
      "updatedAt",
      "last",
      "inbox",
    ]);
  });

  it("counts its messages and their bytes, and what waits in its inbox", async () => {
    const { sessions, engine, clock } = open();
    const { id } = await sessions.create(main);
    await clock.advance(1_000);
    const message = { role: "user", content: "ä" };
    expect(await sessions.append(id, [message, message], { after: 0, patch: { status: "running" } })).toBe(2);
    const bytes = 2 * Buffer.byteLength(JSON.stringify(message));
    expect(await engine.session("local", id)).toMatchObject({ last: 2, bytes, status: "running", touched: (now + 1_000) * 1_000 });
    expect(await sessions.messages(id)).toEqual([1, 2].map((seq) => ({ session: id, seq, at: now + 1_000, message })));
    const sent = await sessions.send(id, { content: "x", from: { kind: "person", id: "ann" }, source: "s" });
    expect(sent).toEqual({ id: `${id}.1`, content: "x", from: { kind: "person", id: "ann" }, at: now + 1_000 });
    const inbox = Buffer.byteLength(JSON.stringify({ role: "user", content: "x", from: { kind: "person", id: "ann" } }));
    expect(await engine.session("local", id)).toMatchObject({ inboxLast: 1, inboxCount: 1, inboxBytes: inbox });
    expect(await sessions.takeInbox(id, { after: 2 })).toEqual({ taken: [sent], last: 3 });
    expect(await engine.session("local", id)).toMatchObject({
      last: 3,
      bytes: bytes + inbox,
      inboxLast: 1,
      inboxCount: 0,
      inboxBytes: 0,
    });
    expect(await sessions.takeInbox(id, { after: 3 })).toEqual({ taken: [], last: 3 });
    expect((await sessions.messages(id, { after: 2 }))[0]!.message).toEqual({
      role: "user",
      content: "x",
      from: { kind: "person", id: "ann" },
    });
    expect((await sessions.send(id, { content: "y", from: { kind: "system" } })).from).toEqual({ kind: "system" });
  });

  it("ends with its result, which its parent gets, and without its lease", async () => {
    const { sessions, engine } = open();
    const parent = await sessions.create(main);
    const child = await sessions.create({ ...main, key: "c", parent: "k" });
    await sessions.acquire(child.id, "h", 1_000);
    const ended = await sessions.end(child.id, { text: "found", status: "done" });
    expect(ended).toEqual({ ...child, status: "ended", endedAt: now, updatedAt: now, result: { text: "found", status: "done" } });
    expect(await engine.session("local", child.id)).toMatchObject({ holder: "", leaseEndsAt: 0 });
    expect(await sessions.end(child.id, { text: "again", status: "done" })).toEqual(ended);
    const { taken } = await sessions.takeInbox(parent.id, { after: 0 });
    expect(taken).toEqual([{ id: `${parent.id}.1`, content: "found", from: { kind: "session", id: "c" }, at: now }]);
  });

  it("says why it is not written", async () => {
    const { sessions } = open();
    const { id } = await sessions.create(main);
    const lease = (await sessions.acquire(id, "h", 60_000))!;
    expect(lease).toEqual({ session: id, holder: "h", fence: 1 });
    expect(await sessions.acquire(id, "other", 1)).toBeUndefined();
    const lost = (reason: string) => ({
      code: "LEASE_LOST",
      message: `"h" no longer holds the session "k": ${reason}. Nothing was written; stop this run, or take the session again.`,
    });
    for (const wrong of [{ fence: 2 }, { holder: "x" }])
      await expect(sessions.update(id, {}, { ...lease, ...wrong })).rejects.toMatchObject({ code: "LEASE_LOST" });
    const again = (await sessions.acquire(id, "h", 60_000))!;
    await expect(sessions.update(id, {}, lease)).rejects.toMatchObject(lost("another one took it"));
    await sessions.release(lease);
    expect(await sessions.renew(again, 5)).toBe(true);
    await sessions.release(again);
    await expect(sessions.update(id, {}, again)).rejects.toMatchObject(lost("it was released"));
    expect(await sessions.renew(again, 5)).toBe(false);
    await expect(sessions.append(id, [{ role: "user" }], { after: 3 })).rejects.toMatchObject({
      code: "SESSION_CHANGED",
      message: 'The newest message of the session "k" is 0, not 3. Nothing was written; read what came after 3, then decide again.',
    });
    await sessions.end(id, { text: "t", status: "done" });
    await expect(sessions.update(id, {}, again)).rejects.toMatchObject(lost("the session has ended"));
    await expect(sessions.update(id, {})).rejects.toMatchObject({
      code: "SESSION_ENDED",
      message: 'The session "k" has ended. Nothing was written; begin another one.',
    });
    await expect(sessions.messages("none")).rejects.toMatchObject({
      code: "SESSION_UNKNOWN",
      message: 'There is no session "none". List the sessions for their ids.',
    });
    await expect(sessions.create({ ...main, key: "x", parent: "none" })).rejects.toMatchObject({ code: "SESSION_UNKNOWN" });
    await expect(sessions.create(main)).rejects.toMatchObject({
      code: "SESSION_EXISTS",
      message: 'There is a session with the key "k" already. Use it, or choose another key.',
    });
  });

  it("is refused beyond its limits, and not before", async () => {
    const body = JSON.stringify({ role: "user", content: "x", from: { kind: "person" } }).length;
    const { sessions } = open({ maxSessions: 1, maxInbox: 2, maxSessionBytes: 2 * body });
    const { id } = await sessions.create(main);
    await expect(sessions.create({ ...main, key: "x" })).rejects.toMatchObject({
      code: "SESSION_FULL",
      message: '"x" was not begun: there are 1 sessions already. Remove some that have ended.',
    });
    expect(await sessions.get("x")).toBeUndefined();
    const send = (content = "x") => sessions.send(id, { content, from: { kind: "person" } });
    await send();
    await send();
    await expect(send()).rejects.toMatchObject({
      code: "SESSION_FULL",
      message: '2 messages wait in the inbox of "k", and no more may. Send again once it has taken some.',
    });
    await sessions.takeInbox(id, { after: 0 });
    await send();
    await expect(sessions.takeInbox(id, { after: 2 })).rejects.toMatchObject({
      code: "SESSION_FULL",
      message: `The messages of the session "k" would have ${3 * body} bytes, and at most ${2 * body} are stored. Begin another session.`,
    });
  });

  it("has an inbox of sixteen million bytes, of messages of four", async () => {
    const { sessions } = open();
    const { id } = await sessions.create(main);
    const frame = JSON.stringify({ role: "user", content: "", from: { kind: "person" } }).length;
    const send = (length: number) => sessions.send(id, { content: "x".repeat(length), from: { kind: "person" } });
    await expect(send(4_194_305 - frame)).rejects.toMatchObject({
      code: "RECORD_TOO_LARGE",
      message: "A message has 4194305 bytes as JSON; at most 4194304 are stored. Shorten it.",
    });
    for (let count = 0; count < 4; count++) await send(4_194_304 - frame);
    await expect(send(0)).rejects.toMatchObject({
      code: "SESSION_FULL",
      message: 'The messages in the inbox of "k" would have more than 16777216 bytes. Send again once it has taken some.',
    });
  });

  it("is listed by what is asked for, a hundred at once and two hundred at most; messages a thousand, and ten thousand at most", async () => {
    const { sessions, asked } = open();
    const { id } = await sessions.create(main);
    await sessions.list();
    await sessions.list({ limit: 201, offset: 5, activeSince: 7.9, agent: "a", kinds: ["main"] });
    await sessions.messages(id);
    await sessions.messages(id, { after: 4, limit: 10_001 });
    expect(asked).toEqual([
      ["local", {}, 100, 0],
      ["local", { touchedSince: 7_000, agent: "a", kinds: ["main"] }, 200, 5],
      ["local", id, 0, 1_000],
      ["local", id, 4, 10_000],
    ]);
    for (const [filter, message] of [
      [{ limit: 0 }, '"limit" has to be a whole number of at least 1, not 0.'],
      [{ offset: -1 }, '"offset" has to be a whole number of at least 0, not -1.'],
      [{ limit: 1.5 }, '"limit" has to be a whole number of at least 1, not 1.5.'],
      [{ activeSince: -1 }, '"activeSince" has to be milliseconds since 1970, up to the year 9999, not -1.'],
      [
        { activeSince: Date.UTC(9_999, 0) + 1 },
        `"activeSince" has to be milliseconds since 1970, up to the year 9999, not ${Date.UTC(9_999, 0) + 1}.`,
      ],
    ] as const)
      await expect(sessions.list(filter)).rejects.toMatchObject({ code: "QUERY_INVALID", message });
    expect(await sessions.list({ activeSince: Date.UTC(9_999, 0) })).toEqual([]);
    for (const name of ["agent", "parent", "label", "search", "status"]) expect(await sessions.list({ [name]: "a\0" })).toEqual([]);
    expect(await sessions.list({ kinds: ["a\0" as never] })).toEqual([]);
    expect(asked).toHaveLength(5);
    await expect(sessions.messages(id, { after: -1 })).rejects.toMatchObject({ code: "QUERY_INVALID" });
    await expect(sessions.messages(id, { limit: 0 })).rejects.toMatchObject({ code: "QUERY_INVALID" });
    expect(await sessions.get("a\0")).toBeUndefined();
  });

  it("is shown as a record with everything that it has", async () => {
    const { sessions } = open();
    const session = await sessions.create({ ...main, label: "Talk", model: "m", state: { left: 1 } });
    await sessions.append(session.id, [{ role: "user", content: "hi" } as never], { after: 0 });
    const [stored] = await sessions.messages(session.id);
    const { id } = session;
    const time = new Date(now).toISOString();
    expect(toMessageRecord(stored!)).toEqual({
      id: `message-${id}-1`,
      schema_name: "agent.message.v1",
      title: `Message 1 of ${id}`,
      tags: ["agent:message", `session:${id}`, "role:user"],
      context: { role: "user", content: "hi", session: id, seq: 1, timestamp: time },
    });
    expect(toSessionRecord((await sessions.get("k"))!)).toEqual({
      id: `session-${id}`,
      schema_name: "agent.session.v1",
      title: "Talk",
      tags: ["agent:session", "status:idle"],
      context: {
        session: id,
        key: "k",
        agent: "a",
        kind: "main",
        label: "Talk",
        depth: 0,
        status: "idle",
        model: "m",
        usage: noUsage,
        inbox: 0,
        state: { left: 1 },
        messages: 1,
        created_at: time,
        updated_at: time,
      },
    });
  });
});
