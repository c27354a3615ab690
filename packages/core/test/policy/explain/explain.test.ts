import { describe, expect, it } from "vitest";
import { readPolicyConfig } from "../../../src/policy/config/config.ts";
import type { PolicyConfig } from "../../../src/policy/config/shape.ts";
import { decideTools } from "../../../src/policy/decide/decide.ts";
import { diffPolicies } from "../../../src/policy/explain/diff.ts";
import { explainTool } from "../../../src/policy/explain/explain.ts";
import type { PolicyTool, ToolPolicyStep } from "../../../src/policy/policy.ts";
import { policyFromConfig } from "../../../src/policy/config/config.ts";
import { buildDefaultToolPolicyPipelineSteps } from "../../../src/policy/steps/steps.ts";
import { createRegistry } from "../../../src/registry/create.ts";
import { defineTool } from "../../../src/tool/tool.ts";
import { catalogTools, namesOf, pluginTool, step, toolsNamed } from "../tools.ts";

/** The same configuration with "web_fetch" in the list at this place. */
function withEntry(config: PolicyConfig, place: string): PolicyConfig {
  const copy = structuredClone(config) as Record<string, any>;
  const keys = place.split(".");
  const list = keys.pop()!;
  const holder = keys.reduce((at, key) => (at[key] ??= {}), copy);
  holder[list] = [...(holder[list] ?? []), "web_fetch"];
  return copy;
}

describe("the explanation of a tool", () => {
  it("names the place and the entry that hide it, and what to do", () => {
    const steps = buildDefaultToolPolicyPipelineSteps({ agentId: "support", agentPolicy: { deny: ["group:runtime"] } });
    const { decision, sentences, allowed, known } = explainTool("exec", { tools: catalogTools, steps });
    expect({ allowed, known }).toEqual({ allowed: false, known: true });
    expect(decision).toEqual({
      name: "exec",
      allowed: false,
      rule: "deny",
      step: "agent",
      label: "agents.support.tools.deny",
      entry: "group:runtime",
    });
    expect(sentences).toEqual([
      "`exec` is hidden by `group:runtime` in agents.support.tools.deny.",
      'Remove "group:runtime" from agents.support.tools.deny, or replace it with a narrower entry: no other list can override a deny.',
    ]);
  });

  it("tells every obstacle, not only the first, with its remedy", () => {
    const config = { tools: { profile: "minimal", deny: ["exec"] }, agents: { a: { tools: { allow: ["read"] } } } };
    const { steps } = policyFromConfig(config, { agent: "a" });
    const { sentences, trace } = explainTool("exec", { tools: catalogTools, steps });
    expect(trace.map(({ outcome, rule, label }) => [outcome, rule, label])).toEqual([
      ["hides", "not-in-allow", "tools.profile (minimal)"],
      ["hides", "deny", "tools.deny"],
      ["hides", "not-in-allow", "agents.a.tools.allow"],
    ]);
    expect(sentences).toEqual([
      "`exec` is hidden: no entry in tools.profile (minimal) matches it.",
      'Add "exec" to agents.a.tools.alsoAllow.',
      'It is also hidden by `exec` in tools.deny. Remove "exec" from tools.deny, or replace it with a narrower entry: no other list can override a deny.',
      'It is also hidden: no entry in agents.a.tools.allow matches it. Add "exec" to agents.a.tools.allow.',
    ]);
  });

  it.each<[string, PolicyConfig, object, string]>([
    ["an agent's", { agents: { a: { tools: { allow: ["read"] } } } }, {}, "agents.a.tools.allow"],
    ["the one for everybody", { tools: { allow: ["read"] } }, {}, "tools.allow"],
    ["a phase's", { phases: { plan: ["read"] } }, { phase: "plan" }, "phases.plan"],
    ["a profile's", { agents: { a: { tools: { profile: "minimal" } } } }, {}, "agents.a.tools.alsoAllow"],
    ["an own profile's", { profiles: { few: { allow: ["read"] } }, tools: { profile: "few" } }, {}, "tools.alsoAllow"],
    ["a sandbox's default", {}, { sandboxed: true }, "sandbox.tools.alsoAllow"],
    ["a sandbox's", { sandbox: { tools: { allow: ["read"] } } }, { sandboxed: true }, "sandbox.tools.allow"],
  ])("names the list to add a tool to, and adding it there helps: %s", (_, config, facts, place) => {
    const caller = { agent: "a", ...facts };
    const tools = toolsNamed("read", "web_fetch");
    const explain = (read: PolicyConfig): ReturnType<typeof explainTool> =>
      explainTool("web_fetch", { tools, caller, steps: policyFromConfig(read, caller).steps });
    expect(explain(config).sentences.at(-1)).toMatch(new RegExp(`Add "web_fetch" to ${place.replaceAll(".", "\\.")}\\.$`));
    expect(explain(withEntry(config, place)).allowed).toBe(true);
    expect(explainTool("read", { tools, caller, steps: policyFromConfig(config, caller).steps }).allowed).toBe(
      explainTool("read", { tools, caller, steps: policyFromConfig(withEntry(config, place), caller).steps }).allowed,
    );
  });

  it("tells which list overrides a denial that is a default, and that list does", () => {
    const caller = { agent: "a", sandboxed: true };
    const explain = (sandbox: object): ReturnType<typeof explainTool> =>
      explainTool("browser", { tools: catalogTools, ...policyFromConfig({ sandbox }, caller) });
    expect(explain({}).sentences.join(" ")).toContain(
      '`browser` in sandbox.tools.deny (default). Add "browser" to sandbox.tools.alsoAllow: its own name there overrides this default.',
    );
    expect(explain({ tools: { alsoAllow: ["browser"] } }).allowed).toBe(true);
    expect(explain({ tools: { allow: ["read"] } }).sentences.join(" ")).toContain('Add "browser" to sandbox.tools.allow: its own name');
    expect(explain({ tools: { allow: ["read", "browser"] } }).allowed).toBe(true);
  });

  it("tells the way of an allowed tool, with the lists that were set aside and the questions", () => {
    const tools = [...toolsNamed("exec", "read"), pluginTool("voice", "voice")];
    const steps: ToolPolicyStep[] = [
      step({ allow: ["voice"] }),
      { id: "agent", label: "agents.a.tools", allow: ["ba*", "bash"], ask: ["exec"] },
      { id: "group", label: "group.tools", deny: ["read"] },
    ];
    expect(explainTool("exec", { tools, steps }).sentences).toEqual([
      "`exec` is allowed by `bash` in agents.a.tools.allow; each call needs a person's approval because of `exec` in agents.a.tools.ask.",
      "tools.allow is ignored because it names only plugin tools.",
    ]);
  });

  it("tells each further list that allows a tool or asks about it, with its place", () => {
    const steps: ToolPolicyStep[] = [
      { id: "global", label: "tools", allow: ["read", "exec"], ask: ["read"] },
      {
        id: "agent",
        label: "agents.a.tools",
        allow: ["re*"],
        ask: ["group:fs"],
        locationOf: (list) => ({ label: `a.${list}`, source: "a.yaml:3" }),
      },
    ];
    expect(explainTool("read", { tools: catalogTools, steps }).sentences).toEqual([
      "`read` is allowed by `re*` in a.allow (a.yaml:3); each call needs a person's approval because of `read` in tools.ask.",
      "It is also allowed by `read` in tools.allow.",
      "Each call also needs a person's approval because of `group:fs` in a.ask (a.yaml:3).",
    ]);
  });

  it("keeps steps that decide nothing to the trace, under a place that is there", () => {
    const config = {
      tools: { ask: ["exec"], byProvider: { acme: { ask: ["exec"] } } },
      agents: { a: { tools: { allow: ["read", "exec"] } } },
    };
    const explain = (name: string): ReturnType<typeof explainTool> =>
      explainTool(name, { tools: catalogTools, ...policyFromConfig(config, { agent: "a", provider: "acme" }) });
    const outcomes = explain("exec").trace.map(({ outcome, label }) => `${outcome} ${label}`);
    expect(outcomes).toEqual(["asks tools.ask", "asks tools.byProvider.acme.ask", "keeps agents.a.tools.allow"]);
    expect(explain("exec").sentences).toEqual([
      "`exec` is allowed by `exec` in agents.a.tools.allow; each call needs a person's approval because of `exec` in tools.ask.",
      "Each call also needs a person's approval because of `exec` in tools.byProvider.acme.ask.",
    ]);
    expect(explain("read").sentences).toEqual(["`read` is allowed by `read` in agents.a.tools.allow."]);
    expect(explain("write").sentences).toHaveLength(2);
    const quiet = (policy: Partial<ToolPolicyStep>): string[] =>
      explainTool("read", { tools: catalogTools, steps: [step(policy)] }).trace.map(
        ({ outcome, rule, label }) => `${outcome} ${rule} ${label}`,
      );
    expect(quiet({ deny: ["exec"] })).toEqual(["keeps none tools.deny"]);
    expect(quiet({ ask: ["exec"] })).toEqual(["keeps none tools.ask"]);
    expect(quiet({ alsoAllow: ["exec"] })).toEqual(["keeps none tools.alsoAllow"]);
    const [empty] = explainTool("read", { tools: catalogTools, steps: [step({ allow: [] })] }).trace;
    expect(empty?.label).toBe("tools");
  });

  it("S24: hides a tool that a path rule refuses every call of, from lists, explanations and differences", async () => {
    const config = { tools: { paths: [{ tool: "*", deny: ["secret/"] }] } };
    const locate = (path: readonly (string | number)[]): string => `policy.yaml:${path.length}`;
    const tools = toolsNamed("read", "exec");
    const policy = policyFromConfig(config, {}, { locate });
    const decided = decideTools({ tools, ...policy });
    expect(namesOf(decided.tools)).toEqual(["read"]);
    expect(decided.warnings).toMatchObject([{ kind: "path-rule", entries: ["exec"], label: "tools.paths[0]" }]);
    expect(explainTool("exec", { tools, ...policy })).toMatchObject({
      allowed: false,
      decision: { rule: "path-rule", label: "tools.paths[0]", source: "policy.yaml:3" },
    });
    expect(explainTool("exec", { tools, ...policy }).sentences.slice(0, 2)).toEqual([
      "`exec` is hidden because the path rule at tools.paths[0] cannot be enforced for a tool that runs programs (policy.yaml:3).",
      "Name other tools in the rule (`tool: group:fs`), or name the parameters that it is about (`parameters`).",
    ]);
    expect(namesOf(diffPolicies({}, config, tools, [{}])[0]!.lost)).toEqual(["exec"]);
    const named = policyFromConfig({ tools: { paths: [{ tool: "*", deny: ["secret/"], parameters: ["cwd"] }] } }, {});
    expect(namesOf(decideTools({ tools, ...named }).tools)).toEqual(["read", "exec"]);

    const registry = createRegistry({ policy: readPolicyConfig(config) });
    for (const name of ["read", "exec"])
      registry.register(defineTool({ name, description: "Does.", inputSchema: { type: "object" }, handler: () => "ok" }));
    expect(namesOf(registry.view({}).tools)).toEqual(["read"]);
    expect(registry.explain("exec", {}).allowed).toBe(false);
    expect(await registry.invoke("exec", {}, { caller: {} })).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
  });

  it("says that nothing restricts a tool where nothing does", () => {
    expect(explainTool("read", { tools: catalogTools, steps: [] }).sentences).toEqual(["`read` is allowed: no rule restricts it."]);
  });

  it("tells every closed gate", () => {
    const tools: PolicyTool[] = [{ name: "deploy", metadata: { ownerOnly: true, models: ["gpt-*"] } }];
    const { sentences, trace } = explainTool("deploy", { tools, steps: [], caller: { model: "claude" } });
    expect(trace.map(({ rule }) => rule)).toEqual(["owner-only", "model"]);
    expect(sentences).toEqual([
      "`deploy` is hidden because only the owner may use it, and the caller is not known to be the owner.",
      "Call it as the owner.",
      "It is also hidden because it is offered only to gpt-*, and claude is not one of them.",
    ]);
  });

  it("finds a tool by its exact name first, then by the form that policies compare", () => {
    const tools = toolsNamed("Bash", "exec");
    const steps = [step({ deny: ["exec"] })];
    expect(explainTool("exec", { tools, steps }).name).toBe("exec");
    expect(explainTool("BASH", { tools, steps }).name).toBe("Bash");
  });

  it("of a name that no tool has, gives the nearest one", () => {
    expect(explainTool("exce", { tools: catalogTools, steps: [] })).toMatchObject({
      name: "exce",
      known: false,
      allowed: false,
      sentences: [expect.stringContaining("Did you mean `exec`?")],
    });
  });

  it("tells what each call is held against", () => {
    const config = {
      tools: {
        paths: [{ tool: "group:fs", deny: ["*.key", ".env"], allow: ["src/*"] }],
        conditions: [{ tool: "exec", allow: 'argv[0] == "git"', ask: '"push" in argv' }],
      },
    };
    const policy = policyFromConfig(config, {});
    expect(explainTool("read", { tools: catalogTools, ...policy }).sentences).toEqual([
      "`read` is allowed: no rule restricts it.",
      "Each call is checked against tools.paths[0]: only paths that match `src/*`, and no path that matches `*.key` or `.env`.",
    ]);
    expect(explainTool("exec", { tools: catalogTools, ...policy }).checks).toEqual([
      { label: "tools.conditions[0]", text: 'only where `argv[0] == "git"`' },
      { label: "tools.conditions[0]", text: 'with a person\'s approval where `"push" in argv`' },
    ]);
    expect(explainTool("cron", { tools: catalogTools, ...policy }).checks).toEqual([]);
  });

  it("says of a tool that no list allows, and one holds up, only the latter", () => {
    const { steps } = policyFromConfig({ tools: { ask: ["exec"] } }, {});
    const { sentences } = explainTool("exec", { tools: catalogTools, steps });
    expect(sentences).toEqual(["`exec` is allowed; each call needs a person's approval because of `exec` in tools.ask."]);
  });

  it("prints the line that the configuration was written on", () => {
    const config = { tools: { deny: ["cron", "exec"] } };
    const locate = (path: readonly (string | number)[]): string | undefined =>
      path.join(".") === "tools.deny.1" ? "policy.yaml:7" : undefined;
    const { steps } = policyFromConfig(config, {}, { locate });
    const { decision, sentences } = explainTool("exec", { tools: catalogTools, steps });
    expect(decision?.source).toBe("policy.yaml:7");
    expect(sentences[0]).toBe("`exec` is hidden by `exec` in tools.deny (policy.yaml:7).");
  });
});

describe("the difference of two policies", () => {
  const callers = [{ agent: "support" }, { agent: "coder" }];

  it("is who gains and loses what, with both decisions", () => {
    const before = { tools: { deny: ["cron"] }, agents: { support: { tools: { allow: ["read", "message"] } } } };
    const after = { tools: {}, agents: { support: { tools: { allow: ["read", "write"] } } } };
    const [support, coder] = diffPolicies(before, after, catalogTools, callers);
    expect(namesOf(support!.gained)).toEqual(["write"]);
    expect(namesOf(support!.lost)).toEqual(["message"]);
    expect(support!.lost[0]).toMatchObject({ before: { allowed: true }, after: { allowed: false, label: "agents.support.tools.allow" } });
    expect(namesOf(coder!.gained)).toEqual(["cron"]);
    expect(coder!.lost).toEqual([]);
    expect(coder!.caller).toBe(callers[1]);
  });

  it("tells where a person is asked now, or no longer", () => {
    const [one] = diffPolicies({ tools: { ask: ["exec"] } }, { tools: { ask: ["write"] } }, catalogTools, [{}]);
    expect(namesOf(one!.askChanged)).toEqual(["write", "exec"]);
    expect(one!.gained).toEqual([]);
  });

  it("of a policy with itself is empty", () => {
    const config = { tools: { profile: "coding" } };
    for (const { gained, lost, askChanged } of diffPolicies(config, config, catalogTools, callers))
      expect([...gained, ...lost, ...askChanged]).toEqual([]);
  });
});
