import { createFakeClock } from "@toolrack/core/testing";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import type { Engine, Writes } from "../../src/engine/engine.ts";
import type { OldChange, OldChangesPlan } from "../../src/engine/retention.ts";
import { createMemoryEngine } from "../../src/engines/memory/memory.ts";
import { lastBefore } from "../../src/retention/cuts.ts";
import { applyRetention, type RetentionPlan } from "../../src/retention/retention.ts";
import { createStore } from "../../src/store/create-store.ts";

const now = 1_800_000_000_000;
const day = 86_400_000;

interface Answers {
  /** How many changes there are; each is a second after the one before, the last one at `now`. */
  readonly changes?: number;
  readonly begin?: number;
  old?(plan: OldChangesPlan): readonly OldChange[];
  /** How many rows each call removes. */
  trims?: Readonly<Record<string, number[]>>;
}

/** A store whose engine answers so; `asked` is what it was asked. */
function open({ changes = 0, begin = 0, old = () => [], trims = {} }: Answers) {
  const asked: unknown[][] = [];
  const note =
    (name: string, answer: (...args: never[]) => unknown = () => undefined) =>
    async (...args: never[]) => {
      asked.push([name, ...args]);
      return answer(...args);
    };
  const trim = (name: string) =>
    note(name, (...args: unknown[]) => trims[`${name} ${String(args[1])}`]?.shift() ?? trims[name]?.shift() ?? 0);
  const tx = {
    dropChanges: note("dropChanges"),
    dropEnded: note("dropEnded", (ends: readonly OldChange[]) => ends.length),
    trimNotes: trim("trimNotes"),
    trimTickets: trim("trimTickets"),
    trimSessions: trim("trimSessions"),
  } as unknown as Writes;
  const engine = {
    ...createMemoryEngine(),
    lastSequence: async () => changes,
    changesBegin: async () => begin,
    changesAfter: async (after: number) =>
      after >= changes
        ? []
        : [{ sequence: after + 1, record: { updated_at: new Date(now - (changes - after - 1) * 1_000).toISOString() } }],
    oldChanges: note("oldChanges", old as never),
    write: (work: (one: Writes) => unknown) => work(tx),
    writeAudit: (work: (one: Writes) => unknown) => work(tx),
  } as unknown as Engine;
  const store = createStore(engine, { clock: createFakeClock(now) });
  afterThisTest(() => store.close());
  const of = (name: string) => asked.filter(([one]) => one === name).map(([, ...args]) => args);
  return { store, engine, of, asked };
}

const plan: RetentionPlan = { revisionsPerRecord: 5, changesMs: 0, deletedMs: 0 };
const change = (sequence: number, isEnd = false, schemaName = "note.v1"): OldChange => ({
  sequence,
  owner: "o",
  id: `r${sequence}`,
  schemaName,
  isEnd,
});

describe("what retention removes", () => {
  it("is looked for in windows of five hundred changes, up to the last but one", async () => {
    const { store, of } = open({ changes: 1_002 });
    expect(await applyRetention(store, plan)).toEqual({ revisions: 0, records: {}, answers: 0, sessions: 0, tasks: 0 });
    const common = { revisions: 5, wholeSchema: "tool.definition.v1" };
    expect(of("oldChanges")).toEqual([
      [{ after: 0, upTo: 500, ...common }],
      [{ after: 500, upTo: 1_000, ...common }],
      [{ after: 1_000, upTo: 1_001, ...common }],
    ]);
  });

  it("is old enough, and at least one revision of a record stays", async () => {
    const { store, of } = open({ changes: 100 });
    await applyRetention(store, { ...plan, changesMs: 50_000, revisionsPerRecord: 0.5 });
    expect(of("oldChanges")).toEqual([[{ after: 0, upTo: 49, revisions: 1, wholeSchema: "tool.definition.v1" }]]);
    const forever = open({ changes: 100 });
    await applyRetention(forever.store, { ...plan, changesMs: Number.POSITIVE_INFINITY, revisionsPerRecord: Number.POSITIVE_INFINITY });
    expect(forever.of("oldChanges")).toEqual([]);
    const all = open({ changes: 2 });
    await applyRetention(all.store, { ...plan, revisionsPerRecord: Number.POSITIVE_INFINITY });
    expect(all.of("oldChanges")[0]).toMatchObject([{ revisions: Number.MAX_SAFE_INTEGER }]);
  });

  it("goes in batches of a hundred, revisions at once and ended records by their schema", async () => {
    const old = [
      ...Array.from({ length: 99 }, (_, index) => change(index + 1)),
      change(100, true),
      change(101, true, "a.v1"),
      change(102, true),
    ];
    const { store, of } = open({ changes: 200, old: () => old });
    expect(await applyRetention(store, plan)).toEqual({
      revisions: 99,
      records: { "note.v1": 2, "a.v1": 1 },
      answers: 0,
      sessions: 0,
      tasks: 0,
    });
    expect(of("dropChanges").map(([sequences]) => (sequences as number[]).length)).toEqual([99, 0]);
    expect(of("dropEnded").map(([ends]) => (ends as OldChange[]).map(({ sequence }) => sequence))).toEqual([[100], [101], [102]]);
  });

  it("keeps removed records as long as is said for their schema, or for all others", async () => {
    const old = [
      change(10, true),
      change(20, true),
      change(10, true, "short.v1"),
      change(60, true, "short.v1"),
      change(61, true, "short.v1"),
      change(70),
    ];
    const { store, of } = open({ changes: 100, old: () => old });
    await applyRetention(store, { ...plan, deletedMs: 85_000, endedMs: { "short.v1": 39_500 } });
    expect(
      of("dropEnded").flatMap(([ends]) => (ends as OldChange[]).map(({ schemaName, sequence }) => `${schemaName} ${sequence}`)),
    ).toEqual(["note.v1 10", "short.v1 10", "short.v1 60"]);
    expect(of("dropChanges")).toEqual([[[70]]]);
  });

  it("is told to stop between windows and between rows", async () => {
    const { store, of } = open({ changes: 1_002, trims: { "trimTickets task": [10, 10, 10] } });
    await applyRetention(store, plan, AbortSignal.abort());
    expect([of("oldChanges"), of("trimTickets"), of("trimSessions")]).toEqual([[], [], []]);
  });

  it("are answers, expired tasks and wishes, and sessions that ended a month ago, ten at a time", async () => {
    const { store, of } = open({
      trims: { "trimNotes answer": [3, 4], "trimTickets task": [10, 2, 0], "trimTickets wish": [1], trimSessions: [10, 10, 0, 1] },
    });
    expect(await applyRetention(store, { ...plan, answersOf: ["a", "b"] })).toEqual({
      revisions: 0,
      records: {},
      answers: 7,
      sessions: 21,
      tasks: 12,
    });
    expect(of("trimNotes")).toEqual(["a", "b"].map((owner) => [owner, "answer", now, Number.MAX_SAFE_INTEGER]));
    expect(of("trimTickets")).toEqual([
      ["a", "task", now, 10],
      ["a", "task", now, 10],
      ["b", "task", now, 10],
      ["a", "wish", now, 10],
      ["b", "wish", now, 10],
    ]);
    expect(of("trimSessions")).toEqual(["a", "a", "a", "b"].map((owner) => [owner, now - 30 * day, 10]));
    const own = open({});
    await applyRetention(own.store, { ...plan, endedTasksMs: 5, endedSessionsMs: 7 });
    expect([own.of("trimTickets"), own.of("trimSessions"), own.of("trimNotes").length]).toEqual([
      [
        ["local", "task", now - 5, 10],
        ["local", "wish", now, 10],
      ],
      [["local", now - 7, 10]],
      1,
    ]);
    const kept = open({});
    await applyRetention(kept.store, { ...plan, endedTasksMs: Number.POSITIVE_INFINITY, endedSessionsMs: Number.POSITIVE_INFINITY });
    expect([kept.of("trimTickets").length, kept.of("trimSessions")]).toEqual([1, []]);
  });

  it("is for curators", async () => {
    const { store } = open({});
    const reader = store.as({ owner: "local", agent: "r", roles: ["subscriber"] });
    await expect(applyRetention(reader, plan)).rejects.toThrow('"r" may not remove old revisions: that needs the role "curator".');
  });
});

describe("the last change before a time", () => {
  it("is found wherever it is, and is the beginning where all are later", async () => {
    const { engine } = open({ changes: 100, begin: 20 });
    const at = (sequence: number) => now - (100 - sequence) * 1_000;
    for (const sequence of [21, 50, 99, 100]) expect(await lastBefore(engine, at(sequence) + 1)).toBe(sequence);
    expect([await lastBefore(engine, at(50)), await lastBefore(engine, at(1)), await lastBefore(engine, now + day)]).toEqual([49, 20, 100]);
    expect(await lastBefore(engine, Number.NEGATIVE_INFINITY)).toBe(0);
    expect(await lastBefore(open({}).engine, now)).toBe(0);
  });
});
