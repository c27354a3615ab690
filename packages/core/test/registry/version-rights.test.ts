import { describe, expect, it } from "vitest";
import { readPolicyConfig } from "../../src/policy/config/config.ts";
import { createRegistry } from "../../src/registry/create.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";
import type { ToolMetadata } from "../../src/tool/metadata.ts";

const policy = readPolicyConfig({
  groups: { danger: ["unused"], safe: ["unused"] },
  agents: {
    denied: { tools: { allow: ["*"], deny: ["group:danger"] } },
    limited: { tools: { allow: ["group:safe"] } },
    asked: { tools: { allow: ["*"], ask: ["group:danger"] } },
  },
});

/** What the older and the newest version of one tool answer to an agent, and what is told of the older. */
async function answersTo(agent: string, older: ToolMetadata, newest: ToolMetadata) {
  const registry = createRegistry({ policy });
  for (const [version, metadata] of [
    ["1.0.0", older],
    ["2.0.0", newest],
  ] as const)
    registry.register(fakeTool({ name: "send", version, metadata, handler: () => "sent" }));
  const [first, second] = await Promise.all(
    ["send@1.0.0", "send"].map(async (name) => await registry.invoke(name, {}, { caller: { agent } })),
  );
  const codes = [first!, second!].map((result) => (result.ok ? "ok" : result.code));
  return { codes, told: first!.ok ? "" : first!.error };
}

describe("what a policy says about a version that is not the newest", () => {
  const danger = { groups: ["danger"] };
  const safe = { groups: ["safe"] };

  it("is about the groups of that version", async () => {
    const denied = await answersTo("denied", danger, safe);
    expect(denied.codes).toEqual(["TOOL_NOT_ALLOWED", "ok"]);
    expect(denied.told).toContain("`group:danger` in agents.denied.tools.deny");
    expect((await answersTo("limited", danger, safe)).codes).toEqual(["TOOL_NOT_ALLOWED", "ok"]);
    expect((await answersTo("limited", safe, danger)).codes).toEqual(["ok", "TOOL_NOT_ALLOWED"]);
  });

  it("is about who may use that version", async () => {
    expect((await answersTo("denied", { ownerOnly: true }, {})).codes).toEqual(["TOOL_NOT_ALLOWED", "ok"]);
  });

  it("is also which of its calls need a person", async () => {
    expect((await answersTo("asked", danger, safe)).codes).toEqual(["APPROVAL_REQUIRED", "ok"]);
    expect((await answersTo("asked", safe, danger)).codes).toEqual(["ok", "APPROVAL_REQUIRED"]);
  });
});
