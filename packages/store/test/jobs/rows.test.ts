import { afterEach, describe, expect, it, vi } from "vitest";
import { delayAfter, toJob, toRow, toText } from "../../src/jobs/_rows.ts";
import type { JobDraft } from "../../src/jobs/job-queue.ts";

afterEach(() => vi.restoreAllMocks());

const draft: JobDraft = { kind: "call", caller: "ann", subject: "echo", payload: { a: 1 } };
const row = (more: Partial<JobDraft> = {}, dueAt = 2_000) => toRow("local", { ...draft, ...more }, 1_000.5, dueAt);
const invalid = (message: string) => expect.objectContaining({ code: "RECORD_INVALID", message });

describe("the row of a new job", () => {
  const waiting = {
    owner: "local",
    kind: "call",
    caller: "ann",
    subject: "echo",
    payload: '{"a":1}',
    createdAt: 1_000.5,
    state: "waiting",
    dueAt: 2_000,
    startedAt: undefined,
    endedAt: undefined,
    attempt: 0,
    failed: 0,
    lostBy: [],
    holder: "",
    beat: 0,
    cancelling: false,
    progress: undefined,
    result: undefined,
    error: undefined,
  };

  it("has what its draft has, and one try of a call where the draft says nothing", () => {
    expect(row()).toEqual({
      ...waiting,
      id: expect.any(String),
      key: undefined,
      origin: "call",
      tries: 1,
      delays: "[30000,60000,300000,900000,3600000]",
    });
    expect(row({ key: "k", origin: "schedule:x", tries: 3, delaysMs: [0, 5] })).toEqual({
      ...waiting,
      id: expect.any(String),
      key: "k",
      origin: "schedule:x",
      tries: 3,
      delays: "[0,5]",
    });
  });

  it("has an id that sorts by time, then by the order in which the process gave it", () => {
    const [first, second] = [row().id, row().id];
    for (const id of [first, second]) expect(id).toMatch(/^0000000rs[0-9a-z]{4}[0-9a-f]{24}$/);
    expect(first.slice(0, 13) < second.slice(0, 13)).toBe(true);
  });

  it.each(["kind", "caller", "subject", "origin", "key"])("takes as its %s a text that every database takes", (name) => {
    expect(row({ [name]: "x".repeat(1_000) })).toHaveProperty(name, "x".repeat(1_000));
    for (const wrong of ["", "x".repeat(1_001), "a\0", "\ud800", 5])
      expect(() => row({ [name]: wrong })).toThrow(
        invalid(`"${name}" of a job has to be a text of 1 to 1000 characters, without the character 0.`),
      );
  });

  it("has 1 to 100 tries and delays", () => {
    expect([row({ tries: 100 }).tries, row({ delaysMs: Array.from({ length: 100 }, () => 1) }).delays.length]).toEqual([100, 201]);
    for (const tries of [0, 101, 1.5, Number.NaN])
      expect(() => row({ tries })).toThrow(invalid(`A job has ${tries} tries. Give it a whole number from 1 to 100.`));
    for (const delaysMs of [[], Array.from({ length: 101 }, () => 1), [1, -1], [Number.POSITIVE_INFINITY]])
      expect(() => row({ delaysMs })).toThrow(invalid("delaysMs of a job has to be 1 to 100 numbers of milliseconds."));
  });

  it("is due between 1970 and the year 9999", () => {
    for (const dueAt of [0, Date.UTC(9_999, 0)]) expect(row({}, dueAt).dueAt).toBe(dueAt);
    for (const dueAt of [-1, Date.UTC(9_999, 0) + 1, Number.NaN])
      expect(() => row({}, dueAt)).toThrow(
        invalid("The time at which a job is due has to be milliseconds since 1970, up to the year 9999."),
      );
  });
});

describe("a job", () => {
  it("is read from its row as a whole", () => {
    const stored = {
      ...row({ key: "k" }),
      id: "1",
      startedAt: 3_000,
      endedAt: 4_000,
      attempt: 4,
      failed: 2,
      lostBy: ["s/1", "t/1"],
      progress: '{"done":1}',
      result: '{"n":2}',
      error: '{"code":"X","message":"x"}',
    };
    const job = {
      id: "1",
      kind: "call",
      caller: "ann",
      subject: "echo",
      key: "k",
      origin: "call",
      tries: 1,
      createdAt: 1_000.5,
      dueAt: 2_000,
      startedAt: 3_000,
      endedAt: 4_000,
      attempt: 4,
      failed: 2,
      lost: 2,
      delaysMs: [30_000, 60_000, 300_000, 900_000, 3_600_000],
      payload: { a: 1 },
      progress: { done: 1 },
      result: { n: 2 },
      error: { code: "X", message: "x" },
    };
    expect(toJob({ ...stored, state: "running", holder: "s/1", cancelling: true })).toEqual({
      ...job,
      state: "running",
      holder: "s/1",
      isCancelling: true,
    });
    expect(toJob({ ...stored, state: "running", holder: "s/1" }).isCancelling).toBe(false);
    expect(toJob({ ...stored, state: "cancelled", cancelling: true })).toEqual({
      ...job,
      state: "cancelled",
      holder: undefined,
      isCancelling: false,
    });
  });

  it("stores JSON of at most 1 MiB", () => {
    const value = (bytes: number) => ({ a: "ä".repeat((bytes - 8) / 2) });
    expect(Buffer.byteLength(toText(value(1_048_576)))).toBe(1_048_576);
    expect(() => toText(value(1_048_578))).toThrow(
      expect.objectContaining({
        code: "RECORD_TOO_LARGE",
        message: "What a job stores has 1048578 bytes; at most 1048576 are allowed.",
      }),
    );
  });

  it("waits after a failure as long as its delays say, the last one again and again, and up to a fifth more by chance", () => {
    expect([1, 2, 3].map((failed) => delayAfter(failed, [10, 20], () => 0))).toEqual([10, 20, 20]);
    expect(delayAfter(1, [10], () => 0.5)).toBeCloseTo(11);
  });
});
