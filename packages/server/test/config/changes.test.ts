import { describe, expect, it } from "vitest";
import { changedValues, changesBetween } from "../../src/config/changes.ts";
import type { RackConfig } from "../../src/config/config.ts";
import { doubtAbout } from "../../src/config/checks/doubt.ts";
import { readConfig, type ReadConfig } from "../../src/config/read.ts";

const effects = (before: RackConfig, after: RackConfig): Record<string, string> =>
  Object.fromEntries(changesBetween(before, after).map(({ key, effect }) => [key, effect]));

describe("a changed configuration", () => {
  it("SD1: lets who may use what hold at once", () => {
    expect(
      effects(
        { policy: { tools: { deny: ["exec"] } }, agents: { a: {} } },
        { policy: { tools: { deny: ["read"] }, agents: { b: {} } }, agents: {}, bundles: { x: {} as never }, tools: { disabled: ["y"] } },
      ),
    ).toEqual({
      "policy.tools": "immediate",
      "policy.agents": "immediate",
      agents: "immediate",
      bundles: "immediate",
      "tools.disabled": "immediate",
    });
  });

  it("SD1: makes a new or changed source wait, and a source that goes or is switched off not", () => {
    const one = { command: "node", args: ["server.js"], env: { A: "1" } };
    expect(effects({}, { sources: { one } })).toEqual({ "sources.one": "approval" });
    for (const change of [{ command: "sh" }, { args: ["evil.js"] }, { env: { A: "2" } }, { cwd: "/tmp" }, { enabled: true }])
      expect(effects({ sources: { one } }, { sources: { one: { ...one, ...change } } })).toEqual({ "sources.one": "approval" });
    const two = { url: "https://a.example", headers: { X: "1" }, allowHosts: ["a"] };
    for (const change of [{ url: "https://b.example" }, { headers: { X: "2" } }, { allowHosts: ["a", "b"] }])
      expect(effects({ sources: { two } }, { sources: { two: { ...two, ...change } } })).toEqual({ "sources.two": "approval" });
    expect(effects({ sources: { one } }, { sources: {} })).toEqual({ "sources.one": "immediate" });
    expect(effects({ sources: { one } }, { sources: { one: { ...one, enabled: false } } })).toEqual({ "sources.one": "immediate" });
    expect(effects({ sources: { one: { ...one, enabled: false } } }, { sources: { one } })).toEqual({ "sources.one": "approval" });
  });

  it("SD1: makes unknown agents wait where they are let in, and not where they are shut out", () => {
    expect(effects({}, { policy: { unknownAgents: "allow" } })).toEqual({ "policy.unknownAgents": "approval" });
    expect(effects({ policy: { unknownAgents: "allow" } }, { policy: {} })).toEqual({ "policy.unknownAgents": "immediate" });
  });

  it("SD1: makes what a server sets up once wait for a restart", () => {
    const after = {
      server: { allowedHosts: ["x"] },
      signIn: {},
      store: { memory: true },
      workspace: "/",
      limits: {},
      approvals: {},
      redaction: {},
      retention: {},
      audit: {},
      tools: { packs: { runtime: true }, modules: ["./x.js"], outputValidation: "off", repairInputs: true },
    } satisfies RackConfig;
    expect(new Set(Object.values(effects({}, after)))).toEqual(new Set(["restart"]));
  });

  it("SD1: makes everything else wait for approval", () => {
    expect(effects({}, { plugins: { x: 1 }, policy: { later: 1 }, tools: { later: 1 } } as RackConfig)).toEqual({
      plugins: "approval",
      "policy.later": "approval",
      "tools.later": "approval",
    });
    expect(effects({}, JSON.parse('{"__proto__":1,"constructor":2}') as RackConfig)).toEqual({
      constructor: "approval",
      ["__proto__"]: "approval",
    });
  });

  it("SD1: is shown value by value, without the values of variables and headers", () => {
    const before = { sources: { one: { command: "node", env: { TOKEN: "old-secret" } } } };
    const after = { sources: { one: { command: "node", args: ["-e", "1"], env: { TOKEN: "new-secret", MORE: "other-secret" } } } };
    expect(changesBetween(before, after).flatMap(changedValues)).toEqual([
      { key: "sources.one.env.TOKEN", before: "(not shown)", after: "(not shown)" },
      { key: "sources.one.env.MORE", after: "(not shown)" },
      { key: "sources.one.args", after: ["-e", "1"] },
    ]);
  });
});

function read(text: string): ReadConfig {
  const result = readConfig(text, "/toolrack.config.yaml");
  if (!result.ok) throw new Error(result.issues[0]!.message);
  return result;
}

describe("a file that may be half-written", () => {
  const before = read("policy:\n  tools:\n    deny:\n      - exec\n      - write\nagents: { a: {} }\n");

  it.each([
    ["is empty", "", "it is empty"],
    ["holds comments only", "# nothing\n", "its policy is gone"],
    ["lost its policy", "agents: { a: {} }\n", "its policy is gone"],
    ["has an empty policy", "policy: {}\nagents: { b: {} }\n", "its policy is gone"],
    [
      "is the beginning of the one before",
      "policy:\n  tools:\n    deny:\n      - exec\n",
      "it is only the beginning of the file before it",
    ],
    ["ends within a line", "server: {}\npolicy:\n  tools:\n    deny:\n      - ex", "its last line has no end"],
  ])("SD2: %s, and needs a person", (_, text, doubt) => {
    expect(doubtAbout(before, read(text))).toBe(doubt);
  });

  it("is none that grew, changed inside, or follows an empty one", () => {
    expect(doubtAbout(before, read(`${before.text}bundles: {}\n`))).toBeUndefined();
    expect(doubtAbout(before, read("policy:\n  tools:\n    deny: [read]\n"))).toBeUndefined();
    expect(doubtAbout(read(""), read("policy: {}"))).toBeUndefined();
  });
});
