import { defineTool, type ErrorCode } from "@toolrack/core";
import type { PolicyConfig } from "@toolrack/core/policy";
import { findSurfaceFaults, type Surface } from "@toolrack/core/testing";
import { sized } from "@toolrack/testkit/sized";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const names = ["read", "write", "exec", "web_search", "web_fetch", "owner_tool", "gated"] as const;
const tools = names.map((name) =>
  defineTool({
    name,
    description: `Does ${name}.`,
    inputSchema: { type: "object" },
    ...(name === "owner_tool" && { metadata: { ownerOnly: true } }),
    ...(name === "gated" && { metadata: { optionality: "conditional" as const, when: (caller) => caller.agent === "ann" } }),
    handler: () => name,
  }),
);
const agents = ["ann", "bob"] as const;

const entry = fc.constantFrom(...names, "web_*", "*", "group:fs", "group:runtime", "group:web", "nobody");
const list = fc.array(entry, { maxLength: 4 });
const toolPolicy = fc.record({ allow: list, deny: list, ask: list }, { requiredKeys: [] });
const policy: fc.Arbitrary<PolicyConfig> = fc.record(
  {
    tools: toolPolicy,
    agents: fc.dictionary(fc.constantFrom(...agents), fc.record({ tools: toolPolicy }, { requiredKeys: [] })),
  },
  { requiredKeys: [] },
);
const switched = fc.subarray([...names]);

describe("what may be listed and what may be called", () => {
  it("are the same over the library and over HTTP, whatever the policy says and whatever is switched off (S24)", async () => {
    const rack = await openTestRack({ tools, config: { store: { memory: true }, approvals: { waitMs: 1 } } });
    const { as } = serverOver(rack);
    const asks = new Map(await Promise.all(agents.map(async (agent) => [agent, await as(agent)] as const)));
    const library: Surface = {
      name: "library",
      list: async (caller) => rack.registry.view(caller).tools.map(({ name }) => name),
      async call(tool, caller) {
        const result = await rack.registry.invoke(tool, {}, { caller });
        return result.ok ? undefined : askable(result.code);
      },
    };
    const http: Surface = {
      name: "HTTP",
      async list({ agent }) {
        const { body } = await asks.get(agent as "ann")!("GET", "/tools");
        return body.tools.map(({ name }: { name: string }) => name);
      },
      async call(tool, { agent }) {
        const { status, body } = await asks.get(agent as "ann")!("POST", `/tools/${tool}/call`, {});
        return status === 200 ? undefined : askable(body.code);
      },
    };
    await fc.assert(
      fc.asyncProperty(policy, switched, fc.constantFrom(...agents), async (wanted, off, agent) => {
        const old = rack.settings.list().map(({ key }) => [key, null] as const);
        const parts = [
          ...Object.entries(wanted.agents ?? {}).map(([id, value]) => [`policy.agents.${id}`, value] as const),
          ...(wanted.tools === undefined ? [] : [["policy.tools", wanted.tools] as const]),
          ...names.map((name) => [`tools.${name}`, { enabled: !off.includes(name) }] as const),
        ];
        await rack.settings.setAll(Object.fromEntries([...old, ...parts]), "test");
        expect(await findSurfaceFaults([library, http], names, { agent })).toEqual([]);
      }),
      { numRuns: sized(10, 25) },
    );
  });
});

/** Nobody answers here, so a call that waits for a person ends as denied: it was askable. */
function askable(code: ErrorCode): ErrorCode {
  return code === "APPROVAL_DENIED" ? "APPROVAL_REQUIRED" : code;
}
