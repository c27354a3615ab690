import { createAgent, createMemorySessions } from "@toolrack/agent";
import { scriptedModel } from "@toolrack/agent/testing";
import { createRegistry, defineTool } from "@toolrack/core";

export const title = "Agents: what the loop adds to the model and the tools";

const turns = 200;
const rounds = 7;
const targets = { turnMs: 1, resumeMs: 100 };

export async function run() {
  const perTurn = await median(() => oneRun(1_000));
  const resumed = await median(() => oneResume(1_000));
  const few = await median(() => oneRun(10));
  return [
    {
      caption: `CPU time of the loop with sessions in memory, a scripted model and a tool that does nothing; the middle of ${rounds} rounds`,
      columns: ["what", "CPU", "target", "verdict"],
      rows: [
        row("a turn with one call, 1,000 tools listed", perTurn, targets.turnMs),
        row("a turn with one call, 10 tools listed", few, targets.turnMs),
        row("resuming a session of 1,000 messages, with one turn", resumed, targets.resumeMs),
      ],
    },
  ];
}

function row(what, cpuMs, targetMs) {
  return [what, `${cpuMs.toFixed(3)} ms`, `< ${targetMs} ms`, cpuMs < targetMs ? "ok" : "over"];
}

function registryWith(count) {
  const registry = createRegistry();
  for (let index = 0; index < count; index++) {
    registry.register(
      defineTool({
        name: `tool_${index}`,
        description: `Does the thing number ${index}, and nothing else.`,
        inputSchema: { type: "object", properties: { id: { type: "string" }, limit: { type: "integer" } }, required: ["id"] },
        handler: () => "done",
      }),
    );
  }
  return registry;
}

/** The CPU time of one turn of a long run. */
async function oneRun(tools) {
  const script = Array.from({ length: turns }, () => ({ calls: [{ name: "tool_1", input: { id: "x" } }] }));
  const registry = registryWith(tools);
  // The tools are exported once for all runs.
  await agentWith(["Done."], registry).run("Go.");
  const agent = agentWith([...script, "Done."], registry);
  const cpuMs = await cpuOf(() => agent.run("Go."));
  return cpuMs / turns;
}

/** The CPU time of going on with a session whose last message has no answer yet. */
async function oneResume(count) {
  const sessions = createMemorySessions();
  const { id } = await sessions.create({ key: "agent:bench:main", agent: "bench", kind: "main" });
  const meta = { callId: "c", tool: "tool_1", durationMs: 1 };
  const messages = [{ role: "user", content: "Go.", from: { kind: "person" } }];
  while (messages.length < count) {
    messages.push({ role: "assistant", content: "", calls: [{ id: "1", name: "tool_1", wireName: "tool_1", input: { id: "x" } }] });
    messages.push({ role: "tool", results: [{ ok: true, content: "a result of some words ".repeat(20), meta }] });
  }
  await sessions.append(id, messages, { after: 0 });
  const agent = agentWith(["Done."], registryWith(100), sessions);
  return cpuOf(() => agent.resume("main"));
}

function agentWith(script, registry, sessions = createMemorySessions()) {
  const model = scriptedModel(script, { contextTokens: 10_000_000 });
  return createAgent({
    name: "bench",
    instructions: "Work.",
    model,
    registry,
    sessions,
    budget: { turns: turns + 2 },
    searchAbove: 10_000,
  });
}

async function cpuOf(work) {
  const before = process.cpuUsage();
  const { status, reason } = await work();
  const { user, system } = process.cpuUsage(before);
  if (status !== "done") throw new Error(`The run ended as ${status}: ${reason}`);
  return (user + system) / 1_000;
}

async function median(measure) {
  const values = [];
  for (let round = 0; round < rounds; round++) values.push(await measure());
  return values.toSorted((a, b) => a - b)[Math.floor(rounds / 2)];
}
