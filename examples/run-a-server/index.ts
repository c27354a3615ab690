// A server from a configuration file: origins of settings, overrides through the API, approvals.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
// #region imports
import { openServer } from "@toolrack/server";
// #endregion

const file = fileURLToPath(new URL("../../run-a-server/toolrack.config.yaml", import.meta.url));

// #region open
const server = await openServer({ config: file, port: 0 }); // options override the file
const { rack } = server;
for (const { key, origin } of rack.settings.list()) console.log(`${key}: ${origin}`);
// #endregion

// #region explain
const caller = { agent: "support" };
const [verdict, remedy] = rack.registry.explain("calculator", caller).sentences;
console.log(verdict);
console.log(remedy);
// #endregion
assert(verdict?.includes("toolrack.config.yaml:13"));

// #region override
await rack.settings.set("policy.agents.support", { tools: { deny: [] } }, "anna");
const result = await rack.call("calculator", { expression: "6 * 7" }, { caller }).result;
console.log(result.ok && result.content, rack.settings.get("policy.agents.support")?.origin);
await rack.settings.reset("policy.agents.support", "anna"); // the value of the file applies again
// #endregion
assert(result.ok && !rack.registry.explain("calculator", caller).allowed);

// #region approve
const asking = rack.call("random", { min: 1, max: 6 }, { caller: { agent: "support", session: "s1" } });
const [question] = await untilAsked();
await rack.approvals.decide(question!.id, { approved: true, scope: "session", digest: question!.digest, by: "anna" });
console.log(question!.tool, question!.input, (await asking.result).ok);
// #endregion
assert((await rack.call("random", { min: 1, max: 6 }, { caller: { agent: "support", session: "s1" } }).result).ok);

await server.close();

// #region wait
async function untilAsked(): Promise<Awaited<ReturnType<typeof rack.approvals.list>>> {
  for (;;) {
    const waiting = await rack.approvals.list();
    if (waiting.length > 0) return waiting;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
// #endregion
