import { describe, expect, it } from "vitest";
import { findUnknownNames } from "../../../src/policy/config/unknown-names.ts";
import type { PolicyConfig } from "../../../src/policy/config/shape.ts";

const tools = ["read", "write", "exec", "web_search"].map((name) => ({ name }));

/** Every list that applies only sometimes, with one name that no tool has. */
const places: readonly (readonly [label: string, config: PolicyConfig])[] = [
  ["profiles.careful.allow", { profiles: { careful: { allow: ["read", "wrte"] } } }],
  ["groups.payments", { groups: { payments: ["read", "wrte"] } }],
  ["tools.byProvider.openai.deny", { tools: { byProvider: { openai: { deny: ["wrte"] } } } }],
  ["agents.a.tools.byProvider.openai.alsoAllow", { agents: { a: { tools: { byProvider: { openai: { alsoAllow: ["wrte"] } } } } } }],
  ["channels.telegram.tools.ask", { channels: { telegram: { tools: { ask: ["wrte"] } } } }],
  ["channels.telegram.toolsBySender.id:42.allow", { channels: { telegram: { toolsBySender: { "id:42": { allow: ["read", "wrte"] } } } } }],
  ["channels.telegram.groups.g1.tools.deny", { channels: { telegram: { groups: { g1: { tools: { deny: ["wrte"] } } } } } }],
  ["phases.deliver", { phases: { deliver: ["read", "wrte"] } }],
  ["phases.plan.deny", { phases: { plan: { deny: ["wrte"] } } }],
  ["phases.both[1].deny", { phases: { both: [{ deny: ["read"] }, { deny: ["wrte"] }] } }],
  ["sandbox.tools.allow", { sandbox: { tools: { allow: ["read", "wrte"] } } }],
  ["agents.a.sandbox.tools.deny", { agents: { a: { sandbox: { tools: { deny: ["wrte"] } } } } }],
  ["subagents.tools.deny", { subagents: { tools: { deny: ["wrte"] } } }],
];

describe("a name that no tool has, in a list that applies only sometimes", () => {
  it.each(places)("in %s is warned about, with the nearest name", (label, config) => {
    const [warning, ...more] = findUnknownNames(config, tools);
    expect(more).toEqual([]);
    expect(warning).toMatchObject({ entries: ["wrte"], suggestion: "write", label });
    expect(warning!.message).toMatch(/^No tool matches "wrte" \(did you mean "?write"?\?\) in /i);
    expect(warning!.message).toContain(label);
  });

  it("is not invented: lists whose names all match, groups and globs among them, and the defaults of sandboxes give no warning", () => {
    const config: PolicyConfig = {
      groups: { safe: ["read", "web_*"] },
      profiles: { careful: { allow: ["group:safe"], deny: ["exec"] } },
      sandbox: { tools: { alsoAllow: ["web_search"] } },
      subagents: { maxSpawnDepth: 1 },
      phases: { deliver: ["group:safe", "write"], "*": { deny: ["exec"] } },
    };
    expect(findUnknownNames(config, tools)).toEqual([]);
    expect(findUnknownNames({}, tools)).toEqual([]);
  });

  it("says nothing of the lists that callers have anyway, whose warnings are theirs", () => {
    expect(findUnknownNames({ tools: { deny: ["wrte"] }, agents: { a: { tools: { allow: ["wrte"] } } } }, tools)).toEqual([]);
  });
});
