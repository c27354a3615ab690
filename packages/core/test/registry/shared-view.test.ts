import { describe, expect, it } from "vitest";
import { indexTools } from "../../src/policy/entries/indexed-tools.ts";
import { createSharedView, type SharedViewParts } from "../../src/registry/shared-view.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import type { Caller } from "../../src/tool/context.ts";

const plain = fakeTool({ name: "plain" });
const off = fakeTool({ name: "off" });
const variable = Array.from({ length: 5 }, (_, index) => fakeTool({ name: `v${index}`, metadata: { when: () => true } }));
const tools = Object.freeze([plain, off, ...variable]);

function open(more: Partial<SharedViewParts> = {}) {
  const grown: number[] = [];
  let decided = 0;
  const view = createSharedView({
    policy: undefined,
    own: new Map(),
    among: [indexTools(tools)],
    origin: {} as never,
    decideAll: () => (decided++, { tools, warningsFor: ({ agent }: Caller) => [agent] } as never),
    isOffered: (tool) => tool !== off,
    grow: (_view, bytes) => void grown.push(bytes),
    ...more,
  });
  return { view, grown: () => grown.splice(0), decided: () => decided };
}

describe("what callers share of a view", () => {
  it("is each decision, made once and counted", () => {
    const { view, grown, decided } = open();
    let made = 0;
    const decide = () => ({ name: "plain", allowed: true, made: ++made }) as never;
    expect(view.decision(plain, decide)).toBe(view.decision(plain, decide));
    expect([made, grown(), decided()]).toEqual([1, [300], 0]);
    expect([view.find("plain"), view.find("nobody")]).toEqual([plain, undefined]);
    view.forget();
    view.decision(plain, decide);
    expect(made).toBe(2);
  });

  it("is no decision that names one of them", () => {
    const naming = { steps: [{ id: "unknownAgents", reason: () => "you" }, { id: "global" }] } as never;
    const counting = (policy: SharedViewParts["policy"], step?: string) => {
      const { view, grown } = open({ policy });
      let made = 0;
      for (let times = 0; times < 2; times++) view.decision(plain, () => (made++, { name: "plain", step }) as never);
      return [made, grown()];
    };
    expect(counting(naming, "unknownAgents")).toEqual([2, []]);
    expect([counting(naming, "global"), counting(naming), counting(undefined, "unknownAgents")]).toEqual([
      [1, [300]],
      [1, [300]],
      [1, [300]],
    ]);
  });

  it("is what the warnings are taken from, decided once", () => {
    const { view, grown, decided } = open();
    expect([view.warningsFor({ agent: "a" }), view.warningsFor({ agent: "b" })]).toEqual([["a"], ["b"]]);
    expect([decided(), grown()]).toEqual([1, [2 * (512 + 8 * 7)]]);
    view.offered(() => true);
    expect(decided()).toBe(1);
  });

  it("is each list of tools, the same array for the same tools, without those that are off", () => {
    const { view, grown, decided } = open();
    const all = view.offered(() => true);
    expect(all).toEqual([plain, ...variable]);
    expect(Object.isFrozen(all)).toBe(true);
    expect([decided(), grown()]).toEqual([1, [512 + 8 * 6 + 512 + 8 * 5, 0]]);
    expect(view.offered(() => true)).toBe(all);
    expect(grown()).toEqual([]);
    const fewer = view.offered((tool) => tool !== variable[1]);
    expect([fewer.includes(variable[1]!), fewer.length, grown()]).toEqual([false, 5, [1 + 512 + 8 * 5]]);
    expect(view.offered((tool) => tool !== variable[1])).toBe(fewer);
    view.forget();
    expect(view.offered(() => true)).not.toBe(all);
    expect(decided()).toBe(2);
  });

  it("is at most sixteen lists, the oldest going first", () => {
    const { view } = open();
    const listFor = (number: number) => view.offered((tool) => (number & (1 << variable.indexOf(tool))) === 0);
    const lists = Array.from({ length: 16 }, (_, index) => listFor(index + 1));
    expect(lists.map((list, index) => listFor(index + 1) === list)).toEqual(lists.map(() => true));
    const more = listFor(17);
    expect([listFor(17) === more, listFor(16) === lists[15], listFor(1) === lists[0]]).toEqual([true, true, false]);
  });

  it("finds the tools of one caller beside the others", () => {
    const own = fakeTool({ name: "own" });
    const { view } = open({ among: [indexTools(tools), indexTools([own])] });
    expect([view.find("own"), view.find("plain")]).toEqual([own, plain]);
    expect(view.decision(view.find("own")!, (one) => ({ name: one.names[0] }) as never)).toEqual({ name: "own" });
  });
});
