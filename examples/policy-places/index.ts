// Policy by profile, provider, channel and phase; and simulating a change of the policy.
import assert from "node:assert/strict";
// #region imports
import { type Caller, createRegistry } from "@toolrack/core";
import { coreToolCatalog, diffPolicies, type PolicyConfig, readPolicyConfig } from "@toolrack/core/policy";
import { mockTool } from "@toolrack/core/testing";

const tools = ["read", "write", "exec", "message", "session_status", "web_search"].map((name) => mockTool(name));
// #endregion

// #region places
const policy: PolicyConfig = {
  tools: { profile: "coding", alsoAllow: ["web_*"], byProvider: { "ollama/tiny": { profile: "minimal" } } },
  channels: {
    telegram: {
      tools: { deny: ["group:runtime"] },
      groups: { family: { tools: { allow: ["read"] }, toolsBySender: { "username:ada": {} } } },
    },
  },
  phases: { plan: ["read", "web_search"], build: { deny: ["web_search"] } },
};
// #endregion
// #region callers
const registry = createRegistry({ policy: readPolicyConfig(policy) });
for (const tool of tools) registry.register(tool);

const callers: Caller[] = [
  {},
  { provider: "ollama", model: "tiny" },
  { channel: "telegram" },
  { channel: "telegram", group: "family", sender: "42" },
  { channel: "telegram", group: "family", sender: "username:@Ada" },
  { phase: "plan" },
  { phase: "build" },
  { phase: "party" }, // not among the phases
];
for (const caller of callers) {
  const seen = registry.view(caller).tools.map(({ name }) => name);
  console.log(Object.values(caller).join(" ").padEnd(34), seen.join(", ") || "-");
}
// #endregion
assert.deepEqual(registry.view({ phase: "party" }).tools, []);

// #region diff
const after: PolicyConfig = { ...policy, tools: { ...policy.tools, deny: ["exec"], ask: ["write"] } };
const [everybody] = diffPolicies(policy, after, tools, callers);
const names = (list: readonly { name: string }[]): string => list.map(({ name }) => name).join(", ");
console.log(`lost: ${names(everybody!.lost)}; asked for now: ${names(everybody!.askChanged)}`);
// #endregion
assert.equal(names(everybody!.lost), "exec");

console.log("\nThe catalog:");
// #region catalog
for (const { name, groups, profiles } of coreToolCatalog) console.log(name.padEnd(18), groups[0]?.padEnd(18), profiles.join(", "));
// #endregion
