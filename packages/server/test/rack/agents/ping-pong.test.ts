import { openTestRack } from "@toolrack/testkit/test-rack";
import { until } from "@toolrack/testkit/until";
import { describe, expect, it } from "vitest";
import type { Rack } from "../../../src/rack/rack.ts";
import { type Answer, startChatModel } from "./_chat-model.ts";

async function openPair(answer: (rack: () => Rack) => Answer): Promise<Rack> {
  const opened: { rack?: Rack } = {};
  const model = await startChatModel(answer(() => opened.rack!));
  const agentOf = (name: string) => ({ instructions: "Play.", model: model.model(name), tools: { allow: ["sessions_send"] } });
  const rack = await openTestRack({
    config: {
      store: { memory: true },
      agents: { ann: agentOf("ann"), bob: agentOf("bob") },
      tools: { packs: { sessions: { sight: "all", agentToAgent: ["ann", "bob"] } } },
    },
  });
  opened.rack = rack;
  return rack;
}

const other = (agent: string): string => `agent:${agent === "ann" ? "bob" : "ann"}:main`;
const ping = (agent: string) => ({
  calls: [{ name: "sessions_send", input: { sessionKey: other(agent), message: "ping", timeoutSeconds: 0 } }],
});

async function start(rack: Rack, agent: string, input: string): Promise<string> {
  const caller = { agent: "owner", principal: "owner", owner: true };
  return (await rack.agents.start(agent, { input, session: "main", caller, from: { kind: "person" } })).session;
}

const textOf = async (rack: Rack, id: string): Promise<string> => JSON.stringify(await rack.agents.sessions.messages(id));
const isIdle = async (rack: Rack, id: string): Promise<boolean> => (await rack.agents.sessions.get(id))!.status === "idle";

describe("two sessions that write to each other", () => {
  it("AH15: end by their budget, and both are told", async () => {
    const rack = await openPair((opened) => async (text, _signal, { model: agent, messages }) => {
      if (messages.at(-1)!.role === "tool") return "Sent.";
      if (text === "Wait.") return "I wait.";
      // Each run is one that nobody began: the other has ended before.
      await until(() => isIdle(opened(), other(agent)));
      return ping(agent);
    });
    const bob = await start(rack, "bob", "Wait.");
    await until(() => isIdle(rack, bob));
    const ann = await start(rack, "ann", "Begin.");
    const isRefused = async (id: string): Promise<boolean> => (await textOf(rack, id)).includes("It takes no more messages until one says");
    await until(async () => (await isRefused(ann)) || (await isRefused(bob)));
    await until(async () => (await isIdle(rack, ann)) && (await isIdle(rack, bob)));
    // One by the answer to what it sent, the other by a message of the system.
    for (const id of [ann, bob]) expect(await textOf(rack, id)).toMatch(/run \d+ times without a person/);
  });

  it("AH15: end by the budget of their runs where these never end, and both are told", async () => {
    const rack = await openPair(
      () =>
        (_text, _signal, { model: agent }) =>
          ping(agent),
    );
    const sessions = [await start(rack, "ann", "Begin."), await start(rack, "bob", "Begin.")];
    await until(async () => (await Promise.all(sessions.map((id) => textOf(rack, id)))).every((text) => text.includes("are used up")));
  });
});
