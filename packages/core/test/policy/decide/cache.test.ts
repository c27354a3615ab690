import fc from "fast-check";
import { sized } from "@toolrack/testkit/sized";
import { describe, expect, it } from "vitest";
import { createDecisionCache } from "../../../src/policy/decide/cache.ts";
import type { Caller } from "../../../src/tool/context.ts";

const policy = {};
const anyText = fc.option(fc.string({ unit: fc.constantFrom("a", ":", "1", "s", "-", "\0"), maxLength: 3 }), { nil: undefined });
const anyCaller: fc.Arbitrary<Caller> = fc.record({
  agent: anyText,
  provider: anyText,
  model: anyText,
  owner: fc.option(fc.boolean(), { nil: undefined }),
  subagentDepth: fc.option(fc.nat(2), { nil: undefined }),
  roles: fc.option(fc.array(fc.constantFrom("a", "b", "a:"), { maxLength: 2 }), { nil: undefined }),
});

describe("a kept decision", () => {
  it("is made once for equal facts, whoever holds them", () => {
    const cache = createDecisionCache<object>();
    const first = cache.get(1, policy, { agent: "a", roles: ["x"] }, () => ({}));
    expect(cache.get(1, policy, { roles: ["x"], agent: "a" }, () => ({}))).toBe(first);
    expect(cache.get(1, policy, Object.freeze({ agent: "a", roles: Object.freeze(["x"]) }), () => ({}))).toBe(first);
    expect(cache.size).toBe(1);
  });

  it("is another one for other facts, another policy and another revision", () => {
    const cache = createDecisionCache<number>();
    let made = 0;
    const decide = (): number => ++made;
    cache.get(1, policy, { agent: "a" }, decide);
    cache.get(1, policy, { agent: "b" }, decide);
    cache.get(1, {}, { agent: "a" }, decide);
    cache.get(2, policy, { agent: "a" }, decide);
    expect(made).toBe(4);
    expect(cache.size).toBe(1);
  });

  it("may be undefined", () => {
    const cache = createDecisionCache<undefined>();
    let made = 0;
    for (let turn = 0; turn < 2; turn++) cache.get(1, policy, {}, () => void made++);
    expect(made).toBe(1);
  });

  it("is never given to a caller with other facts", () => {
    fc.assert(
      fc.property(anyCaller, anyCaller, (one, other) => {
        const cache = createDecisionCache<Caller>();
        cache.get(1, policy, one, () => one);
        const same = (Object.keys(one) as (keyof Caller)[]).every((fact) => JSON.stringify(one[fact]) === JSON.stringify(other[fact]));
        expect(cache.get(1, policy, other, () => other) === one).toBe(same || one === other);
      }),
      { numRuns: sized(300, 1_000) },
    );
  });

  it("is not trusted to a caller that may have changed", () => {
    const cache = createDecisionCache<boolean>();
    const caller: { owner?: boolean; roles: string[] } = { owner: true, roles: [] };
    expect(cache.get(1, policy, caller, () => true)).toBe(true);
    caller.owner = false;
    expect(cache.get(1, policy, caller, () => false)).toBe(false);
    const shallow = Object.freeze({ roles: ["admin"] });
    expect(cache.get(1, policy, shallow, () => true)).toBe(true);
    shallow.roles.pop();
    expect(cache.get(1, policy, shallow, () => false)).toBe(false);
    const child = Object.freeze({ inherited: ["exec"] });
    expect(cache.get(1, policy, child, () => true)).toBe(true);
    child.inherited.pop();
    expect(cache.get(1, policy, child, () => false)).toBe(false);
  });

  it("leaves room: the oldest goes first", () => {
    const cache = createDecisionCache<number>({ maxEntries: 2 });
    let made = 0;
    const get = (agent: string): number => cache.get(1, policy, { agent }, () => ++made);
    get("a");
    get("b");
    get("c");
    expect(cache.size).toBe(2);
    get("b");
    expect(made).toBe(3);
    get("a");
    expect(made).toBe(4);
  });

  it("depends on each fact that it is told to, and on no other", () => {
    const two: Record<keyof Caller, readonly [unknown, unknown]> = {
      agent: ["a", "b"],
      principal: ["a", "b"],
      acting: [true, false],
      provider: ["a", "b"],
      model: ["a", "b"],
      channel: ["a", "b"],
      group: ["a", "b"],
      sender: ["a", "b"],
      owner: [true, false],
      tenant: ["a", "b"],
      session: ["a", "b"],
      run: ["a", "b"],
      subagentDepth: [0, 1],
      sandboxed: [true, false],
      phase: ["a", "b"],
      roles: [["a"], ["b"]],
      inherited: [["a"], ["b"]],
    };
    const facts = Object.keys(two) as (keyof Caller)[];
    for (const fact of facts) {
      const decisions = (depends: readonly (keyof Caller)[] | undefined): number => {
        const cache = createDecisionCache<number>(depends === undefined ? {} : { facts: depends });
        let made = 0;
        for (const value of [...two[fact], two[fact][0]]) cache.get(1, policy, { [fact]: value }, () => ++made);
        return made;
      };
      expect([decisions(undefined), decisions([fact]), decisions(facts.filter((other) => other !== fact))], fact).toEqual([2, 2, 1]);
    }
  });

  it("may leave facts out that nothing depends on", () => {
    const cache = createDecisionCache<number>({ facts: ["agent"] });
    let made = 0;
    cache.get(1, policy, { agent: "a", session: "1" }, () => ++made);
    cache.get(1, policy, { agent: "a", session: "2" }, () => ++made);
    expect(made).toBe(1);
  });
});
