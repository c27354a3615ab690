import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { cpuTime } from "@toolrack/testkit/cpu-time";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compileCallRules, type ConditionRule } from "../../../src/policy/calls/rules.ts";
import { createCelEngine } from "../../../src/policy/conditions/cel.ts";
import { policyFromConfig } from "../../../src/policy/config/config.ts";
import { type CallDecision, decideCall } from "../../../src/policy/calls/decide.ts";
import { decideTools } from "../../../src/policy/decide/decide.ts";
import type { PathRule } from "../../../src/policy/paths/rules.ts";
import type { PolicyTool } from "../../../src/policy/policy.ts";
import { createPathResolver } from "../../../src/policy/paths/resolve.ts";
import type { Caller } from "../../../src/tool/context.ts";
import { contentHash } from "../../../src/util/hash.ts";
import { pluginTool } from "../tools.ts";

describe("path rules", () => {
  let root = "";
  beforeAll(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "toolrack-paths-")));
    mkdirSync(join(root, "work", "sub"), { recursive: true });
    mkdirSync(join(root, "secrets"));
    for (const file of ["work/a.key", "work/a.txt", "work/notes.md", "secrets/plain.txt"]) writeFileSync(join(root, file), "");
    symlinkSync("a.key", join(root, "work", "link.txt"));
    symlinkSync(join(root, "secrets"), join(root, "work", "outside"));
    symlinkSync("missing.key", join(root, "work", "dangling.txt"));
    symlinkSync("loop", join(root, "work", "loop"));
    symlinkSync("sub", join(root, "work", "deep"));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  function decide(rule: PathRule, input: unknown, tool: PolicyTool = { name: "read" }): CallDecision {
    return decideCall({
      tool,
      input,
      caller: {},
      rules: compileCallRules([{ label: "tools", paths: [rule] }]),
      resolvePath: createPathResolver({ root: join(root, "work") }),
    });
  }

  const outcome = (rule: Omit<PathRule, "tool">, path: unknown): string => decide({ tool: "read", ...rule }, { path }).outcome;

  it.each([
    "a.key",
    "sub/../a.key",
    "./a.key",
    "A.KEY",
    "link.txt",
    "dangling.txt",
    "deep/../a.key",
    "not-yet.key",
    "a.key/inside",
    "%61.key",
    "sub/..%2fa.key",
    "a.key::$DATA",
    "a.key. ",
    "~/x.key",
    "file:///tmp/x.key",
    // row: E17
  ])("deny *.key blocks %s", (path) => {
    expect(outcome({ deny: ["*.key"] }, path)).toBe("deny");
  });

  it.each(["a.txt", "notes.md", "sub", "a.key.md", "keys"])("deny *.key lets %s pass", (path) => {
    expect(outcome({ deny: ["*.key"] }, path)).toBe("allow");
  });

  it("a pattern with a slash means a place and everything below it, also through a link", () => {
    expect(outcome({ deny: ["../secrets"] }, "outside/plain.txt")).toBe("deny");
    expect(outcome({ deny: [`${root}/secrets/*`] }, "../secrets/plain.txt")).toBe("deny");
    expect(outcome({ deny: ["outside/"] }, "../secrets/plain.txt")).toBe("deny");
    expect(outcome({ deny: ["../secret"] }, "../secrets/plain.txt")).toBe("allow");
    expect(outcome({ deny: ["~/.ssh"] }, `${homedir()}/.ssh/id`)).toBe("deny");
    expect(outcome({ deny: ["/"] }, "a.txt")).toBe("deny");
  });

  it("allow is held against where the path really leads", () => {
    expect(outcome({ allow: ["*.txt"] }, "a.txt")).toBe("allow");
    expect(outcome({ allow: ["*.txt"] }, "link.txt")).toBe("deny");
    expect(outcome({ allow: ["*.txt"] }, "a.TXT")).toBe("deny");
    expect(outcome({ allow: ["*.txt"] }, "a.txt/../a.key")).toBe("deny");
    expect(outcome({ allow: ["sub/*", "notes.md"] }, "sub/x")).toBe("allow");
    expect(outcome({ allow: ["./"] }, "outside/plain.txt")).toBe("deny");
    expect(outcome({ allow: ["./"] }, "sub/deeper/x")).toBe("allow");
    expect(outcome({ allow: ["*"], deny: ["*.md"] }, "notes.md")).toBe("deny");
  });

  it("the names above the starting place count only for paths that lead out of it", () => {
    expect(outcome({ deny: ["work"] }, "a.txt")).toBe("allow");
    expect(outcome({ deny: ["work"] }, "sub/work/a.txt")).toBe("deny");
    expect(outcome({ deny: ["secrets"] }, "../secrets/plain.txt")).toBe("deny");
  });

  it("what cannot be checked is refused", () => {
    expect(outcome({ deny: ["*.key"] }, "loop")).toBe("deny");
    expect(outcome({ deny: ["*.key"] }, "a\0.txt")).toBe("deny");
    expect(outcome({ deny: ["*.key"] }, "file://host/x")).toBe("deny");
    expect(outcome({ allow: ["*.txt"] }, undefined)).toBe("deny");
    expect(decide({ tool: "read", deny: ["*.key"] }, { path: Array.from({ length: 2_000 }, (_, index) => `f${index}`) }).outcome).toBe(
      "deny",
    );
  });

  it("a call without a path breaks no denial", () => {
    expect(outcome({ deny: ["*.key"] }, undefined)).toBe("allow");
    for (const input of [undefined, null, 5, "a.txt"]) {
      expect(decide({ tool: "read", deny: ["*.key"] }, input).outcome).toBe("allow");
      expect(decide({ tool: "read", allow: ["*.txt"] }, input).outcome).toBe("deny");
    }
  });

  it("SD4: a tool that runs programs is refused under a path rule, unless the rule names the parameters that it is about", () => {
    const programs = [
      { name: "exec" },
      { name: "git", metadata: { groups: ["runtime"] } },
      { name: "x", metadata: { groups: ["group:Runtime"] } },
    ];
    for (const program of programs) {
      const decide = (rule: PathRule) =>
        decideCall({ tool: program, input: { cwd: "src" }, caller: {}, rules: compileCallRules([{ label: "tools", paths: [rule] }]) });
      expect(decide({ tool: "*", deny: [".env"] }), program.name).toMatchObject({
        outcome: "deny",
        reason: expect.stringContaining("a path rule cannot be enforced for a tool that runs programs"),
      });
      expect(decide({ tool: "*", deny: [".env"], parameters: ["cwd"] }), program.name).toEqual({ outcome: "allow" });
      expect(decide({ tool: "*", deny: ["src"], parameters: ["cwd"] }), program.name).toMatchObject({ outcome: "deny" });
    }
  });

  it("every path of a call counts: the tool's parameters, the rule's, lists and objects", () => {
    const tool: PolicyTool = { name: "read", metadata: { paths: ["from", "to"] } };
    expect(decide({ tool: "read", deny: ["*.key"] }, { from: "a.txt", to: "b.key", path: "c.txt" }, tool).outcome).toBe("deny");
    expect(decide({ tool: "read", deny: ["*.key"] }, { from: "a.txt", path: "b.key" }, tool).outcome).toBe("allow");
    expect(
      decide({ tool: "read", deny: ["*.key"], parameters: ["edits.path"] }, { edits: [{ path: "a.txt" }, { path: "b.key" }] }).outcome,
    ).toBe("deny");
    expect(decide({ tool: "read", deny: ["*.key"] }, { path: { deep: ["b.key"] } }).outcome).toBe("deny");
  });

  it("the answer names file and line, where they are known", () => {
    const rules = compileCallRules(
      [
        {
          label: "tools",
          paths: [{ tool: "read", deny: ["*.key"] }],
          conditions: [{ tool: "exec", deny: "true" }],
          locationOf: (list, position) => ({ label: `tools.${list}[${position}]`, source: "policy.yaml:9" }),
        },
      ],
      { engine: createCelEngine() },
    );
    const reasonOf = (name: string, input: unknown): unknown => decideCall({ tool: { name }, input, caller: {}, rules });
    expect(reasonOf("read", { path: "b.key" })).toMatchObject({
      reason: expect.stringMatching(/^The call of `read` is refused by `\*\.key` in tools\.paths\[0\] \(policy\.yaml:9\): /) as string,
    });
    expect(reasonOf("exec", {})).toMatchObject({
      reason: "The call of `exec` is refused by tools.conditions[0] (policy.yaml:9): `true` is true.",
    });
  });

  it("the answer names the place and the pattern", () => {
    expect(decide({ tool: "group:fs", deny: ["*.key"] }, { path: "link.txt" })).toEqual({
      outcome: "deny",
      rule: "path",
      label: "tools.paths[0]",
      entry: "*.key",
      reason: 'The call of `read` is refused by `*.key` in tools.paths[0]: the path "link.txt" leads to a denied location.',
    });
  });
});

describe("conditions", () => {
  const exec: PolicyTool = { name: "exec" };

  function rulesOf(...conditions: readonly ConditionRule[]) {
    return compileCallRules([{ label: "tools", conditions }], { engine: createCelEngine() });
  }

  function decide(conditions: readonly ConditionRule[], input: unknown, caller: Caller = {}, tool: PolicyTool = exec): CallDecision {
    return decideCall({ tool, input, caller, rules: rulesOf(...conditions) });
  }

  const onlyGit: ConditionRule = { tool: "exec", allow: 'argv[0] == "git"' };

  it("exec runs only when argv[0] is git", () => {
    expect(decide([onlyGit], { argv: ["git", "status"] }).outcome).toBe("allow");
    expect(decide([onlyGit], { argv: ["rm", "-rf", "/"] }).outcome).toBe("deny");
    expect(decide([onlyGit], { argv: ["git; rm"] }).outcome).toBe("deny");
  });

  it.each([{}, { argv: [] }, { argv: "git" }, { argv: null }, { argv: 5 }, undefined, { input: { argv: ["git"] } }, { argv: [["git"]] }])(
    "a condition that cannot be told refuses %j",
    (input) => {
      expect(decide([onlyGit], input).outcome).toBe("deny");
      expect(decide([{ tool: "exec", deny: 'argv[0] == "rm"' }], { argv: undefined }).outcome).toBe("deny");
      expect(decide([{ tool: "exec", ask: 'argv[0] == "rm"' }], {}).outcome).toBe("deny");
    },
  );

  it("rules of one place that allow are alternatives, and every place must agree", () => {
    const alternatives: ConditionRule[] = [onlyGit, { tool: "exec", allow: 'argv[0] == "ls"' }];
    expect(decide(alternatives, { argv: ["ls"] }).outcome).toBe("allow");
    const places = [
      { label: "tools", conditions: alternatives },
      { label: "agents.a.tools", conditions: [{ tool: "exec", allow: "size(argv) == 1" }] },
    ];
    const rules = compileCallRules(places, { engine: createCelEngine() });
    expect(decideCall({ tool: exec, input: { argv: ["ls"] }, caller: {}, rules }).outcome).toBe("allow");
    expect(decideCall({ tool: exec, input: { argv: ["ls", "-a"] }, caller: {}, rules })).toMatchObject({
      outcome: "deny",
      label: "agents.a.tools.conditions[0]",
    });
  });

  it("a denial goes before a question, a question before a permission", () => {
    const rules: ConditionRule[] = [
      { tool: "exec", ask: 'argv.exists(word, word == "push")', reason: "Pushing is for everybody to see." },
      { tool: "exec", deny: '"--force" in argv' },
    ];
    expect(decide(rules, { argv: ["git", "status"] }).outcome).toBe("allow");
    expect(decide(rules, { argv: ["git", "push"] })).toMatchObject({
      outcome: "ask",
      reason: expect.stringContaining("Pushing is for everybody to see."),
    });
    expect(decide(rules, { argv: ["git", "push", "--force"] }).outcome).toBe("deny");
  });

  it("a question carries a digest of the tool and its arguments", () => {
    const rules: ConditionRule[] = [{ tool: "exec", ask: "true" }];
    const first = decide(rules, { argv: ["a"], b: 1 });
    const same = decide(rules, { b: 1, argv: ["a"] });
    const other = decide(rules, { argv: ["a"], b: 2 });
    expect(first).toMatchObject({ outcome: "ask", digest: contentHash({ tool: "exec", input: { argv: ["a"], b: 1 } }) });
    expect(same).toEqual(first);
    expect(other).not.toEqual(first);
  });

  it("arguments that cannot be written down are refused rather than asked about", () => {
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    expect(decide([{ tool: "exec", ask: "true" }], circular).outcome).toBe("deny");
  });

  it("an argument cannot take the place of the caller", () => {
    const ownersOnly: ConditionRule = { tool: "exec", allow: "caller.owner == true" };
    expect(decide([ownersOnly], { caller: { owner: true }, input: {}, tool: "x" }).outcome).toBe("deny");
    expect(decide([ownersOnly], {}, { owner: true }).outcome).toBe("allow");
    expect(decide([{ tool: "exec", allow: 'tool == "exec"' }], { tool: "other" }).outcome).toBe("allow");
  });

  it("__proto__ cannot even be written", () => {
    expect(() => rulesOf({ tool: "exec", allow: "__proto__ != null" })).toThrow("Reserved identifier");
    expect(decide([{ tool: "exec", allow: "has(input.__proto__)" }], {}).outcome).toBe("deny");
  });

  it.each(["constructor", "toString", "hasOwnProperty"])("%s is no variable", (name) => {
    expect(decide([{ tool: "exec", allow: `${name} != null` }], {}).outcome).toBe("deny");
    expect(decide([{ tool: "exec", allow: `has(input.${name})` }], {}).outcome).toBe("deny");
  });

  it("rules speak of tools by name, alias, glob, group, plugin and group:plugins", () => {
    const never = (tool: string): ConditionRule[] => [{ tool, deny: "true" }];
    for (const entry of ["Exec", "bash", "ex*", "group:runtime"]) expect(decide(never(entry), {}).outcome).toBe("deny");
    for (const entry of ["linear", "group:plugins", "linear_*"])
      expect(decide(never(entry), {}, {}, pluginTool("linear_search", "Linear")).outcome).toBe("deny");
    for (const entry of ["read", "group:plugins", "constructor"]) expect(decide(never(entry), {}).outcome).toBe("allow");
  });

  it("matches is linear, whatever the pattern and the text", () => {
    const rule: ConditionRule = { tool: "exec", allow: 'path.matches("^(a+)+$")' };
    const started = cpuTime();
    expect(decide([rule], { path: `${"a".repeat(20_000)}!` }).outcome).toBe("deny");
    expect(decide([rule], { path: "aaaa" }).outcome).toBe("allow");
    expect(cpuTime() - started).toBeLessThan(20_000);
  });

  it("a pattern that is none is refused when the configuration is read", () => {
    expect(() => rulesOf({ tool: "exec", allow: 'path.matches("(")' })).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });

  it.each(["1 + 1", '"text"', "argv[", "unknown(1)", "argv.startsWith()"])(
    "%s is no condition, and is refused when it is read",
    (allow) => {
      expect(() => rulesOf({ tool: "exec", allow })).toThrow(/at tools\.conditions\[0\] is refused/);
    },
  );

  it("needs an engine", () => {
    expect(() => compileCallRules([{ label: "tools", conditions: [onlyGit] }])).toThrow("createCelEngine()");
  });
});

describe("shell texts", () => {
  const compile = (rule: Omit<ConditionRule, "tool">): unknown =>
    compileCallRules([{ label: "tools", conditions: [{ tool: "exec", ...rule }] }], { engine: createCelEngine() });

  it.each([
    'command.startsWith("git ")',
    'input.command.startsWith("git")',
    'input["command"].startsWith("git")',
    'command.matches("^git ")',
    'command.split(" ")[0] == "git"',
    'command.substring(0, 3) == "git"',
    'command.indexOf("git") == 0',
    'command.lastIndexOf("git") == 0',
    'command.endsWith("git")',
    'command.contains("git")',
    '"git" in command',
    'command >= "git" && command < "giu"',
    '[command].exists(text, text.startsWith("git"))',
    'cel.bind(text, command, text.startsWith("git"))',
    'input.?command.orValue("").startsWith("git")',
    'shell_command.startsWith("git")',
    'cmd.trim().startsWith("git")',
  ])("are not trusted by a part of them: allow %s is refused with the reason", (allow) => {
    expect(() => compile({ allow })).toThrow(/a part does not tell what a shell will do: "git status; rm -rf \/" begins with "git"/);
  });

  it("may be compared as a whole, and other texts by any part", () => {
    for (const allow of [
      'command == "git status"',
      'command in ["ls", "pwd"]',
      'cwd.startsWith("/srv/")',
      "size(command) == 3",
      "command.size() == 3",
      'command.trim() == "ls"',
      'argv[0] == "git" && [cwd].exists(place, place.startsWith("/srv/"))',
    ]) {
      expect(() => compile({ allow })).not.toThrow();
    }
  });

  it("may be searched by rules that refuse or ask, but not at their beginning", () => {
    expect(() => compile({ deny: 'command.contains("rm -rf")' })).not.toThrow();
    expect(() => compile({ ask: 'command.matches("push")' })).not.toThrow();
    expect(() => compile({ deny: 'command.startsWith("rm")' })).toThrow("argv[0]");
    expect(() => compile({ ask: 'command.startsWith("git push")' })).toThrow("argv[0]");
  });
});

describe("a call under a configuration", () => {
  const config = {
    tools: { ask: ["write"], paths: [{ tool: "read", deny: ["*.key"] }], conditions: [{ tool: "exec", allow: 'argv[0] == "git"' }] },
    agents: { ops: { tools: { deny: ["read"], conditions: [{ tool: "exec", deny: '"push" in argv' }] } } },
  };
  const tools: PolicyTool[] = [{ name: "read" }, { name: "write" }, { name: "exec" }];

  function decide(name: string, input: unknown, caller: Caller = {}): CallDecision {
    const policy = policyFromConfig(config, caller, { locate: (path) => path.join("/") });
    const decision = decideTools({ ...policy, tools, caller }).decisions.get(name)!;
    return decideCall({ tool: tools.find((tool) => tool.name === name)!, input, caller, decision, rules: policy.rules });
  }

  it("is refused where the tool is hidden, with the same words", () => {
    expect(decide("read", { path: "a.txt" }, { agent: "ops" })).toMatchObject({
      outcome: "deny",
      rule: "policy",
      label: "agents.ops.tools.deny",
      reason: "`read` is hidden by `read` in agents.ops.tools.deny (agents/ops/tools/deny/0).",
    });
  });

  it("waits where the policy asks", () => {
    expect(decide("write", { path: "a.txt" })).toMatchObject({
      outcome: "ask",
      rule: "ask",
      label: "tools.ask",
      entry: "write",
      source: "tools/ask/0",
    });
  });

  it("is held against the rules for everybody and the agent's own", () => {
    expect(decide("read", { path: "a.key" })).toMatchObject({ outcome: "deny", label: "tools.paths[0]", source: "tools/paths/0" });
    expect(decide("exec", { argv: ["git", "push"] }).outcome).toBe("allow");
    expect(decide("exec", { argv: ["git", "push"] }, { agent: "ops" })).toMatchObject({
      outcome: "deny",
      label: "agents.ops.tools.conditions[0]",
    });
    expect(decide("exec", { argv: ["ls"] }, { agent: "ops" })).toMatchObject({ outcome: "deny", label: "tools.conditions[0]" });
  });

  it("is allowed where nothing speaks of it", () => {
    expect(decideCall({ tool: { name: "x" }, input: {}, caller: {} })).toEqual({ outcome: "allow" });
  });
});
