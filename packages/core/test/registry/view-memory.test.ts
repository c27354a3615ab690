import { describe, expect, it } from "vitest";
import type { SharedView } from "../../src/registry/shared-view.ts";
import { createViewMemory } from "../../src/registry/view-memory.ts";

const megabyte = 1024 * 1024;

function fakeView(): SharedView & { forgotten: number } {
  const view = { forgotten: 0, forget: () => void view.forgotten++ };
  return view as unknown as SharedView & { forgotten: number };
}

describe("the memory for views", () => {
  it("makes the oldest view forget when all together take too much", () => {
    const memory = createViewMemory(() => 1);
    const [first, second, third] = [fakeView(), fakeView(), fakeView()];
    memory.grow(first, 10 * megabyte);
    memory.grow(second, 10 * megabyte);
    memory.grow(first, 10 * megabyte);
    expect([first, second, third].map(({ forgotten }) => forgotten)).toEqual([0, 0, 0]);
    memory.grow(third, 3 * megabyte);
    expect([first, second, third].map(({ forgotten }) => forgotten)).toEqual([1, 0, 0]);
    memory.grow(second, 40 * megabyte);
    expect([first, second, third].map(({ forgotten }) => forgotten)).toEqual([1, 1, 0]);
  });

  it("counts anew when the tools changed", () => {
    let revision = 1;
    const memory = createViewMemory(() => revision);
    const [first, second] = [fakeView(), fakeView()];
    memory.grow(first, 30 * megabyte);
    revision = 2;
    memory.grow(second, 30 * megabyte);
    expect([first.forgotten, second.forgotten]).toEqual([0, 0]);
  });

  it("knows a view by the policy and by what gates look at, and not by who calls", () => {
    const memory = createViewMemory(() => 1);
    const policy = {};
    const get = (caller: object, of: object = policy): SharedView => memory.shared(of, caller, fakeView);
    const first = get({ agent: "a", provider: "p", model: "m" });
    expect(get({ agent: "b", provider: "p", model: "m", sender: "s", session: "1", tenant: "t", roles: ["x"] })).toBe(first);
    for (const other of [
      { provider: "p" },
      { provider: "q", model: "m" },
      { provider: "p", model: "n" },
      { provider: "p", model: "m", owner: true },
    ])
      expect(get(other)).not.toBe(first);
    expect(get({ provider: "p", model: "m" }, {})).not.toBe(first);
    expect(memory.ofCaller(policy, { agent: "a", session: "1" }, fakeView)).not.toBe(
      memory.ofCaller(policy, { agent: "a", session: "2" }, fakeView),
    );
  });
});
