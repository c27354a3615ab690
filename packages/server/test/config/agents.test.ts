import { describe, expect, it } from "vitest";
import { changesBetween } from "../../src/config/changes.ts";
import { agentFacts, runnableAgents } from "../../src/config/agents.ts";
import { readConfig } from "../../src/config/read.ts";

const model = "model: { vendor: anthropic, name: claude-sonnet-5-5 }";

function issuesOf(text: string): string[] {
  const read = readConfig(text, "c.yaml");
  return read.ok ? [] : read.issues.map(({ message }) => message);
}

describe("agents in the configuration", () => {
  it("run here if they have instructions, and are facts for the policy otherwise", () => {
    const text = `agents:\n  helper: { instructions: Help., ${model} }\n  other: { provider: openai, model: gpt-5 }\n  demo: { instructions: Show., model: scripted }\n`;
    const read = readConfig(text, "c.yaml");
    if (!read.ok) throw new Error(read.issues[0]!.message);
    expect(runnableAgents(read.config.agents).map(({ id }) => id)).toEqual(["helper", "demo"]);
    expect(Object.values(read.config.agents!).map(agentFacts)).toEqual([
      { provider: "anthropic", model: "claude-sonnet-5-5" },
      { provider: "openai", model: "gpt-5" },
      { model: "scripted" },
    ]);
  });

  it("need a model that can be run, and a name that a tool can have", () => {
    expect(issuesOf("agents:\n  a: { instructions: Help. }\n")[0]).toMatch(/^c\.yaml:2:3 agents\.a has instructions.*needs its model/);
    expect(issuesOf("agents:\n  a: { instructions: Help., model: gpt-5 }\n")[0]).toMatch(/^c\.yaml:2:\d+ agents\.a has instructions/);
    expect(issuesOf(`agents:\n  a@b: { instructions: Help., ${model} }\n`)[0]).toContain("agents.a@b is served as a tool");
    expect(issuesOf(`agents:\n  a: { ${model} }\n`)[0]).toContain(
      "agents.a.model is for an agent that this server runs. Add agents.a.instructions",
    );
    expect(issuesOf("agents:\n  a: { budget: { turns: 3 } }\n")[0]).toContain("agents.a.budget is for an agent that this server runs");
  });

  it("take keys by the names of secrets only", () => {
    const wrong = issuesOf("agents:\n  a: { instructions: Help., model: { vendor: openai, name: x, key: abc } }\n");
    expect(wrong[0]).toContain("key");
    const inUrl = issuesOf('agents:\n  a: { instructions: Help., model: { vendor: openai, name: x, baseUrl: "https://u:p@host/v1" } }\n');
    expect(inUrl[0]).toContain("agents.a.model.baseUrl");
  });

  it("say in one place which tools they have", () => {
    const own = `agents:\n  a: { instructions: Help., ${model}, tools: { allow: [read] } }\n`;
    expect(issuesOf(own)).toEqual([]);
    expect(issuesOf(`${own}policy: { agents: { a: { tools: { deny: [exec] } } } }\n`)[0]).toContain("Keep one of them");
  });

  it("wait for approval when what they do or who gets their data changes, and not when they are removed or described", () => {
    const a = { instructions: "Help.", model: "scripted" } as const;
    const effectOf = (before: object, after: object): string | undefined =>
      changesBetween({ agents: { a: before } }, { agents: { a: after } })[0]?.effect;
    expect(effectOf(a, { ...a, instructions: "Do harm." })).toBe("approval");
    expect(effectOf(a, { ...a, model: { vendor: "openai", name: "x", baseUrl: "https://elsewhere.example" } })).toBe("approval");
    expect(effectOf(a, { ...a, description: "Helps." })).toBe("immediate");
    expect(effectOf({ model: "gpt-5" }, { model: "gpt-6" })).toBe("immediate");
    expect(changesBetween({ agents: { a } }, {})[0]?.effect).toBe("immediate");
  });
});
