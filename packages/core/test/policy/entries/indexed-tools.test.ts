import { describe, expect, it } from "vitest";
import { indexTools, pickTool, pluginIdOf } from "../../../src/policy/entries/indexed-tools.ts";
import type { PolicyTool } from "../../../src/policy/policy.ts";

const tools: readonly PolicyTool[] = [
  { name: " Read " },
  { name: "bash" },
  { name: "voice", metadata: { pluginId: " Acme " } },
  { name: "sound", metadata: { pluginId: " Acme " } },
  { name: "grep", metadata: { groups: ["fs", "group:web", 5 as never], profiles: ["coding"] } },
  { name: "find", metadata: { groups: ["fs", "group:web", 5 as never], profiles: ["coding"] } },
  { name: "glob", metadata: { profiles: ["coding"] } },
  { name: "empty", metadata: { pluginId: "  " } },
  { name: "plain", metadata: {} },
  { name: "bash" },
];

describe("a list of tools as policies read it", () => {
  it("has each name in the form that is compared, and the origin of each, shared where it is the same", () => {
    const index = indexTools(tools);
    expect(index.tools).toEqual(tools);
    expect(index.names).toEqual(["read", "exec", "voice", "sound", "grep", "find", "glob", "empty", "plain", "exec"]);
    expect([...index.originOf]).toEqual([0, 0, 1, 1, 2, 2, 3, 4, 0, 0]);
    expect(index.origins).toEqual([
      { groups: [], profiles: [] },
      { pluginId: "acme", groups: [], profiles: [] },
      { groups: ["group:fs", "group:web"], profiles: ["coding"] },
      { groups: [], profiles: ["coding"] },
      { groups: [], profiles: [] },
    ]);
  });

  it("finds the first tool of an exact name, and all that entries can name", () => {
    const index = indexTools(tools);
    expect(index.positions.get("bash")).toBe(1);
    expect(index.positions.get(" Read ")).toBe(0);
    expect(index.positions.get("read")).toBeUndefined();
    expect(index.positions).toBe(index.positions);
    expect(index.known).toEqual({
      coreTools: new Set(["read", "exec", "grep", "find", "glob", "empty", "plain"]),
      pluginTools: new Set(["voice", "sound"]),
      plugins: new Set(["acme"]),
      groups: new Set(["group:fs", "group:web"]),
      profiles: new Set(["coding"]),
    });
    expect(index.known).toBe(index.known);
  });

  it("is one tool alone, with its own origin", () => {
    const one = pickTool(indexTools(tools), 4);
    expect(one.tools).toEqual([tools[4]]);
    expect(one.names).toEqual(["grep"]);
    expect([...one.originOf]).toEqual([0]);
    expect(one.origins).toEqual([{ groups: ["group:fs", "group:web"], profiles: ["coding"] }]);
    expect([...one.positions]).toEqual([["grep", 0]]);
  });

  it("is read once if it is frozen, and anew if it may have changed", () => {
    const frozen = Object.freeze([...tools]);
    expect(indexTools(frozen)).toBe(indexTools(frozen));
    const open = [...tools];
    const before = indexTools(open);
    open.push({ name: "later" });
    expect(before.tools).toHaveLength(tools.length);
    expect(indexTools(open).names).toContain("later");
  });

  it("is refused if it is no list, or if a tool has no name", () => {
    expect(() => indexTools({} as never)).toThrow(
      expect.objectContaining({ code: "POLICY_INVALID", message: "The tools that a policy is applied to must be a list." }),
    );
    for (const wrong of [undefined, null, {}, { name: 5 }])
      expect(() => indexTools([{ name: "a" }, wrong as never])).toThrow(
        expect.objectContaining({
          code: "POLICY_INVALID",
          message: "tools[1] has no name, so no policy can match it. Give every tool a name.",
        }),
      );
  });

  it("takes a plugin's id without case and spaces, and nothing else for one", () => {
    const idOf = (pluginId: unknown): string | undefined => pluginIdOf({ name: "a", metadata: { pluginId: pluginId as string } });
    expect([idOf(" Acme "), idOf(""), idOf("  "), idOf(5), idOf(undefined), pluginIdOf({ name: "a" })]).toEqual([
      "acme",
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
