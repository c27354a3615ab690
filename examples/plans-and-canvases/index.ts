// Plans, proposals and canvases: the packs "automation" and "canvas", on a server in this process.
import assert from "node:assert/strict";
// #region imports
import type { Caller } from "@toolrack/core";
import { openRack } from "@toolrack/server";
// #endregion

// #region open
const rack = await openRack({
  config: {
    store: { memory: true },
    policy: { unknownAgents: "allow" },
    tools: { packs: { utility: true, automation: true, canvas: true } },
  },
});
const caller: Caller = { agent: "writer", principal: "key writer" };
const call = async (tool: string, input: object): Promise<Record<string, any>> => {
  const result = await rack.call(tool, input, { caller }).result;
  return result.ok ? (result.data as Record<string, any>) : { refused: result.error };
};
// #endregion

// #region cron
const plan = {
  action: "add",
  jobId: "morning",
  tool: "calculator",
  input: { expression: "6 * 7" },
  cron: "0 7 * * 1-5",
  tz: "Europe/Berlin",
};
const { job, note } = await call("cron", plan);
console.log(`${job.jobId}: ${job.state}. ${note}`);
for (const { id, when } of rack.automation.schedules.waiting()) console.log(id, when);
// #endregion

// #region gateway
await call("gateway", { action: "config.patch", changes: { "bundles.desk": { required: ["calculator"] } }, note: "For the desk." });
const [proposal] = rack.proposals.waiting();
console.log(JSON.stringify(proposal!.changes));
console.log((await call("gateway", { action: "config.patch", changes: { "policy.tools": { allow: ["*"] } } }))["refused"]);
// #endregion
assert.equal(rack.settings.get("bundles.desk"), undefined);
await rack.proposals.decide(proposal!.id, { approved: true, digest: proposal!.digest, by: "owner" });
assert.deepEqual(rack.settings.get("bundles.desk")?.value, { required: ["calculator"] });

// #region nodes
console.log(JSON.stringify(await call("nodes", { action: "status" })));
// #endregion

// #region canvas
const html = `<h1>Stock</h1><table><tr><td>Tea</td><td>12</td></tr></table><script>alert("hi")</script>`;
const shown = await call("canvas", { action: "present", canvasId: "stock", title: "Stock", html });
console.log(shown["canvas"].title, "without", shown["removed"].join());
console.log(
  rack.canvases
    .list()
    .map(({ name, title }) => `${name}: ${title}`)
    .join(),
);
// #endregion
assert.doesNotMatch(rack.canvases.list()[0]!.document, /<script/);
await rack.close({ graceMs: 0 });
