// What an operator manages besides definitions: approvals, settings, secrets, the history of calls.
import assert from "node:assert/strict";
// #region imports
import { randomBytes } from "node:crypto";
import { createRegistry } from "@toolrack/core";
import {
  approveDefinition,
  definitionHash,
  createCallLog,
  createConfigs,
  createKeys,
  createMemoryStore,
  createSecrets,
  syncSettings,
  keyAudit,
  recordSource,
  savePolicy,
  validateDefinition,
  verifyAudit,
} from "@toolrack/store";
// #endregion

// #region wire
const store = createMemoryStore(); // or createSqliteStore, createPostgresStore
const keys = createKeys({ current: randomBytes(32) }); // or keysFromEnvironment()
await keyAudit(store, keys); // before anything else is written
const secrets = await createSecrets(store, { keys });
const config = await createConfigs(store);
const calls = createCallLog(store, { redaction: { fields: ["password"], values: () => secrets.seenValues() } });
const registry = createRegistry({ config, secrets, recorder: calls });
const settings = await syncSettings(store, registry); // disabled tools, and the policy
const handlers = {
  send: async (_input: object, context: { secret(name: string): Promise<string> }) => `sent with ${await context.secret("KEY")}`,
};
await registry.addSource(recordSource(store, { handlers }));
// #endregion

// #region lifecycle
const helper = store.as({ owner: "local", agent: "helper", roles: ["emitter"] });
const context = { name: "send", description: "Sends a message.", inputSchema: { type: "object" }, secrets: ["KEY"] };
await helper.put({ schema_name: "tool.definition.v1", context });
console.log("as a draft:", registry.has("send"));
console.log(await validateDefinition(store, "tool-def-send").then(({ ok }) => (ok ? "valid" : "not valid")));
const looked = (await store.get("tool-def-send"))!; // what the curator reviews
await approveDefinition(store, "tool-def-send", { hash: definitionHash(looked), reason: "It does what it says." });
await registry.refreshSource("records"); // at once; otherwise it follows a moment later
console.log("approved:  ", registry.has("send"));
// #endregion
assert(registry.has("send"));

// #region secrets
const before = await registry.invoke("send", {});
console.log(before.ok || before.code);
await secrets.set("KEY", "s3cret-value");
const after = await registry.invoke("send", {}, { caller: { agent: "mailer" } });
console.log(after.ok && after.content);
// #endregion
assert(!before.ok && before.code === "NEEDS_CONFIGURATION" && after.ok);

// #region calls
for (const call of await calls.list()) console.log(call.tool, call.caller.agent ?? "somebody", call.ok);
const check = await verifyAudit(store);
console.log(check.ok && `${check.rows} lines, none changed`);
if (check.ok) for (const limit of check.limits) console.log(`What this cannot show: ${limit}`);
// #endregion
assert(check.ok);

// #region policy
await savePolicy(store, { agents: { guest: { tools: { deny: ["send"] } } } }); // every registry on this store follows
// #endregion
await settings.close();
await registry.close();
await store.close();
