import crypto from "node:crypto";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it, vi } from "vitest";
import type { AuditRow, LineContent, LinkedLine } from "../../src/engine/audit.ts";
import { appendEntries, createLink, hashRow, linkLines, storable, tipOf, toContent } from "../../src/engine/chain.ts";
import type { Writes } from "../../src/engine/engine.ts";
import { leaseLost, readLeaseLost, serverOfLost } from "../../src/engine/lease.ts";
import { createQueryMeter } from "../../src/engine/stats.ts";
import { roundDuration } from "../../src/engine/usage.ts";
import { writeLogPage } from "../../src/engine/write-log-page.ts";
import { StoreError } from "../../src/errors.ts";

describe("the meter of queries", () => {
  it("counts each in the bucket of its duration, with its bound", () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    afterThisTest(() => vi.useRealTimers());
    const meter = createQueryMeter();
    expect(meter.stats()).toEqual({
      count: 0,
      failed: 0,
      seconds: 0,
      buckets: Array.from({ length: 15 }, () => 0),
      bounds: expect.any(Array),
    });
    const begun = 0; // of the fake clock
    meter.done(begun);
    vi.advanceTimersByTime(1);
    meter.done(begun);
    vi.advanceTimersByTime(1);
    meter.done(begun);
    vi.advanceTimersByTime(9_998);
    meter.done(begun);
    vi.advanceTimersByTime(1);
    meter.done(begun);
    const { count, seconds, buckets, bounds } = meter.stats();
    expect([count, seconds]).toEqual([5, (1 + 2 + 10_000 + 10_001) / 1_000]);
    expect(buckets).toEqual([1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
    expect(bounds.map((bound) => bound * 1_000)).toEqual([0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000]);
    expect(bounds).toEqual(bounds.toSorted((a, b) => a - b));
  });

  it("keeps the last failure with its reason, for the log", () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 77 });
    afterThisTest(() => vi.useRealTimers());
    const meter = createQueryMeter();
    const error = new StoreError("STORE_FULL", "The disk is full.", { cause: new Error("no space on /dev/sda") });
    expect(meter.failed(error)).toBe(error);
    expect(meter.stats()).toMatchObject({
      count: 0,
      failed: 1,
      lastFailure: { at: 77, code: "STORE_FULL", reason: "no space on /dev/sda" },
    });
    meter.failed(new StoreError("STORE_UNAVAILABLE", "Away."));
    expect(meter.stats()).toMatchObject({ failed: 2, lastFailure: { at: 77, code: "STORE_UNAVAILABLE", reason: "Away." } });
  });
});

const content: LineContent = [1, "o", "call", "a", "s", null, 1, null, 2.5, "{}", "p"];
const sha = (text: string): string => crypto.createHash("sha256").update(text).digest("hex");

describe("lines of a chain", () => {
  it("have numbers and no places in the chain main, places and no numbers elsewhere", () => {
    const tip = { number: 4, place: 7, hash: "before" };
    const main = linkLines([content, content], tip, createLink(crypto, "main", undefined));
    const first = sha(JSON.stringify(["main", "", 5, ...content, "before"]));
    const second = sha(JSON.stringify(["main", "", 6, ...content, first]));
    expect(main).toEqual([
      [5, ...content, "before", first, "main", "", 0],
      [6, ...content, first, second, "main", "", 0],
    ]);
    const own = linkLines([content], tip, createLink(crypto, "own", undefined));
    expect(own).toEqual([[0, ...content, "before", sha(JSON.stringify(["own", "", 8, ...content, "before"])), "own", "", 8]]);
    expect(tipOf(main)).toEqual({ number: 6, hash: second, chain: "main", place: 0 });
    expect(tipOf(own)).toEqual({ number: 0, hash: own[0]![13], chain: "own", place: 8 });
  });

  it("of the first format name neither chain nor principal in what is hashed", () => {
    const [line] = linkLines([content], { number: 4, place: 0, hash: "before" }, createLink(crypto, "", undefined));
    expect(line).toEqual([5, ...content, "before", sha(JSON.stringify([5, ...content.slice(0, -1), "before"])), "", "", 0]);
  });

  it("are signed where there is a key, and hashed the same on every Node where there is none", () => {
    const key = { id: "k", bytes: Buffer.from("secret") };
    const signed = createLink(crypto, "own", key);
    expect([signed.chain, signed.keyId, signed.digest("x")]).toEqual([
      "own",
      "k",
      crypto.createHmac("sha256", key.bytes).update("x").digest("hex"),
    ]);
    const old = { ...crypto, hash: undefined } as unknown as typeof crypto;
    for (const library of [crypto, old]) {
      const { chain, keyId, digest } = createLink(library, "own", undefined);
      expect([chain, keyId, digest("x")]).toEqual(["own", "", sha("x")]);
    }
    const hash = vi.fn(() => "quick");
    expect(createLink({ ...crypto, hash } as unknown as typeof crypto, "own", undefined).digest("x")).toBe("quick");
  });

  it("are checked by the hash that they were written with", () => {
    for (const chain of ["main", "own"]) {
      const [line] = linkLines([content], { number: 4, place: 7, hash: "before" }, createLink(crypto, chain, undefined));
      const [number, at, owner, kind, agent, subject, callId, ok, code, durationMs, body, principal, previous, hash, , keyId, place] =
        line!;
      const row = { number, at, owner, kind, agent, subject, callId, ok, code, durationMs, body, principal, previous, chain, keyId, place };
      expect(hashRow(row as AuditRow, undefined)).toBe(hash);
      expect(hashRow({ ...row, body: "{ }" } as AuditRow, undefined)).not.toBe(hash);
    }
  });

  it("are linked again where another writer was first, and nothing is asked for no lines", async () => {
    const tips = [
      { chain: "own", number: 0, place: 1, hash: "one" },
      { chain: "own", number: 0, place: 2, hash: "two" },
    ];
    const asked: (string | undefined)[] = [];
    const written: LinkedLine[][] = [];
    const tx = {
      chainTip: async (chain?: string) => (asked.push(chain), tips[asked.length - 1]!),
      appendAudit: async (lines: LinkedLine[]) => written.push(lines) === 2,
    } as unknown as Writes;
    const entry = { at: 1.9, owner: "o", kind: "k", agent: "a", subject: "s", body: "{}" };
    await appendEntries(tx, [entry], undefined, "own");
    expect(asked).toEqual(["own", "own"]);
    expect(written.map(([line]) => [line![12], line![16]])).toEqual([
      ["one", 2],
      ["two", 3],
    ]);
    await appendEntries(tx, [], undefined);
    expect(asked).toHaveLength(2);
  });
});

describe("the content of a line", () => {
  it("is what databases can hold, with null for what does not apply", () => {
    const entry = { at: 1.9, owner: "o", kind: "k", agent: "a", subject: "s", body: "{}" };
    expect(toContent(entry)).toEqual([1, "o", "k", "a", "s", null, null, null, null, "{}", ""]);
    const full = { ...entry, principal: "p\0", callId: "c\0", ok: false, code: "E", durationMs: 1.23456 };
    expect(toContent({ ...full, agent: "a\0", subject: "s\0" })).toEqual([
      1,
      "o",
      "k",
      "a\ufffd",
      "s\ufffd",
      "c\ufffd",
      0,
      "E",
      1.235,
      "{}",
      "p\ufffd",
    ]);
    expect(toContent({ ...entry, ok: true })[6]).toBe(1);
  });

  it("has names of at most 512 characters that are whole", () => {
    const longest = "n".repeat(512);
    expect(storable(longest)).toBe(longest);
    expect(storable(`${longest}n`)).toBe(`${"n".repeat(511)}…`);
    expect(storable("é".repeat(512))).toBe("é".repeat(512));
    expect(storable("é".repeat(513))).toBe(`${"é".repeat(511)}…`);
    expect(storable("a\ud800b")).toBe("a\ufffdb");
    expect(storable("plain name ~")).toBe("plain name ~");
  });
});

describe("a lost lease", () => {
  it("is an error that names its server, also out of a message from another thread", () => {
    const error = leaseLost("s1");
    expect(error).toMatchObject({ code: "LEASE_LOST", server: "s1" });
    expect(error.message).toContain('Server "s1" lost its lease');
    expect(serverOfLost(error)).toBe("s1");
    expect(serverOfLost(readLeaseLost("LEASE_LOST s 2"))).toBe("s 2");
    for (const other of ["lost", "x LEASE_LOST s1", ""]) expect(readLeaseLost(other)).toBeUndefined();
    for (const other of [
      new StoreError("STORE_FULL", "full"),
      new Error("x"),
      undefined,
      Object.assign(new StoreError("STORE_FULL", ""), { server: "s" }),
    ])
      expect(serverOfLost(other)).toBeUndefined();
  });

  it("refuses a page, after which nothing stays; a page without a lease asks for none", async () => {
    const told: unknown[] = [];
    let isHeld = true;
    const tx = {
      removeNotes: async (...removed: unknown[]) => void told.push(["removed", ...removed]),
      saveNotes: async (saved: unknown) => void told.push(["saved", saved]),
      holdsLease: async (lease: unknown) => (told.push(["lease", lease]), isHeld),
    } as unknown as Writes;
    const page = { lines: [], key: undefined, owner: "o", removed: ["n"], saved: [] };
    await writeLogPage(tx, page);
    expect(told.splice(0)).toEqual([
      ["removed", "o", "running", ["n"]],
      ["saved", []],
    ]);
    const lease = { owner: "o", name: "s1" };
    await writeLogPage(tx, { ...page, lease });
    expect(told.at(-1)).toEqual(["lease", lease]);
    isHeld = false;
    await expect(writeLogPage(tx, { ...page, lease })).rejects.toMatchObject({ code: "LEASE_LOST", server: "s1" });
  });
});

describe("a duration in sums", () => {
  it("is rounded to a few digits, by its size", () => {
    const rounded = [0, 0.123, 0.999, 1, 1.26, 9.99, 10, 12.6, 999.4, 999.6, 1_000, 1_234, 99_994, 100_000, 123_456];
    expect(rounded.map(roundDuration)).toEqual([0, 0.12, 1, 1, 1.3, 10, 10, 13, 999, 1_000, 1_000, 1_230, 99_990, 100_000, 123_000]);
  });
});
