// A server that is killed at a step of a run: see killed.test.ts.
import type { Message } from "@toolrack/agent";
import { openRack } from "../../../src/rack/open.ts";
import { agentConfig, agentTools, type Step, task } from "./killed-agent.ts";

const [folder = ".", step = "", tool = "", database = "", turns = "0"] = process.argv.slice(2);

/** Says that the step is reached, and goes no further. */
const reach = async (reached: Step): Promise<void> => {
  if (reached !== step) return;
  process.stdout.write(`${JSON.stringify({ reached })}\n`);
  await new Promise(() => undefined);
};

const rack = await openRack({
  folder,
  environment: database === "" ? {} : { DATABASE_URL: database },
  tools: agentTools(folder, reach),
  config: agentConfig,
});
rack.agents.sessions.onChange((session) => {
  void rack.agents.sessions.get(session).then(async (found) => {
    // The run may have gone on meanwhile: what it comes to after the step has the same outcomes.
    const messages = found === undefined ? [] : await rack.agents.sessions.messages(session);
    if (!messages.some(({ message }) => stepOf(message) === step)) return;
    process.stdout.write(`${JSON.stringify({ reached: step })}\n`);
    process.kill(process.pid, "SIGSTOP");
  });
});
await rack.agents.start("worker", { input: task(tool), session: "work", caller: { agent: "anna" }, from: { kind: "agent" } });
if (step === "begun") {
  // Each round ends it at another moment.
  for (let turn = 0; turn < Number(turns); turn++) await new Promise((resolve) => setImmediate(resolve));
  process.stdout.write(`${JSON.stringify({ reached: step })}\n`);
  process.kill(process.pid, "SIGSTOP");
}
setInterval(() => undefined, 60_000);

function stepOf(message: Message): Step | undefined {
  if (message.role === "assistant") return message.calls.length > 0 ? "replied" : "said";
  return message.role === "user" ? "asked" : "answered";
}
