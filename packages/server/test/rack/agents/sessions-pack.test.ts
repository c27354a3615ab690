import { defineTool } from "@toolrack/core";
import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import type { RackConfig } from "../../../src/config/config.ts";
import type { Rack } from "../../../src/rack/rack.ts";

const inputSchema = { type: "object", properties: {} } as const;
const tools = [
  defineTool({ name: "look", description: "Looks.", inputSchema, metadata: { annotations: { readOnly: true } }, handler: () => "seen" }),
  defineTool({ name: "pay", description: "Pays.", inputSchema, handler: () => "paid" }),
];
const sessionTools = ["sessions_*", "session_status", "subagents", "agents_list"];
const config: RackConfig = {
  store: { memory: true },
  agents: {
    lead: { instructions: "Lead.", model: "scripted", tools: { allow: [...sessionTools, "look"] }, subagents: ["payer"] },
    payer: { instructions: "Pay.", model: "scripted", tools: { allow: [...sessionTools, "pay", "look"] } },
  },
};
const anna = { agent: "anna", principal: "test anna" };
const from = { kind: "agent", id: "test anna" } as const;

async function run(
  rack: Rack,
  agent: string,
  input: string,
  session?: string,
): Promise<{ readonly session: string; readonly text: string }> {
  const begun = await rack.agents.start(agent, { input, caller: anna, from, ...(session !== undefined && { session }) });
  const { text } = await begun.result;
  return { session: begun.session, text };
}

async function childOf(rack: Rack, parent: string): Promise<string> {
  await until(async () => (await rack.agents.sessions.list({ parent, status: "ended" })).length === 1);
  const [child] = await rack.agents.sessions.list({ parent });
  return JSON.stringify([child!.result, await rack.agents.sessions.messages(child!.id)]);
}

describe("the tools for sessions on a server", () => {
  it("spawn a session, whose end is a message to its parent", async () => {
    const rack = await openTestRack({ config, tools });
    const { session } = await run(rack, "lead", 'call sessions_spawn {"task":"call look","label":"eyes"}');
    expect(await childOf(rack, session)).toContain("look answered: seen");
    const [child] = await rack.agents.sessions.list({ parent: session });
    expect(child).toMatchObject({ agent: "lead", label: "eyes", depth: 1, status: "ended", kind: "subagent" });
    await rack.agents.settled(session, AbortSignal.timeout(5_000));
    const told = (await rack.agents.sessions.messages(session)).map(({ message }) => message).filter(({ role }) => role === "user");
    expect(told).toMatchObject([{ from }, { content: "look answered: seen", from: { kind: "session", id: child!.key } }]);
  });

  it("AH13: give a child no tool that its parent lacks, whatever its own agent has", async () => {
    const rack = await openTestRack({ config, tools });
    const { session } = await run(rack, "lead", 'call sessions_spawn {"task":"call pay","agentId":"payer"}');
    expect(await childOf(rack, session)).toMatch(/pay failed: [^"]*(spawned|inherited)/);
    expect((await run(rack, "payer", "call pay")).text).toBe("pay answered: paid");
  });

  it("AH14: refuse a child that spawns, and an agent that is not allowed", async () => {
    const rack = await openTestRack({ config, tools });
    const { session } = await run(rack, "lead", `call sessions_spawn ${JSON.stringify({ task: 'call sessions_spawn {"task":"x"}' })}`);
    expect(await childOf(rack, session)).toContain("`sessions_spawn` is hidden by `sessions_spawn` in subagents.tools.deny");
    expect((await run(rack, "payer", 'call sessions_spawn {"task":"x","agentId":"lead"}')).text).toContain("may not spawn");
    expect((await rack.agents.sessions.list()).length).toBe(3);
  });

  it("AH12: show, read and write what is in sight, and nothing else exists", async () => {
    const rack = await openTestRack({ config, tools });
    const first = await run(rack, "lead", "call session_status", "one");
    expect(first.text).toContain("agent:lead:one");
    const other = await run(rack, "payer", `call sessions_history {"sessionKey":"agent:lead:one"}\ncall sessions_list`, "two");
    expect(other.text).not.toContain("call session_status");
    expect(other.text).toContain("agent:lead:one"); // as it was asked for
    const [, list = ""] = other.text.split("\n");
    expect(list).not.toContain("agent:lead:one");
    expect((await run(rack, "payer", 'call sessions_send {"sessionKey":"agent:lead:one","message":"x"}', "two")).text).not.toMatch(
      /"status":"(ok|accepted)"/,
    );
  });

  it("are there where agents run: the profile minimal has the status of the session alone", async () => {
    const rack = await openTestRack({ config: { ...config, policy: { tools: { profile: "minimal" } } }, tools });
    expect(rack.registry.view({ agent: "anna" }).tools.map(({ name }) => name)).toEqual(["session_status"]);
    const without = await openTestRack({ config: { store: { memory: true } }, tools });
    expect(without.registry.has("session_status")).toBe(false);
  });
});
