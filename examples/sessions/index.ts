// Sessions without a server: an agent spawns another one, which has fewer tools, and reads its result.
import assert from "node:assert/strict";
// #region host
import { createRegistry, defineTool } from "@toolrack/core";
import { createMemorySessionsHost, createSessionsTools, type SessionRun } from "@toolrack/tools";

const registry = createRegistry();
for (const name of ["read", "write"])
  registry.register(defineTool({ name, description: `Can ${name}.`, inputSchema: { type: "object" }, handler: () => `${name}: done` }));

const sessions = createMemorySessionsHost({
  agents: { main: { allowAgents: ["helper"] }, helper: { name: "Helper" } },
  toolsOf: (caller) => registry.view(caller).tools,
  run: answer, // a loop around your model; here it is a script
});
for (const tool of createSessionsTools({ open: sessions.open })) registry.register(tool);

const { key, caller } = sessions.create({ agent: "main" });
// #endregion

// #region run
async function answer({ caller, messages }: SessionRun): Promise<string> {
  const { content, from } = messages().at(-1)!.message;
  console.log(`${caller.agent} hears from a ${from!.kind}: ${withoutKeys(content!)}`);
  if (caller.agent === "main") return "Thank you.";
  const write = await registry.invoke("write", {}, { caller });
  return write.ok ? "I wrote." : write.error.split(". ")[0]!;
}

/** Keys of children are different each time. */
function withoutKeys(text: string): string {
  return text.replaceAll(/agent:\S+/g, "…").replaceAll(/\n+/g, "\n  ");
}
// #endregion

// #region spawn
const started = await registry.invoke("sessions_spawn", { task: "Write it.", agentId: "helper", tools: ["read"] }, { caller });
// #endregion
assert.equal(started.ok && (started.data as { status: string }).status, "accepted");

// The result of the child comes as a message, which wakes the parent.
const messagesOf = async (): Promise<readonly { role: string; text: string }[]> => {
  const history = await registry.invoke("sessions_history", { sessionKey: key }, { caller });
  return history.ok ? (history.data as { messages: { role: string; text: string }[] }).messages : [];
};
while ((await messagesOf()).length < 2) await new Promise((resolve) => setImmediate(resolve));
const [result, thanks] = await messagesOf();
assert.match(result!.text, /inherited from whoever began it/);
assert.equal(thanks!.text, "Thank you.");
sessions.close();
