import { describe, expect, it } from "vitest";
import type { Engine } from "../../src/engine/engine.ts";
import { createMemoryEngine } from "../../src/engines/memory/memory.ts";
import { expect as check } from "../../src/testing/contract/_expect.ts";
import { engineContract } from "../../src/testing/engine-contract.ts";

/** What each broken engine does wrong, and a check that must find it. */
const faults: Readonly<Record<string, readonly [(engine: Engine) => Partial<Engine>, check: string]>> = {
  "commits a transaction that threw": [
    (engine) => ({
      async write<Result>(work: Parameters<Engine["write"]>[0]) {
        let failure: { readonly error: unknown } | undefined;
        const result = await engine.write((tx) => work(tx).catch((error: unknown) => void (failure = { error })));
        if (failure !== undefined) throw failure.error;
        return result as Result;
      },
    }),
    "leave nothing behind when they throw, take no number, and were never seen by others",
  ],
  "never wakes those who listen": [
    () => ({ onWake: () => () => undefined }),
    "wake whoever listens once records were committed, until it stops listening",
  ],
  "writes a page whose lease is lost": [
    (engine) => ({ writeLog: (page) => engine.writeLog({ ...page, lease: undefined }) }),
    "OP1: is asked for with each page of the log, which is refused and leaves nothing once it was taken",
  ],
  "returns lines of the audit out of order": [
    (engine) => ({ auditAfter: async (...args) => [...(await engine.auditAfter(...args))].reverse() }),
    "that lock the audit append lines without a gap, in the order of their commits",
  ],
  "returns a page of records in the wrong order": [
    (engine) => ({ page: async (plan) => [...(await engine.page(plan))].reverse() }),
    "finds by schema and by tags what a plain filter finds, page by page",
  ],
  "ignores words": [
    (engine) => ({ page: async (plan) => (plan.terms.length === 0 ? engine.page(plan) : []) }),
    "finds by the beginnings of words, without case and accents",
  ],
};

describe("the contract of engines", () => {
  it.each(Object.entries(faults))("finds an engine that %s", async (_fault, [breakIt, name]) => {
    const open = (): Engine => {
      const engine = createMemoryEngine();
      return { ...engine, ...breakIt(engine) };
    };
    const found = engineContract(open).find((one) => one.name === name);
    await expect(found!.run()).rejects.toThrow(/expected/);
  });

  it("closes every engine that a check opened, whether the engine passes or not", async () => {
    const name = "wake whoever listens once records were committed, until it stops listening";
    const throws = (): never => {
      throw new Error("It cannot listen.");
    };
    for (const change of [{}, { onWake: throws }]) {
      const opened: string[] = [];
      const open = (): Engine => {
        const engine = createMemoryEngine();
        const at = opened.push("open") - 1;
        return { ...engine, ...change, close: () => ((opened[at] = "closed"), engine.close()) };
      };
      const found = engineContract(open).find((one) => one.name === name)!;
      await found.run().catch(() => undefined);
      expect(new Set(opened)).toEqual(new Set(["closed"]));
    }
  });

  it("checks what several processes share only where two engines can be opened on one database", async () => {
    const alone = new Set(engineContract(createMemoryEngine).map(({ name }) => name));
    const openTwo = (): Promise<never> => Promise.reject(new Error("two were asked for"));
    const shared = engineContract(createMemoryEngine, { openTwo }).filter(({ name }) => !alone.has(name));
    expect(shared).not.toEqual([]);
    for (const { run } of shared) await expect(run()).rejects.toThrow("two were asked for");
  });

  it("has a name of its own for each check of a group", () => {
    const names = engineContract(createMemoryEngine, { openTwo: () => Promise.reject(new Error("not opened")) }).map(
      ({ group, name }) => `${group}: ${name}`,
    );
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(100);
  });
});

describe("the assertions of the contract", () => {
  const failing: readonly (() => unknown)[] = [
    () => check(1).toBe(2),
    () => check({ a: { b: 1 } }).toEqual({ a: { b: 2 } }),
    () => check({ a: 1, b: 2 }).toEqual({ a: 1 }),
    () => check([1, 2]).toEqual([1]),
    () => check({ a: 1 }).toMatchObject({ a: 1, b: 2 }),
    () => check([{ a: 1 }, { a: 2 }]).toMatchObject([{ a: 1 }]),
    () => check(new Map([["a", 1]])).toEqual(new Map([["a", 2]])),
    () => check(new Set(["a"])).toEqual(new Set(["a", "b"])),
    () => check(Uint8Array.of(1, 2)).toEqual(Uint8Array.of(1, 3)),
    () => check([1]).toHaveLength(2),
    () => check(1).toBeUndefined(),
    () => check(undefined).toBeDefined(),
    () => check(2).toBeLessThan(2),
    () => check(3).toBeLessThanOrEqual(2),
    () => check(["a"]).toContain("b"),
    () => check("text").not.toContain("ex"),
    () => check("text").toMatch(/no/),
    () => check({ a: { b: 1 } }).toHaveProperty("a.b", 2),
    () => check({ a: 1 }).not.toHaveProperty("a"),
    () => check(() => undefined).toThrow(),
    () => check({ text: "a" }).toEqual({ text: check.stringContaining("b") }),
    () => check({ text: 1 }).toEqual({ text: check.any(String) }),
    () => check(Promise.resolve(1)).rejects.toThrow(),
    () => check(Promise.reject(new Error("one"))).rejects.toThrow("other"),
    () => check(Promise.reject(Object.assign(new Error("one"), { code: "A" }))).rejects.toMatchObject({ code: "B" }),
    () => check.unreachable(),
  ];

  it.each(failing.map((assertion) => [String(assertion).slice(6), assertion] as const))("fail: %s", async (_text, assertion) => {
    await expect((async () => assertion())()).rejects.toThrow(/expected/);
  });

  it("accept what is as it should be", async () => {
    check({ a: 1, b: undefined }).toEqual({ a: 1 });
    check({ a: { b: [1, { c: 2, d: 3 }] } }).toMatchObject({ a: { b: [1, { c: 2 }] } });
    check({ text: "abc" }).toEqual({ text: check.stringMatching(/b/) });
    check(new Map([["a", 1]])).toEqual(new Map([["a", 1]]));
    await check(Promise.reject(new TypeError("no"))).rejects.toThrow(/no/);
    let count = 0;
    await check.poll(() => ++count).toBe(3);
  });
});
