import { afterThisTest } from "@toolrack/testkit/cleanup";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createSessionStore } from "../../src/sessions/create-session-store.ts";
import type { SessionStore } from "../../src/sessions/session-store.ts";
import { createMemoryStore } from "../../src/store/memory.ts";

function open(options = {}): SessionStore {
  const store = createMemoryStore();
  afterThisTest(() => store.close());
  return createSessionStore(store, options);
}
const main = { key: "k", agent: "a", kind: "main" } as const;
const counts = { inputTokens: 1, outputTokens: 2, turns: 3, calls: 4 };

describe("what sessions refuse", () => {
  const text = (name: string, shown: string): string =>
    `"${name}" of a session has to be a text of 1 to 512 characters without control characters, not ${shown}.`;
  const kinds = "The kind of a session is one of main, group, cron, hook, node, subagent, other, not";
  const from = "A message is from one of person, session, schedule, webhook, agent, system, not";

  it.each<[object, string]>([
    [{ key: "" }, text("key", '""')],
    [{ key: "x".repeat(513) }, text("key", JSON.stringify("x".repeat(60)))],
    [{ key: "a\u0000b" }, text("key", '"a\\u0000b"')],
    [{ key: "\ud800" }, text("key", JSON.stringify("\ud800"))],
    [{ agent: 5 }, text("agent", "5")],
    [{ parent: "" }, text("parent", '""')],
    [{ kind: "odd" }, `${kinds} "odd".`],
    [{ kind: undefined }, `${kinds} undefined.`],
    [{ depth: -1 }, "The depth of a session is a whole number from 0 to 1000, not -1."],
    [{ depth: 1_001 }, "The depth of a session is a whole number from 0 to 1000, not 1001."],
    [{ depth: 0.5 }, "The depth of a session is a whole number from 0 to 1000, not 0.5."],
  ])("a new one with %j", async (more, message) => {
    await expect(open().create({ ...main, ...more })).rejects.toMatchObject({ code: "RECORD_INVALID", message });
  });

  it("takes the longest key and the greatest depth", async () => {
    const sessions = open();
    const created = await sessions.create({ ...main, key: "x".repeat(512), depth: 1_000 });
    expect(created).toMatchObject({ key: "x".repeat(512), depth: 1_000, status: "idle", kind: "main", agent: "a" });
  });

  it.each<[object, string]>([
    [{ status: "ended" }, 'The status of a session is changed to one of idle, running, waiting, not "ended". To end it, call end().'],
    [{ model: "" }, text("model", '""')],
    [{ label: 5 }, text("label", "5")],
    [{ usage: { ...counts, turns: -1 } }, '"usage.turns" of a session has to be a number of at least 0, not -1.'],
    [{ usage: { ...counts, more: "x" } }, '"usage.more" of a session has to be a number of at least 0, not "x".'],
    [
      { usage: { ...counts, calls: Number.POSITIVE_INFINITY } },
      '"usage.calls" of a session has to be a number of at least 0, not Infinity.',
    ],
    ...Object.keys(counts).map((name): [object, string] => {
      const { [name as "turns"]: _, ...rest } = counts;
      return [{ usage: rest }, `"usage" of a session has no "${name}". Give all of its counts.`];
    }),
    [{ state: "x" }, '"state" of a session has to be an object.'],
    [{ state: { x: "y".repeat(1_048_576) } }, '"state" of a session has 1048584 bytes as JSON; at most 1048576 are stored. Shorten it.'],
  ])("a change to %j", async (patch, message) => {
    const sessions = open();
    const { id } = await sessions.create(main);
    await expect(sessions.update(id, patch)).rejects.toThrow(message);
  });

  it("a state that is no JSON", async () => {
    const sessions = open();
    const { id } = await sessions.create(main);
    await expect(sessions.update(id, { state: { big: 1n } })).rejects.toMatchObject({
      code: "RECORD_INVALID",
      message: '"state" of a session cannot be written as JSON: Do not know how to serialize a BigInt.',
    });
    await expect(sessions.append(id, [{ role: "" }], { after: 0 } as never)).rejects.toThrow(
      'A message of a session is an object with a text "role".',
    );
  });

  it("changes everything that may be changed", async () => {
    const sessions = open();
    const { id } = await sessions.create(main);
    const state = { x: "y".repeat(1_048_568) };
    const changed = await sessions.update(id, {
      status: "waiting",
      model: "m",
      label: "l",
      usage: { ...counts, costUsd: undefined } as never,
      state,
    });
    expect(changed).toMatchObject({ status: "waiting", model: "m", label: "l", usage: counts, state });
    expect(Object.hasOwn(changed.usage, "costUsd")).toBe(false);
  });

  it.each<[object, string]>([
    [{ content: 5 }, "The content of a message in an inbox is a text."],
    [{ from: { kind: "odd" } }, `${from} "odd".`],
    [{ from: undefined }, `${from} undefined.`],
    [{ from: { kind: "person", id: "" } }, text("from.id", '""')],
    [{ source: "" }, text("source", '""')],
  ])("a message for an inbox with %j", async (more, message) => {
    const sessions = open();
    const { id } = await sessions.create(main);
    await expect(sessions.send(id, { content: "c", from: { kind: "person" }, ...more } as never)).rejects.toMatchObject({
      code: "RECORD_INVALID",
      message,
    });
  });

  it.each<[unknown, string]>([
    [{}, 'The result of a session has a "text".'],
    [undefined, 'The result of a session has a "text".'],
    [{ text: "t" }, text("status", "undefined")],
    [{ text: "t", status: "done", toParent: 5 }, "What a parent is told of a session is a text, or false."],
  ])("an end with %j", async (result, message) => {
    const sessions = open();
    const { id } = await sessions.create(main);
    await expect(sessions.end(id, result as never)).rejects.toMatchObject({ code: "RECORD_INVALID", message });
  });

  it.each([0, 1.5, "1", Number.NaN])("a lease of %s milliseconds", async (ttl) => {
    const sessions = open();
    const { id } = await sessions.create(main);
    const message = `A lease on a session lasts a whole number of milliseconds, at least 1; ${typeof ttl === "string" ? `"${ttl}"` : ttl} is none.`;
    await expect(sessions.acquire(id, "h", ttl as number)).rejects.toMatchObject({ code: "QUERY_INVALID", message });
    await expect(sessions.acquire(id, "", 1)).rejects.toMatchObject({ message: text("holder", '""') });
    const lease = (await sessions.acquire(id, "h", 60_000))!;
    await expect(sessions.renew(lease, ttl as number)).rejects.toMatchObject({ code: "QUERY_INVALID", message });
    expect(await sessions.renew(lease, 1)).toBe(true);
  });

  it("a session that no database could hold, as one that is not there", async () => {
    const sessions = open();
    for (const id of ["a\0b", "\ud800", 5 as never]) {
      await expect(sessions.send(id, { content: "c", from: { kind: "person" } })).rejects.toMatchObject({ code: "SESSION_UNKNOWN" });
      await expect(sessions.acquire(id, "h", 1)).rejects.toMatchObject({ code: "SESSION_UNKNOWN" });
      expect(await sessions.renew({ session: id, holder: "h", fence: 1 }, 1)).toBe(false);
      expect(await sessions.remove(id)).toBe(false);
    }
  });
});

describe("those who follow sessions", () => {
  it("are told once of each change, and not of what changed nothing", async () => {
    const sessions = open();
    const told: string[] = [];
    const taken = async (): Promise<string[]> => {
      await nextTurn();
      return told.splice(0);
    };
    const stop = sessions.onChange((session) => told.push(session));
    const parent = await sessions.create(main);
    const child = await sessions.create({ ...main, key: "c", kind: "subagent", parent: parent.id });
    await taken();
    const message = { content: "c", from: { kind: "person" }, source: "s" } as const;
    await sessions.send(parent.id, message);
    expect(await taken()).toEqual([parent.id]);
    await sessions.send(parent.id, message);
    expect(await taken()).toEqual([]);
    await sessions.takeInbox(parent.id, { after: 0 });
    expect(await taken()).toEqual([parent.id]);
    await sessions.takeInbox(parent.id, { after: 1 });
    expect(await taken()).toEqual([]);
    await sessions.update(parent.id, { label: "l" });
    expect(await taken()).toEqual([parent.id]);
    await sessions.end(child.id, { text: "t", status: "done" });
    expect(await taken()).toEqual([child.id, parent.id]);
    await sessions.end(child.id, { text: "t", status: "done" });
    expect(await taken()).toEqual([]);
    expect(await sessions.remove(child.id)).toBe(true);
    expect(await taken()).toEqual([child.id]);
    expect(await sessions.remove(child.id)).toBe(false);
    expect(await taken()).toEqual([]);
    stop();
    await sessions.update(parent.id, { label: "m" });
    expect(await taken()).toEqual([]);
  });
});
