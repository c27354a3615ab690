import { describe, expect, it } from "vitest";
import { oncePerList, type PerList } from "../../src/tool/per-list.ts";
import { defineTool } from "../../src/tool/tool.ts";

const tool = (name: string) => defineTool({ name, description: name, inputSchema: { type: "object" }, handler: () => name });

describe("oncePerList", () => {
  it("makes one thing for one list and equal options, and another for anything else", () => {
    const remembered: PerList<object> = new WeakMap();
    const list = Object.freeze([tool("a")]);
    const made = oncePerList(remembered, list, { tier: "full" }, () => ({}));
    expect(oncePerList(remembered, list, { tier: "full" }, () => ({}))).toBe(made);
    expect(oncePerList(remembered, list, { tier: "compact" }, () => ({}))).not.toBe(made);
    expect(oncePerList(remembered, Object.freeze([...list]), { tier: "full" }, () => ({}))).not.toBe(made);
  });

  it("makes again what comes from a list or a tool that can change", () => {
    const remembered: PerList<object> = new WeakMap();
    const changing = { name: "a", inputSchema: Object.freeze({}) };
    const withChangingSchema = Object.freeze({ name: "a", inputSchema: {} });
    for (const list of [[tool("a")], ...[[changing], [withChangingSchema], [tool("b"), changing]].map((tools) => Object.freeze(tools))])
      expect(oncePerList(remembered, list, {}, () => ({}))).not.toBe(oncePerList(remembered, list, {}, () => ({})));
  });

  it("gives out what nobody can change for the next one", () => {
    const made = oncePerList(new WeakMap(), Object.freeze([tool("a")]), {}, () => ({ text: "a" }));
    expect(Object.isFrozen(made)).toBe(true);
  });

  it("remembers what a failing maker did not make as nothing", () => {
    const remembered: PerList<object> = new WeakMap();
    const list = Object.freeze([tool("a")]);
    expect(() =>
      oncePerList(remembered, list, {}, () => {
        throw new Error("not now");
      }),
    ).toThrow("not now");
    expect(oncePerList(remembered, list, {}, () => ({ text: "a" }))).toEqual({ text: "a" });
  });

  it("is bounded for one list", () => {
    const remembered: PerList<object> = new WeakMap();
    const list = Object.freeze([tool("a")]);
    for (let number = 0; number < 1_000; number++) oncePerList(remembered, list, { number }, () => ({}));
    expect(remembered.get(list)!.size).toBeLessThanOrEqual(64);
  });
});
