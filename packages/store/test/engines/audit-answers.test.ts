import { afterThisTest } from "@toolrack/testkit/cleanup";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuditFilter, AuditRow } from "../../src/engine/audit.ts";
import { type AuditEntry, appendEntries } from "../../src/engine/chain.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { cheapEngines } from "./_engines.ts";

const call = (at: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
  at,
  owner: "o",
  kind: "call",
  agent: "a",
  subject: "t",
  body: "{}",
  ...more,
});

const entries: readonly AuditEntry[] = [
  call(10, { callId: "ab-1", ok: true, durationMs: 5, principal: "p1" }),
  call(20, { callId: "ab-2", ok: false, code: "TIMEOUT", durationMs: 7.25, agent: "b", principal: "p2" }),
  call(30, { callId: "ac-3", ok: true, subject: "u", durationMs: 5 }),
  call(40, { kind: "secret-read", subject: "key", body: '{"long":1}' }),
  call(50, { owner: "other", callId: "ab-4", ok: true, durationMs: 1 }),
  call(60, { callId: "ab-5", ok: false, code: "TOOL_FAILED", durationMs: 1_234, principal: "p1" }),
];

async function filled(engine: Engine): Promise<Engine> {
  await engine.writeAudit((tx) => appendEntries(tx, entries, undefined));
  return engine;
}

const numbers = (rows: readonly AuditRow[]): number[] => rows.map(({ number }) => number);

describe.each(cheapEngines)("the audit of %s", (_, open) => {
  let read: Engine;
  beforeAll(async () => {
    read = await filled(await open());
  });
  afterAll(() => read.close());

  it("has each line as it was given, chained to the one before", async () => {
    const rows = await read.auditAfter(0, 10);
    expect(rows[1]).toEqual({
      number: 2,
      at: 20,
      owner: "o",
      kind: "call",
      agent: "b",
      principal: "p2",
      subject: "t",
      callId: "ab-2",
      ok: 0,
      code: "TIMEOUT",
      durationMs: 7.25,
      body: "{}",
      previous: rows[0]!.hash,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      chain: "main",
      keyId: "",
      place: 0,
    });
    expect(rows[3]).toMatchObject({ principal: "", callId: null, ok: null, code: null, durationMs: null });
    expect(await read.auditEnds()).toEqual({ first: { number: 0, hash: "" }, last: { number: 6, hash: rows[5]!.hash } });
    expect(await read.auditSize()).toEqual({ rows: 6, bytes: 20 });
    expect(await read.auditChains()).toEqual([]);
    expect(await read.chainsSince(0)).toEqual({ upTo: 6, main: rows[5]!.hash, ends: [] });
  });

  it.each<[filter: AuditFilter, wanted: number[]]>([
    [{}, [1, 2, 3, 4, 5, 6]],
    [{ owner: "o" }, [1, 2, 3, 4, 6]],
    [{ kinds: ["secret-read"] }, [4]],
    [{ kinds: ["secret-read", "call"] }, [1, 2, 3, 4, 5, 6]],
    [{ kinds: ["approved"] }, []],
    [{ agent: "b" }, [2]],
    [{ principals: ["p1"] }, [1, 6]],
    [{ principals: ["p2", ""] }, [2, 3, 4, 5]],
    [{ subject: "u" }, [3]],
    [{ callId: "ab-1" }, [1]],
    [{ callIdPrefix: "ab-" }, [1, 2, 5, 6]],
    [{ callIdPrefix: "ab-", owner: "o", ok: false }, [2, 6]],
    [{ ok: true }, [1, 3, 5]],
    [{ from: 30 }, [3, 4, 5, 6]],
    [{ after: 4 }, [5, 6]],
    [{ after: 2, from: 10, kinds: ["call"], agent: "a" }, [3, 5, 6]],
  ])("finds lines with %j from both ends", async (filter, wanted) => {
    expect(numbers(await read.auditAfter(0, 10, filter))).toEqual(wanted);
    expect(numbers(await read.auditBefore(7, 10, filter))).toEqual(wanted.toReversed());
    expect(numbers(await read.auditAfter(2, 1, filter))).toEqual(wanted.filter((number) => number > 2).slice(0, 1));
    expect(numbers(await read.auditBefore(3, 1, filter))).toEqual(wanted.filter((number) => number < 3).slice(-1));
  });

  it("goes on behind what retention removed", async () => {
    const engine = await filled(await open());
    afterThisTest(() => engine.close());
    const [, second, third] = await engine.auditAfter(0, 3);
    await engine.writeAudit(async (tx) => {
      await tx.dropAudit({ number: 2, hash: second!.hash }, []);
      expect(numbers(await tx.auditAfter(0, 10))).toEqual([3, 4, 5, 6]);
      await appendEntries(tx, [call(70)], undefined);
    });
    expect(numbers(await engine.auditAfter(0, 10))).toEqual([3, 4, 5, 6, 7]);
    expect(numbers(await engine.auditAfter(4, 10))).toEqual([5, 6, 7]);
    expect(numbers(await engine.auditBefore(5, 10))).toEqual([4, 3]);
    expect(numbers(await engine.auditBefore(99, 2))).toEqual([7, 6]);
    expect((await engine.auditEnds()).first).toEqual({ number: 2, hash: third!.previous });
    expect((await engine.auditEnds()).last.number).toBe(7);
    expect(await engine.firstNumberAt(0)).toBe(3);
    expect(await engine.firstNumberAt(41)).toBe(5);
    expect(await engine.auditSize()).toEqual({ rows: 5, bytes: 18 });
  });

  it("is found by time: the first line that is not older", async () => {
    const found = [];
    for (const at of [0, 10, 11, 30, 60]) found.push(await read.firstNumberAt(at));
    expect(found).toEqual([1, 1, 2, 3, 6]);
    expect(await read.firstNumberAt(61)).toBe(7);
  });

  const plan = { owner: "o", from: 0, to: 100, bucketMs: 25, after: 0, before: 7, lines: 100 };
  const one = { code: "", calls: 1, errors: 0 };
  it.each([
    [
      {},
      {
        lines: 5,
        lowest: 1,
        counts: [
          { ...one, tool: "t", bucket: 0, durationMs: 5, lastAt: 10 },
          { ...one, tool: "t", bucket: 0, durationMs: 7.3, code: "TIMEOUT", errors: 1, lastAt: 20 },
          { ...one, tool: "t", bucket: 2, durationMs: 1_230, code: "TOOL_FAILED", errors: 1, lastAt: 60 },
          { ...one, tool: "u", bucket: 1, durationMs: 5, lastAt: 30 },
        ],
      },
    ],
    [
      { bucketMs: 100, tool: "t" },
      {
        lines: 3,
        lowest: 1,
        counts: [
          { ...one, tool: "t", bucket: 0, durationMs: 5, lastAt: 10 },
          { ...one, tool: "t", bucket: 0, durationMs: 7.3, code: "TIMEOUT", errors: 1, lastAt: 20 },
          { ...one, tool: "t", bucket: 0, durationMs: 1_230, code: "TOOL_FAILED", errors: 1, lastAt: 60 },
        ],
      },
    ],
    [
      { agent: "a", principals: ["p1"], bucketMs: 100 },
      {
        lines: 3,
        lowest: 1,
        counts: [
          { ...one, tool: "t", bucket: 0, durationMs: 5, lastAt: 10 },
          { ...one, tool: "t", bucket: 0, durationMs: 1_230, code: "TOOL_FAILED", errors: 1, lastAt: 60 },
        ],
      },
    ],
    [
      { agent: "a", tool: "u" },
      { lines: 3, lowest: 1, counts: [{ ...one, tool: "u", bucket: 1, durationMs: 5, lastAt: 30 }] },
    ],
    [
      { from: 20, to: 30 },
      { lines: 5, lowest: 1, counts: [{ ...one, tool: "t", bucket: 0, durationMs: 7.3, code: "TIMEOUT", errors: 1, lastAt: 20 }] },
    ],
    [
      { after: 2, before: 6 },
      { lines: 2, lowest: 3, counts: [{ ...one, tool: "u", bucket: 1, durationMs: 5, lastAt: 30 }] },
    ],
    [
      { lines: 1 },
      { lines: 1, lowest: 6, counts: [{ ...one, tool: "t", bucket: 2, durationMs: 1_230, code: "TOOL_FAILED", errors: 1, lastAt: 60 }] },
    ],
    [{ owner: "nobody" }, { lines: 0, lowest: 7, counts: [] }],
  ])("counts calls with %j", async (more, wanted) => {
    const { counts, ...rest } = await read.countCalls({ ...plan, ...more });
    const inOrder = counts.toSorted((a, b) => a.tool.localeCompare(b.tool) || a.bucket - b.bucket || a.durationMs - b.durationMs);
    expect({ ...rest, counts: inOrder }).toEqual(wanted);
  });

  it("counts calls of the same tool, interval and duration together, whenever the last was", async () => {
    const engine = await open();
    afterThisTest(() => engine.close());
    const same = [1, 3, 2].map((at) => call(at, { durationMs: at / 1_000, ok: at !== 3 }));
    await engine.writeAudit((tx) => appendEntries(tx, [...same, call(4)], undefined));
    const { counts } = await engine.countCalls({ ...plan, before: 5 });
    expect(counts).toEqual([{ tool: "t", bucket: 0, durationMs: 0, code: "", calls: 4, errors: 1, lastAt: 4 }]);
  });
});
