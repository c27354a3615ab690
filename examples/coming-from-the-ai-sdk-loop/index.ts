// row: I18
// From generateText with stopWhen to an agent: the tools stay as they are. The model is played by a script.
import assert from "node:assert/strict";
// #region import
import { createAgent, createMemorySessions } from "@toolrack/agent";
import { scriptedModel } from "@toolrack/agent/testing";
import { createRegistry } from "@toolrack/core";
import { readPolicyConfig } from "@toolrack/core/policy";
import { fromAiSdk } from "@toolrack/core/vendors";
import { z } from "zod";
// #endregion

const booked: string[] = [];
// What tool() of the AI SDK returns is the object that it is given.
const tool = <Tool>(given: Tool): Tool => given;
// #region tools
const tools = {
  find_room: tool({
    description: "Finds a free room.",
    inputSchema: z.object({ guests: z.number() }),
    execute: async ({ guests }: { guests: number }) => ({ room: guests > 2 ? "12" : "7" }),
  }),
  book_room: tool({
    description: "Books a room.",
    inputSchema: z.object({ room: z.string() }),
    execute: async ({ room }: { room: string }) => {
      booked.push(room);
      return { booked: room };
    },
  }),
};
// #endregion

const model = scriptedModel([
  { calls: [{ name: "find_room", input: { guests: 2 } }] },
  "Room 7 is free.", // generateText would be over here
  { calls: [{ name: "book_room", input: { room: "7" } }] },
  "Room 7 is yours.",
]);
// #region after
const registry = createRegistry({ policy: readPolicyConfig({ tools: { ask: ["book_room"] } }) }); // needsApproval: true
for (const one of fromAiSdk(tools)) registry.register(one);

const sessions = createMemorySessions();
const desk = createAgent({
  name: "desk",
  instructions: "Help the guests of our hotel.", // system
  model,
  registry,
  sessions,
  budget: { turns: 5 }, // stopWhen: isStepCount(5)
  until: { requiredTools: ["book_room"] }, // stopWhen: hasToolCall("book_room"), but only a call that succeeded counts
});

const run = desk.run("A room for two, please.", { session: "ann" }); // prompt
for await (const event of run) {
  if (event.type === "text") console.log("says", event.text); // textStream
  if (event.type === "call") console.log("calls", event.tool, JSON.stringify(event.input));
}
const { status, reason, usage, waiting } = await run;
console.log(status, "-", reason);
// #endregion
assert.deepEqual([status, usage.turns], ["waiting", 3]);
assert.deepEqual(booked, []);

// #region approve
const approvals = waiting!.map(({ approval }) => ({ digest: approval.digest, answer: { action: "accept" as const } }));
const resumed = await desk.resume("ann", { approvals });
console.log(resumed.status, "-", resumed.text);
// #endregion
assert.equal(resumed.status, "done");
assert.deepEqual(booked, ["7"]);

const busy = scriptedModel([
  { calls: [{ name: "find_room", input: { guests: 2 } }] },
  { calls: [{ name: "find_room", input: { guests: 3 } }] },
  "For two it is room 7. I have not booked it.",
  { calls: [{ name: "find_room", input: { guests: 4 } }] },
  "And for four it is room 12.",
]);
// #region limit
const short = createAgent({ name: "short", instructions: "Find rooms.", model: busy, registry, sessions, budget: { turns: 3 } });
const stopped = await short.run("Rooms for two, three and four?", { session: "bob" });
console.log(stopped.status, "-", stopped.text); // the last turn is for the answer: its text is never empty because of the limit
const rest = await short.resume("bob");
console.log(rest.status, "-", rest.text);
// #endregion
assert.deepEqual([stopped.status, stopped.code, rest.status], ["stopped", "budget", "done"]);

const planner = scriptedModel([
  {
    calls: [
      { name: "find_room", input: { guests: 2 } },
      { name: "book_room", input: { room: "7" } },
    ],
  },
  "It is room 7.",
  "Then I leave it there.",
]);
// #region phases
const careful = createAgent({
  name: "careful",
  instructions: "Help the guests of our hotel.",
  model: planner,
  registry,
  sessions,
  phases: [
    { name: "look", tools: ["find_room"], until: { requiredTools: ["find_room"] } }, // prepareStep: activeTools by the number of the step
    { name: "book", tools: ["book_room"] },
  ],
});
for await (const event of careful.run("A room for two, please.")) {
  if (event.type === "phase") console.log("phase", event.phase);
  if (event.type === "result") console.log(event.tool, event.result.ok ? event.result.content : event.result.code);
}
// #endregion
assert.deepEqual(booked, ["7"]);
