import { defineTool, type ToolDefinition } from "@toolrack/core";
import { inheritTools } from "@toolrack/core/policy";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { describe, expect, it } from "vitest";
import type { RackConfig } from "../../../src/config/config.ts";
import type { Rack } from "../../../src/rack/rack.ts";
import { createRightsNow } from "../../../src/rack/agents/rights-now.ts";

const tool = (name: string): ToolDefinition =>
  defineTool({ name, description: `Does ${name}.`, inputSchema: { type: "object", properties: {} }, handler: () => name });

async function open(
  overlays: NonNullable<RackConfig["overlays"]>[string],
  parent: Readonly<Record<"allow" | "deny", readonly string[]>>,
): Promise<Rack> {
  const rack = await openTestRack({
    config: {
      store: { memory: true },
      trust: { enforce: false },
      overlays: { x: overlays },
      policy: { agents: { parent: { tools: parent }, child: { tools: { allow: ["*"] } } } },
    },
    tools: [tool("calc")],
  });
  await rack.registry.addSource({ id: "mcp:x", list: () => ["read", "admin", "calc"].filter((name) => name in overlays).map(tool) });
  return rack;
}

/** The tools of a child whose parent asks for these, or for all that it has. */
function childOf({ registry }: Rack, asked?: readonly string[]): readonly string[] {
  const { inherited } = inheritTools(registry.view({ agent: "parent" }).tools, asked);
  return registry.view({ agent: "child", inherited }).tools.map(({ name }) => name);
}

describe("a child of a session that has renamed tools", () => {
  it("gets no tool that its parent is denied, which its source registered under the name of one that the parent has", async () => {
    const rack = await open({ calc: { name: "danger" } }, { allow: ["calc", "danger"], deny: ["danger"] });
    expect(childOf(rack)).toEqual(["calc"]);
    const rights = await openedRights(rack);
    expect(rights).toEqual(["calc"]);
  });

  it("gets the tool that its parent has, and not the one that has the registered name of it now", async () => {
    const rack = await open({ read: { name: "docs" }, admin: { name: "read" } }, { allow: ["docs"], deny: [] });
    expect(childOf(rack)).toEqual(["docs"]);
  });

  it("gets one tool of two that swapped their names, the one that is shown as its parent asks for it", async () => {
    const rack = await open({ read: { name: "admin" }, admin: { name: "read" } }, { allow: ["read", "admin"], deny: [] });
    expect(childOf(rack, ["read"])).toEqual(["read"]);
    expect(childOf(rack, ["admin"])).toEqual(["admin"]);
    expect(childOf(rack).toSorted()).toEqual(["admin", "read"]);
  });
});

/** What is left to a session of "child" that goes on, whose list is from a time when its parent had both tools. */
async function openedRights({ registry }: Rack): Promise<readonly string[]> {
  const caller = { agent: "parent" };
  const session = { id: "child", agent: "child", parent: "root" };
  const spawned = { mode: "session", cleanup: "keep", runTimeoutMs: 0, task: "Go." } as const;
  const rightsNow = createRightsNow({
    registry,
    get: async (id) => ({ ...session, id, agent: "parent", parent: undefined }) as never,
    find: (id) => ({ id, model: "scripted" }) as never,
    starterOf: () => ({ caller, isPerson: false }),
    presentCaller: async (one) => one,
  });
  const given = { caller: { ...caller, inherited: ["calc", "mcp:x/calc"] }, isPerson: false, spawned };
  const { now } = await rightsNow({ id: "child" } as never, session as never, given);
  return registry.view({ agent: "child", inherited: now.caller.inherited! }).tools.map(({ name }) => name);
}
