import fc from "fast-check";
import { sized } from "@toolrack/testkit/sized";
import { describe, expect, it } from "vitest";
import { createRegistry } from "../../src/registry/create.ts";
import { readPolicyConfig } from "../../src/policy/config/config.ts";
import { decideCall } from "../../src/policy/calls/decide.ts";
import { compileCallRules, type ConditionRule } from "../../src/policy/calls/rules.ts";
import { createCelEngine } from "../../src/policy/conditions/cel.ts";
import { decideTools, policyParts } from "../../src/policy/decide/decide.ts";
import { decideOne } from "../../src/policy/decide/decide-with.ts";
import { indexTools } from "../../src/policy/entries/indexed-tools.ts";
import { explainTool } from "../../src/policy/explain/explain.ts";
import { inheritTools } from "../../src/policy/gates/inherited.ts";
import type { PolicyTool, StepId, ToolPolicy, ToolPolicyStep } from "../../src/policy/policy.ts";
import { toSentence } from "../../src/policy/sentence.ts";
import type { Caller } from "../../src/tool/context.ts";
import { withRegistration } from "../../src/tool/registered.ts";
import { defineTool } from "../../src/tool/tool.ts";
import { pluginTool, step, toolsNamed } from "./tools.ts";

interface Rename {
  readonly to: string;
  readonly groups: readonly string[];
  readonly isConfirmed: boolean;
}

/** The tool as an overlay shows it. */
function renamed(tool: PolicyTool, { to, groups, isConfirmed }: Rename): PolicyTool {
  const metadata = groups.length === 0 ? tool.metadata : { ...tool.metadata, groups: [...(tool.metadata?.groups ?? []), ...groups] };
  return withRegistration({ name: to, ...(metadata && { metadata }) }, { name: tool.name, isConfirmed, addedGroups: groups });
}

const calculator = (isConfirmed = false): PolicyTool => renamed({ name: "exec" }, { to: "calculator", groups: [], isConfirmed });

function decide(tool: PolicyTool, policy: ToolPolicy, caller: Caller = {}) {
  return decideTools({ tools: [tool, ...toolsNamed("read", "calc")], steps: [step(policy)], caller }).decisions.get(tool.name)!;
}

const engine = createCelEngine();

function outcomeOf(tool: PolicyTool, conditions: readonly ConditionRule[], input: unknown = {}): string {
  const rules = compileCallRules([{ label: "tools", conditions }], { engine });
  return decideCall({ tool, input, caller: {}, rules }).outcome;
}

const names = "read exec web_search notes cron calculator process shown".split(" ");
const everyTool: readonly PolicyTool[] = [
  ...toolsNamed("read", "exec", "web_search", "notes", "cron"),
  { name: "deploy", metadata: { groups: ["ops"] } },
  { name: "audit", metadata: { profiles: ["mine"] } },
  pluginTool("linear_search", "Linear"),
  pluginTool("steal", "read"),
  pluginTool("odd", "calculator"),
  { name: "extra", metadata: { pluginId: "voice", optionality: "optional" } },
];
const entry = fc.constantFrom(
  ...names,
  ...everyTool.map(({ name }) => name),
  ..."linear voice * c* *e* *_search group:fs group:runtime group:ops group:mine group:plugins nothing bash".split(" "),
);
const list = fc.option(fc.array(entry, { maxLength: 4 }), { nil: undefined });
const anyStep: fc.Arbitrary<ToolPolicyStep> = fc
  .record({
    id: fc.constantFrom<StepId>("profile", "global", "agent", "sandbox"),
    allow: list,
    alsoAllow: list,
    deny: list,
    ask: list,
    profile: fc.option(fc.constantFrom("mine", "none"), { nil: undefined }),
    analyse: fc.boolean(),
    strict: fc.boolean(),
  })
  .map((one) => ({ label: one.id, ...one }));
const condition = fc.constantFrom("true", "false", 'tool == "exec"', 'tool != "exec"', 'tool == "calculator"', "n > 1", "missing.x == 1");
const anyRule: fc.Arbitrary<ConditionRule> = fc
  .tuple(entry, fc.constantFrom("allow", "deny", "ask"), condition)
  .map(([tool, effect, text]) => ({ tool, [effect]: text }));
const anyCaller: fc.Arbitrary<Caller> = fc
  .option(fc.array(fc.constantFrom(...names, "c*", "deploy"), { maxLength: 4 }), { nil: undefined })
  .map((inherited) => (inherited === undefined ? {} : { inherited: Object.freeze(inherited) }));

/** Some of the tools under names that no two of them share, some of which another tool of them had before. */
const anyRenames = (isConfirmed: fc.Arbitrary<boolean>) =>
  fc
    .record({
      to: fc.shuffledSubarray([...new Set([...names, ...everyTool.map(({ name }) => name)])], { minLength: everyTool.length }),
      kept: fc.array(fc.boolean(), { minLength: everyTool.length, maxLength: everyTool.length }),
      groups: fc.array(fc.subarray(["ops", "mine", "fs"], { maxLength: 1 }), { minLength: everyTool.length, maxLength: everyTool.length }),
      isConfirmed,
    })
    .map(({ to, kept, groups, isConfirmed: confirmed }) => {
      const taken = new Set(everyTool.filter((_, index) => kept[index]).map(({ name }) => name));
      const free = to.filter((name) => !taken.has(name));
      return everyTool.map((tool, index) =>
        kept[index] ? tool : renamed(tool, { to: free.pop() ?? `left_${index}`, groups: groups[index]!, isConfirmed: confirmed }),
      );
    });

describe("a tool that was renamed", () => {
  it("TD1: never lets a caller do what the registered name did not, unless an admin stands for the name", () => {
    fc.assert(
      fc.property(
        anyRenames(fc.constant(false)),
        fc.array(anyStep, { maxLength: 3 }),
        fc.array(anyRule, { maxLength: 4 }),
        anyCaller,
        (tools, steps, conditions, caller) => {
          const rules = compileCallRules([{ label: "tools", conditions }], { engine });
          const before = decideTools({ tools: everyTool, steps, caller, rules }).decisions;
          const after = decideTools({ tools, steps, caller, rules }).decisions;
          const strictness = { allow: 0, ask: 1, deny: 2 };
          for (const [index, tool] of tools.entries()) {
            const [was, is] = [before.get(everyTool[index]!.name)!, after.get(tool.name)!];
            if (is.allowed) expect(was.allowed, tool.name).toBe(true);
            const call = { input: { n: 2 }, caller, rules };
            const then = decideCall({ ...call, tool: everyTool[index]!, decision: was }).outcome;
            const now = decideCall({ ...call, tool, decision: is }).outcome;
            expect(strictness[now], tool.name).toBeGreaterThanOrEqual(strictness[then]);
          }
        },
      ),
      { numRuns: sized(300, 1_500) },
    );
  });

  it("is decided alone as it is decided among all tools", () => {
    fc.assert(
      fc.property(anyRenames(fc.boolean()), fc.array(anyStep, { maxLength: 3 }), (tools, steps) => {
        const { decisions } = decideTools({ tools, steps });
        const among = [indexTools(tools)];
        for (const tool of tools)
          expect(decideOne(indexTools([tool]), among, { steps }, policyParts), tool.name).toEqual(decisions.get(tool.name));
      }),
      { numRuns: sized(150, 400) },
    );
  });

  it.each<[string, ToolPolicy]>([
    ["its registered name", { deny: ["exec"] }],
    ["another spelling of that", { deny: [" Bash "] }],
    ["a group of the catalog", { deny: ["group:runtime"] }],
    ["a glob", { deny: ["ex*"] }],
    ["the name that it shows", { deny: ["calculator"] }],
  ])("TD1: is denied by %s", (_, policy) => {
    expect(decide(calculator(), policy)).toMatchObject({ allowed: false, rule: "deny" });
    expect(decide(calculator(true), policy)).toMatchObject({ allowed: false, rule: "deny" });
  });

  it("TD1: is asked about under each of its names", () => {
    expect(decide(calculator(), { ask: ["exec"] }).ask).toMatchObject({ entry: "exec", matched: "exec" });
    expect(decide(calculator(), { ask: ["calculator"] }).ask).toMatchObject({ matched: "calculator" });
  });

  it("TD1: is allowed by its registered name, and by the shown one only if an admin stands for it", () => {
    expect(decide(calculator(), { allow: ["calculator"] })).toMatchObject({ allowed: false, rule: "not-in-allow" });
    expect(decide(calculator(), { allow: ["calc*"] }).allowed).toBe(false);
    expect(decide(calculator(), { allow: ["exec"] })).toMatchObject({ allowed: true, matched: "exec" });
    expect(decide(calculator(true), { allow: ["calculator"] })).toMatchObject({ allowed: true, matched: "calculator" });
  });

  it("is not allowed by its registered name where another tool is shown under that, and is still restricted by it", () => {
    const tools = [calculator(true), ...toolsNamed("exec", "read")];
    const decisions = (policy: ToolPolicy) => decideTools({ tools, steps: [step(policy)] }).decisions;
    for (const entry of ["exec", "bash", "ex*", "group:runtime"]) {
      const allowed = decisions({ allow: [entry] });
      expect([allowed.get("calculator")!.allowed, allowed.get("exec")!.allowed], entry).toEqual([false, true]);
      const denied = decisions({ deny: [entry] });
      expect([denied.get("calculator")!.allowed, denied.get("exec")!.allowed], entry).toEqual([false, false]);
    }
    expect(decisions({ allow: ["calculator"] }).get("calculator")!.allowed).toBe(true);
    expect(decisions({ allow: ["*"] }).get("calculator")!.allowed).toBe(true);
    expect(decisions({ ask: ["exec"] }).get("calculator")!.ask).toMatchObject({ entry: "exec" });
  });

  it("gains nothing from a group that nobody stands for, and is restricted by it", () => {
    const inGroup = (isConfirmed: boolean): PolicyTool => renamed({ name: "exec" }, { to: "exec", groups: ["fs"], isConfirmed });
    expect(decide(inGroup(false), { allow: ["group:fs"] }).allowed).toBe(false);
    expect(decide(inGroup(false), { deny: ["group:fs"] }).allowed).toBe(false);
    expect(decide(inGroup(true), { allow: ["group:fs"] }).allowed).toBe(true);
  });

  it("TD1: does not lose a condition of its registered name, nor gains by one of the other", () => {
    const onlyGit = { tool: "exec", allow: 'program == "git"' };
    expect(outcomeOf(calculator(), [onlyGit], { program: "rm" })).toBe("deny");
    expect(outcomeOf(calculator(), [onlyGit, { tool: "calculator", allow: "true" }], { program: "rm" })).toBe("deny");
    expect(outcomeOf(calculator(), [onlyGit, { tool: "calculator", allow: "false" }], { program: "git" })).toBe("deny");
    expect(outcomeOf(calculator(), [onlyGit], { program: "git" })).toBe("allow");
    expect(outcomeOf(calculator(true), [onlyGit, { tool: "calculator", allow: "true" }], { program: "rm" })).toBe("allow");
    expect(outcomeOf(calculator(true), [{ tool: "exec", deny: "true" }])).toBe("deny");
  });

  it("TD1: has each of its names in the variable `tool` of a condition", () => {
    expect(outcomeOf(calculator(), [{ tool: "*", deny: 'tool == "exec"' }])).toBe("deny");
    expect(outcomeOf(calculator(), [{ tool: "*", ask: 'tool == "calculator"' }])).toBe("ask");
    expect(outcomeOf(calculator(), [{ tool: "*", allow: 'tool != "exec"' }])).toBe("deny");
    expect(outcomeOf(calculator(), [{ tool: "*", allow: 'tool == "calculator"' }])).toBe("deny");
    expect(outcomeOf(calculator(true), [{ tool: "*", allow: 'tool == "calculator"' }])).toBe("allow");
  });

  it("TD1: still runs programs, so that a path rule for it cannot be enforced", () => {
    const { decisions } = decideTools({
      tools: [calculator(true)],
      steps: [],
      rules: compileCallRules([{ label: "tools", paths: [{ tool: "*", deny: [".env"] }] }]),
    });
    expect(decisions.get("calculator")).toMatchObject({ allowed: false, rule: "path-rule" });
  });

  it("TD1: keeps the path rules of its registered name", () => {
    const reader = renamed({ name: "read" }, { to: "notes", groups: [], isConfirmed: true });
    const rules = compileCallRules([{ label: "tools", paths: [{ tool: "read", deny: [".env"] }] }]);
    expect(decideCall({ tool: reader, input: { path: ".env" }, caller: {}, rules }).outcome).toBe("deny");
    expect(decideCall({ tool: reader, input: { path: "a.txt" }, caller: {}, rules }).outcome).toBe("allow");
  });

  it("is inherited by its source and registered name, which no other tool has", () => {
    const shown = {
      ...calculator(true),
      ...withRegistration({ name: "calculator" }, { name: "exec", source: "mcp:x", isConfirmed: true }),
    };
    const { inherited } = inheritTools([shown]);
    expect(inherited).toEqual(["mcp:x/exec"]);
    expect(decide(shown, {}, { inherited }).allowed).toBe(true);
    for (const entry of ["exec", "calculator", "mcp:y/exec"])
      expect(decide(shown, {}, { inherited: [entry] }), entry).toMatchObject({ allowed: false, rule: "inherited" });
    const plain = toolsNamed("exec")[0]!;
    expect(decide(plain, {}, { inherited }).allowed).toBe(false);
    expect(inheritTools([plain]).inherited).toEqual(["exec"]);
  });

  it("is asked for by the name that it shows, and by its registered one where no other tool is shown under that", () => {
    expect(inheritTools([calculator(), { name: "read" }], ["calc*"]).inherited).toEqual(["/exec"]);
    expect(inheritTools([calculator(), { name: "read" }], ["exec"]).inherited).toEqual(["/exec"]);
    expect(inheritTools([calculator(), { name: "exec" }], ["exec"]).inherited).toEqual(["exec"]);
  });

  it("is explained by either name, and the sentences say which one matched", () => {
    const tools = [calculator(), ...toolsNamed("read")];
    const denied = explainTool("exec", { tools, steps: [step({ deny: ["group:runtime"] })] });
    expect(denied).toMatchObject({ name: "calculator", known: true, allowed: false });
    expect(denied.sentences[0]).toBe("`calculator` is hidden by `group:runtime` in tools.deny, which matches its name `exec`.");
    const missing = explainTool("calculator", { tools, steps: [step({ allow: ["calculator", "read"] })] });
    expect(missing.sentences).toEqual([
      "`calculator` is hidden: no entry in tools.allow matches `exec`, the name that its source registered; the other one does not count until an admin confirms the overlay that gave it.",
      'Add "exec" to tools.allow.',
    ]);
    const allowed = decideTools({ tools: [calculator(true)], steps: [step({ allow: ["calculator"], ask: ["exec"] })] });
    expect(toSentence(allowed.decisions.get("calculator")!)).toBe(
      "`calculator` is allowed by `calculator` in tools.allow, which matches its name `calculator`; each call needs a person's approval because of `exec` in tools.ask, which matches its name `exec`.",
    );
  });

  it("is known to the entries that name it in either way, so that nothing warns of them", () => {
    const kinds = (policy: ToolPolicy) =>
      decideTools({ tools: [calculator(), { name: "read" }], steps: [step(policy)] }).warnings.map(({ kind }) => kind);
    expect(kinds({ deny: ["exec", "calculator"] })).toEqual([]);
    expect(kinds({ allow: ["exec", "calculator"] })).toEqual(["unknown-allow"]);
  });
});

describe("a registry with a renamed tool", () => {
  const plain = defineTool({ name: "exec", description: "Runs a program.", inputSchema: { type: "object" }, handler: () => "ran" });

  it("keeps the registered name in copies of the definition, and counts its calls under it", async () => {
    const registry = createRegistry({ limits: { rate: [{ tool: "exec", calls: 1, perMs: 60_000, by: "tool" }] } });
    const shown = withRegistration({ ...plain, name: "calculator" }, { name: "exec", isConfirmed: false });
    registry.register(defineTool({ ...defineTool(shown) }));
    registry.setPolicy(readPolicyConfig({ agents: { helper: { tools: { allow: ["calculator"] } } } }));
    expect(registry.view({ agent: "helper" }).tools).toEqual([]);
    expect(await registry.invoke("calculator", {}, { caller: { agent: "helper" } })).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
    registry.setPolicy(readPolicyConfig({}));
    expect((await registry.invoke("calculator", {})).ok).toBe(true);
    expect(await registry.invoke("calculator", {})).toMatchObject({ ok: false, code: "RATE_LIMITED" });
  });
});
