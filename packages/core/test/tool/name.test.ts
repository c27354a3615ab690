import { describe, expect, it } from "vitest";
import { assertToolName, isToolName, normalizeToolName } from "../../src/tool/name.ts";

describe("tool names", () => {
  it("are 1 to 128 letters, digits, underscores, dots and dashes", () => {
    for (const name of ["a", "search.web_v2-beta", "A".repeat(128), "constructor", "__proto__"]) expect(isToolName(name), name).toBe(true);
    for (const name of ["", "a b", "a/b", "ä", "a\n", "A".repeat(129), 5, null, undefined])
      expect(isToolName(name), String(name)).toBe(false);
  });

  it("that are wrong are refused with the name, shortened, and the rule", () => {
    expect(() => assertToolName("a b")).toThrow('"a b" cannot name a tool. Use 1 to 128 of the characters A-Z a-z 0-9 _ . -');
    expect(() => assertToolName("é".repeat(1_000))).toThrow(
      expect.objectContaining({ code: "NAME_INVALID", message: expect.stringMatching(/^.{0,220}$/) }),
    );
    for (const odd of [Object.create(null), Symbol("s"), 5n]) expect(() => assertToolName(odd)).toThrow(/cannot name a tool/);
  });

  it("are compared by policies trimmed, in lower case, and without aliases", () => {
    expect([" Bash ", "apply-patch", "Read", "constructor"].map(normalizeToolName)).toEqual(["exec", "apply_patch", "read", "constructor"]);
  });
});
