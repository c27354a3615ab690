import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import { checksOf } from "../../../src/policy/calls/checks.ts";
import { createPathCheck, pathSentence } from "../../../src/policy/calls/path-check.ts";
import { compileCallRules } from "../../../src/policy/calls/rules.ts";
import { findPathFault, isEnforceable, type PathRule } from "../../../src/policy/paths/rules.ts";
import type { PathResolver } from "../../../src/policy/paths/resolve.ts";
import { toAbsolute } from "../../../src/policy/paths/resolve.ts";
import { resolve as simplify } from "node:path";

const links: PathResolver = (path) => simplify(toAbsolute(path, "/work")).replace(/^\/work\/link(?=\/|$)/, "/private/place");
const faultOf = (rule: Partial<PathRule>, input: unknown, tool = { name: "read" }): unknown =>
  findPathFault({ tool: "read", ...rule }, tool, input, links);

describe("a path rule", () => {
  it.each<[deny: string, path: string, isDenied: boolean]>([
    [".env", ".env", true],
    [".env", "a/.ENV", true],
    [".env", ".env/a", true],
    [".env", ".env.", true],
    [".env", ".env ", true],
    [".env", ".env:stream", true],
    [".env", "a.env", false],
    [".env", "/other/.env/a", true],
    ["work", "a.txt", false],
    ["work", "/other/work/a", true],
    ["*.key", "a/b.key", true],
    ["secret/", "secret", true],
    ["secret/", "secret/a/b", true],
    ["secret/", "Secret/a", true],
    ["secret/", "secrets/a", false],
    ["secret/", "a/secret/b", false],
    ["./link/", "link/a", true],
    ["./link/", "/private/place/a", true],
    ["/private/*/a", "link/a", true],
    ["/private/*/a", "link/b", false],
    ["/etc/", "/etc/passwd", true],
    ["~/.ssh/", `${homedir()}/.ssh/id`, true],
    ["/*", "/anything", true],
  ])("that denies %s: %s is denied: %s", (pattern, path, isDenied) => {
    const expected = isDenied ? { reason: `the path ${JSON.stringify(path)} leads to a denied location`, entry: pattern } : undefined;
    expect(faultOf({ deny: [pattern] }, { path })).toEqual(expected);
  });

  it.each<[allow: string, path: string, isAllowed: boolean]>([
    ["*.md", "a/b.md", true],
    ["*.md", "a.md/b", false],
    ["*.md", "a.MD", false],
    ["docs/", "docs/a/b", true],
    ["docs/", "docs", true],
    ["docs/", "Docs/a", false],
    ["docs/", "docs/../a", false],
    ["link/", "link/a", true],
    ["./docs/*.md", "docs/a.md", true],
    ["./docs/*.md", "docs/a.txt", false],
  ])("that allows %s: %s is allowed: %s", (pattern, path, isAllowed) => {
    const expected = isAllowed ? undefined : { reason: `the path ${JSON.stringify(path)} is not among the allowed ones` };
    expect(faultOf({ allow: [pattern] }, { path })).toEqual(expected);
  });

  it('looks into the parameters that it names, into those that the tool names, and else into "path"', () => {
    const deny = ["a"];
    const denied = { reason: 'the path "a" leads to a denied location', entry: "a" };
    expect(faultOf({ deny }, { path: "a" })).toEqual(denied);
    expect(faultOf({ deny }, { file: "a" })).toBeUndefined();
    expect(faultOf({ deny, parameters: ["file"] }, { file: "a", path: "b" })).toEqual(denied);
    expect(faultOf({ deny, parameters: ["file"] }, { file: "b", path: "a" })).toBeUndefined();
    const tool = { name: "read", metadata: { paths: ["from"] } };
    expect(faultOf({ deny }, { from: "a" }, tool)).toEqual(denied);
    expect(faultOf({ deny }, { path: "a" }, tool)).toBeUndefined();
  });

  it.each<[string, unknown, readonly string[]]>([
    ["in a list", { path: ["b", "a"] }, ["path"]],
    ["below a name", { edits: { path: "a" } }, ["edits.path"]],
    ["in each of a list", { edits: [{ path: "b" }, { path: "a" }] }, ["edits.path"]],
    ["under a name that has a dot itself", { "edits.path": "a" }, ["edits.path"]],
    ["however deep it lies", { path: { one: [{ two: "a" }] } }, ["path"]],
    ["in the second parameter", { from: "b", to: "a" }, ["from", "to"]],
  ])("finds a path %s", (_where, input, parameters) => {
    expect(faultOf({ deny: ["a"], parameters }, input)).toMatchObject({ entry: "a" });
  });

  it("does not find what an object inherits, or what is no text, and ends where values lead to themselves", () => {
    const circular: Record<string, unknown> = { number: 1, nothing: null };
    circular["self"] = circular;
    expect(faultOf({ deny: ["*"] }, { path: circular })).toBeUndefined();
    expect(faultOf({ deny: ["*"], parameters: ["constructor.name", "toString"] }, {})).toBeUndefined();
    for (const input of [null, 1, "a", []]) expect(faultOf({ deny: ["*"] }, input)).toBeUndefined();
  });

  it("that allows only some paths refuses a call that names none", () => {
    expect(faultOf({ allow: ["*"] }, {})).toEqual({ reason: "only some paths are allowed, and the call names none in path" });
    expect(faultOf({ allow: ["*"], parameters: ["from", "to"] }, {})).toEqual({
      reason: "only some paths are allowed, and the call names none in from, to",
    });
    expect(faultOf({ allow: ["*"], parameters: [] }, { path: "a" })).toEqual({
      reason: "only some paths are allowed, and the call names none",
    });
  });

  it("is held against a thousand paths of a call, and no more", () => {
    const paths = (count: number): unknown => ({ path: Array.from({ length: count }, (_, index) => `p${index}`) });
    expect(faultOf({ deny: ["x"] }, paths(1_000))).toBeUndefined();
    expect(faultOf({ deny: ["x"] }, paths(1_001))).toEqual({ reason: "the call names more than 1000 paths" });
  });

  it("refuses what cannot be checked, and shows no more than the beginning of it", () => {
    const long = `${"a".repeat(200)}b`;
    expect(faultOf({ deny: ["x"] }, { path: "a\0b" })).toEqual({
      reason: 'the path "a\\u0000b" cannot be checked: the path holds a null character',
    });
    expect(faultOf({ allow: ["x"] }, { path: long })).toEqual({
      reason: `the path "${"a".repeat(200)}…" is not among the allowed ones`,
    });
    expect(faultOf({ allow: ["x"] }, { path: "a".repeat(200) })).toEqual({
      reason: `the path "${"a".repeat(200)}" is not among the allowed ones`,
    });
  });

  it("cannot be enforced for tools that run programs, unless it names the parameters", () => {
    const reason =
      "a path rule cannot be enforced for a tool that runs programs; name other tools in the rule, or the parameters that it is about";
    for (const tool of [
      { name: "exec" },
      { name: "mine", metadata: { groups: ["runtime"] } },
      { name: "mine", metadata: { groups: ["a", "group:runtime"] } },
    ]) {
      expect(isEnforceable({ tool: "*" }, tool)).toBe(false);
      expect(isEnforceable({ tool: "*", parameters: ["path"] }, tool)).toBe(true);
      expect(faultOf({ deny: ["a"] }, { path: "b" }, tool)).toEqual({ reason });
    }
    for (const tool of [{ name: "read" }, { name: "mine", metadata: { groups: ["fs"] } }])
      expect(isEnforceable({ tool: "*" }, tool)).toBe(true);
  });
});

describe("the rules over arguments of a tool", () => {
  const rules = compileCallRules(
    [
      {
        label: "tools",
        paths: [
          { tool: "read", deny: [".env", "*.key"] },
          { tool: "read", allow: ["docs/"], deny: ["docs/x"] },
          { tool: "write", allow: ["*.md", "*.txt"] },
        ],
        conditions: [{ tool: "read", allow: "a", deny: "b", ask: "c" }],
        locationOf: (list, position) => ({ label: `tools.${list}[${position}]`, ...(list === "paths" && { source: `line ${position}` }) }),
      },
    ],
    { engine: { compile: () => () => true } },
  );

  it("are told before a call is made, each with its place", () => {
    expect(checksOf({ name: "read" }, rules)).toEqual([
      { label: "tools.paths[0]", source: "line 0", text: "no path that matches `.env` or `*.key`" },
      { label: "tools.paths[1]", source: "line 1", text: "only paths that match `docs/`, and no path that matches `docs/x`" },
      { label: "tools.conditions[0]", text: "only where `a`" },
      { label: "tools.conditions[0]", text: "never where `b`" },
      { label: "tools.conditions[0]", text: "with a person's approval where `c`" },
    ]);
    expect(checksOf({ name: "write" }, rules)).toEqual([
      { label: "tools.paths[2]", source: "line 2", text: "only paths that match `*.md` or `*.txt`" },
    ]);
    expect(checksOf({ name: "other" }, rules)).toEqual([]);
    expect(rules.hasPaths).toBe(true);
    expect(rules.named.map(({ entry, label }) => [entry.name, label])).toEqual([
      ["read", "tools.paths[0]"],
      ["read", "tools.paths[1]"],
      ["write", "tools.paths[2]"],
      ["read", "tools.conditions[0]"],
    ]);
  });

  it("are held against the files that it opens, by the name that was given and by the real one", () => {
    const check = createPathCheck({ name: "read" }, rules, links)!;
    expect(check("/work/docs/a", "/work/docs/a")).toBeUndefined();
    const denied = (shown: string): string =>
      `The call of \`read\` is refused by \`.env\` in tools.paths[0] (line 0): the path "${shown}" leads to a denied location.`;
    expect(check("/work/docs/.env", "/work/docs/other")).toBe(denied("/work/docs/.env"));
    expect(check("/work/docs/other", "/work/docs/.env")).toBe(denied("/work/docs/other"));
    expect(check("/work/docs/other", "/work/docs/.env", "shown")).toBe(denied("shown"));
    expect(check("/work/docs/a", "/elsewhere/a")).toBe(
      'The call of `read` is refused by tools.paths[1] (line 1): the path "/work/docs/a" is not among the allowed ones.',
    );
    expect(createPathCheck({ name: "other" }, rules, links)).toBeUndefined();
    expect(pathSentence({ name: "read" }, { label: "tools.paths[0]" }, { reason: "why" })).toBe(
      "The call of `read` is refused by tools.paths[0]: why.",
    );
  });

  it("are kept for so many tools, and found anew after that", () => {
    let asked = 0;
    const few = compileCallRules([{ label: "tools", paths: [{ tool: "*", deny: ["a"] }] }], { maxKept: 2 });
    const tools = ["one", "two", "three"].map((name) => ({
      get name() {
        asked += 1;
        return name;
      },
    }));
    const found = tools.map((tool) => few.for(tool));
    for (const rules of found) expect(rules).toHaveLength(1);
    expect(few.for(tools[2]!)).toBe(found[2]);
    const before = asked;
    expect(few.for(tools[0]!)).not.toBe(found[0]);
    expect(asked).toBeGreaterThan(before);
    expect(compileCallRules([]).for({ name: "a" })).toEqual([]);
    expect(compileCallRules([{ label: "tools" }]).hasPaths).toBe(false);
  });

  it("need an engine if there are conditions, and say so with their place", () => {
    expect(() =>
      compileCallRules([
        { label: "tools", conditions: [{ tool: "a", deny: "x" }], locationOf: () => ({ label: "here", source: "line 3" }) },
      ]),
    ).toThrow(
      'The condition "x" at here (line 3) is refused: there is no engine to evaluate it; hand one in, for instance createCelEngine().',
    );
    const engine = {
      compile: () => {
        throw new Error("first line\nsecond line");
      },
    };
    expect(() => compileCallRules([{ label: "tools", conditions: [{ tool: "a", deny: "x" }] }], { engine })).toThrow(
      expect.objectContaining({
        code: "CONFIG_INVALID",
        message: 'The condition "x" at tools.conditions[0] is refused: first line.',
        cause: expect.any(Error),
      }),
    );
  });
});
