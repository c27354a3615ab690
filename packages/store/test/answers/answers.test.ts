import { createHash } from "node:crypto";
import { createFakeClock } from "@toolrack/core/testing";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type AnswersOptions, createAnswers } from "../../src/answers/answers.ts";
import { toClaim } from "../../src/answers/claims.ts";
import type { Engine } from "../../src/engine/engine.ts";
import { createMemoryEngine } from "../../src/engines/memory/memory.ts";
import { StoreError } from "../../src/errors.ts";
import { createStore, insideOf } from "../../src/store/create-store.ts";
import { takeLease } from "../../src/testing/contract/_lease.ts";

const now = 1_800_000_000_000;
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
afterEach(() => void vi.useRealTimers());

/** `trimmed` is what was asked of `trimNotes`; `change` replaces parts of the engine. */
function open(options: AnswersOptions = {}) {
  const clock = createFakeClock(now);
  const memory = createMemoryEngine();
  const trimmed: unknown[][] = [];
  const change: { engine: Partial<Engine> } = { engine: {} };
  const inside: Engine = {
    ...memory,
    writeAudit: (work) =>
      (change.engine.writeAudit ?? memory.writeAudit)((tx) =>
        work({ ...tx, trimNotes: (...args) => (trimmed.push(args), tx.trimNotes(...args)) }),
      ),
  };
  const store = createStore(inside, { clock });
  afterThisTest(() => store.close());
  const notes = () => memory.notes("local", "answer", 1_000);
  return { store, memory, clock, trimmed, change, notes, answers: createAnswers(store, options) };
}

const made = (value: unknown) => async () => value;

describe("the first answer to a key", () => {
  it("is stored as a whole, for a day, and while it is made for a week", async () => {
    const { answers, notes } = open();
    let running: unknown;
    const answered = await answers.once({
      key: "k",
      caller: "ann",
      request: { b: 1, a: 2 },
      work: "w",
      make: async () => ((running = (await notes())[0]), "value"),
    });
    expect(answered).toEqual({ outcome: "answered", isFirst: true, value: "value" });
    const name = `${sha256("ann").slice(0, 32)}-${sha256("k")}`;
    const digest = sha256('{"a":2,"b":1}');
    expect(running).toEqual({
      owner: "local",
      kind: "answer",
      name,
      holder: expect.stringMatching(/^[0-9a-f-]{36}$/),
      endsAt: now + 7 * 86_400_000,
      body: JSON.stringify({ digest, state: "running", work: "w" }),
    });
    expect(await notes()).toEqual([
      {
        owner: "local",
        kind: "answer",
        name,
        holder: "",
        endsAt: now + 86_400_000,
        body: JSON.stringify({ digest, state: "answered", value: "value" }),
      },
    ]);
    const again = { key: "k", caller: "ann", make: made("other") };
    expect(await answers.once({ ...again, request: { a: 2, b: 1 } })).toEqual({ outcome: "answered", isFirst: false, value: "value" });
    expect(await answers.once({ ...again, request: { a: 3 } })).toEqual({ outcome: "different" });
    expect(await answers.once({ ...again, caller: "bob", request: 1 })).toEqual({ outcome: "answered", isFirst: true, value: "other" });
    expect(toClaim("k", undefined, 1, undefined)).toEqual({
      name: sha256("k"),
      prefix: undefined,
      digest: sha256("1"),
      holder: expect.any(String),
      work: undefined,
    });
  });

  it("is stored where it has at most a million bytes", async () => {
    const { answers } = open();
    const once = (key: string, length: number) => answers.once({ key, request: 1, make: made("ä".repeat(length)) });
    expect(await once("a", 524_287)).toMatchObject({ outcome: "answered", isFirst: true });
    expect(await once("a", 1)).toMatchObject({ outcome: "answered", isFirst: false });
    await once("b", 524_288);
    expect(await once("b", 1)).toEqual({ outcome: "not-kept" });
    expect(await answers.once({ key: "c", request: 1, make: made(undefined) })).toEqual({
      outcome: "answered",
      isFirst: true,
      value: undefined,
    });
    expect(await answers.once({ key: "c", request: 1, make: made(2) })).toEqual({ outcome: "answered", isFirst: false, value: undefined });
  });

  it("leaves the key free where it failed or is not to be kept", async () => {
    const { answers, notes } = open();
    const failing = answers.once({ key: "k", request: 1, make: () => Promise.reject(new Error("no")) });
    await expect(failing).rejects.toThrow("no");
    expect(await notes()).toEqual([]);
    await answers.once({ key: "k", request: 1, make: made(1), isKept: (value) => value !== 1 });
    expect(await notes()).toEqual([]);
    await answers.once({ key: "k", request: 1, make: made(2), isKept: () => true });
    expect(await notes()).toHaveLength(1);
  });

  it("makes room: for a caller each time, among all once in a hundred claims", async () => {
    const { answers, trimmed } = open({ maxAnswers: 7 });
    await answers.once({ key: "k", caller: "ann", request: 1, make: made(1) });
    const prefix = `${sha256("ann").slice(0, 32)}-`;
    expect(trimmed.splice(0)).toEqual([
      ["local", "answer", now, 7],
      ["local", "answer", now, 499, prefix],
    ]);
    for (let count = 1; count < 101; count++) await answers.once({ key: `k${count}`, request: 1, make: made(1) });
    expect(trimmed).toEqual([["local", "answer", now, 7]]);
  });

  it("is told not to be known yet after the time that one waits", async () => {
    const { answers } = open();
    let end: () => void = () => undefined;
    const first = answers.once({ key: "k", request: 1, make: () => new Promise<number>((resolve) => (end = () => resolve(1))) });
    await new Promise((resolve) => setImmediate(resolve));
    expect(await answers.once({ key: "k", request: 1, make: made(2), waitMs: 0 })).toEqual({ outcome: "running" });
    const controller = new AbortController();
    const waiting = answers.once({ key: "k", request: 1, make: made(2), signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
    end();
    expect(await first).toMatchObject({ isFirst: true });
    expect(await answers.once({ key: "k", request: 1, make: made(2) })).toMatchObject({ isFirst: false, value: 1 });
  });

  it("is stored later where the store is away, after longer and longer pauses, and not once it is closed", async () => {
    const { answers, change, memory, notes } = open();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    let tries = 0;
    let error: Error = new StoreError("STORE_UNAVAILABLE", "Away.");
    const fails = () => {
      change.engine = {
        writeAudit: () => {
          tries++;
          return Promise.reject(error);
        },
      };
    };
    await answers.once({ key: "k", request: 1, make: async () => (fails(), 1) });
    const times: number[] = [];
    for (let ms = 0, known = tries; ms < 12_000; ms += 250) {
      await vi.advanceTimersByTimeAsync(250);
      if (tries > known) times.push(ms + 250);
      known = tries;
    }
    expect(times).toEqual([250, 750, 1_750, 3_750, 7_750]);
    change.engine = { writeAudit: (work) => (tries++, memory.writeAudit(work)) };
    const triesLater = async (): Promise<number> => {
      const before = tries;
      await vi.advanceTimersByTimeAsync(60_000);
      return tries - before;
    };
    expect(await triesLater()).toBe(1);
    expect((await notes())[0]!.holder).toBe("");
    expect(await triesLater()).toBe(0);
    error = new StoreError("STORE_CLOSED", "Closed.");
    await answers.once({ key: "l", request: 1, make: async () => (fails(), 1) });
    expect(await triesLater()).toBe(0);
    change.engine = {};
  });

  it("is not made again where its server is gone, unless whoever asks says so, or knows it", async () => {
    const { store, notes } = open();
    const lease = await takeLease(store, "gone");
    const left = createAnswers(store, { server: lease });
    for (const key of ["a", "b", "c"]) void left.once({ key, request: 1, work: `work ${key}`, make: () => new Promise(() => undefined) });
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect((await notes()).map(({ body }) => (JSON.parse(body) as { lease: unknown }).lease)).toEqual(
      Array.from({ length: 3 }, () => ({ owner: "local", name: "gone-0" })),
    );
    await insideOf(store).engine.writeAudit((tx) => tx.forgetSighting("local", "gone-0"));
    const answers = createAnswers(store, { server: await takeLease(store, "here") });
    const asked: unknown[] = [];
    const once = (key: string, settled?: "again" | "unknown" | { value: unknown }) =>
      answers.once({
        key,
        request: 1,
        make: made("again"),
        waitMs: 0,
        ...(settled && { settle: async (work: unknown) => (asked.push(work), settled) as never }),
      });
    expect(await once("a")).toEqual({ outcome: "unknown" });
    expect(await once("a", "unknown")).toEqual({ outcome: "unknown" });
    expect(await once("a", "again")).toEqual({ outcome: "answered", isFirst: true, value: "again" });
    expect(await once("b", { value: "found" })).toEqual({ outcome: "answered", isFirst: false, value: "found" });
    expect(await once("b")).toEqual({ outcome: "answered", isFirst: false, value: "found" });
    expect(asked).toEqual(["a", "a", "b"].map((key) => ({ server: "gone-0", work: `work ${key}` })));
  });

  it("is aborted when the lease of its server is lost, and says nothing then", async () => {
    const { store, notes } = open();
    const lease = await takeLease(store);
    const answers = createAnswers(store, { server: lease });
    let reason: unknown;
    const work = answers.once({
      key: "k",
      request: 1,
      make: (signal) => new Promise((_, reject) => signal.addEventListener("abort", () => reject((reason = signal.reason)))),
    });
    work.catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    await lease.lost("one-0");
    await expect(work).rejects.toMatchObject({ code: "LEASE_LOST", server: "one-0" });
    expect([reason !== undefined, (await notes()).length]).toEqual([true, 1]);
  });

  it("is for those who may write", async () => {
    const { store } = open();
    const reader = createAnswers(store.as({ owner: "local", agent: "r", roles: ["subscriber"] }));
    await expect(reader.once({ key: "k", request: 1, make: made(1) })).rejects.toMatchObject({
      code: "FORBIDDEN",
      message: '"r" may not keep answers: that needs the role "emitter".',
    });
  });
});
