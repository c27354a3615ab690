import { describe, expect, it } from "vitest";
import type { CallRules } from "../../../src/policy/calls/rules.ts";
import { createPathCheck } from "../../../src/policy/calls/path-check.ts";
import type { PathRule } from "../../../src/policy/paths/rules.ts";
import type { PathResolver } from "../../../src/policy/paths/resolve.ts";

const tool = { name: "grep" };
const plain: PathResolver = (path) => (path === "." ? "/work" : path);

function checkOf(rules: readonly PathRule[], resolve = plain): (path: string) => string | undefined {
  const paths = rules.map((rule, index) => ({ rule, location: { label: `tools.paths[${index}]` } }));
  const check = createPathCheck(tool, { for: () => [{ paths }] } as unknown as CallRules, resolve)!;
  return (path) => check(path, path);
}

describe("the path rules for what a tool opens", () => {
  it("SD4: hold every one, and not the first alone", () => {
    const check = checkOf([
      { tool: "grep", deny: [".env"] },
      { tool: "grep", deny: ["*.key"] },
    ]);
    expect(check("/place/a.txt")).toBeUndefined();
    expect(check("/place/.env")).toContain("tools.paths[0]");
    expect(check("/place/a.key")).toContain("tools.paths[1]");
  });

  it("SD4: refuse everything where a rule cannot be held against paths", () => {
    const check = checkOf([{ tool: "grep", deny: [".env"] }], () => {
      throw new Error("the disk is gone");
    });
    expect(check("/place/a.txt")).toContain("cannot be checked: the disk is gone");
  });
});
