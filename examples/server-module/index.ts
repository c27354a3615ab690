// A server that a module extends: with a kind of stored tool, a pack, a type of source, a vendor, a wrapper and a lint rule.
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
// #region contract-imports
import { fakeTool, wrapperContract } from "@toolrack/core/testing";
import { implementationContract } from "@toolrack/store/testing";
import { noCardNumbers, template } from "./module.ts";
// #endregion
import { createApp, openRack, ownerOf } from "@toolrack/server";

const folder = await mkdtemp(path.join(tmpdir(), "toolrack-module-"));
await writeFile(path.join(folder, "faq.json"), JSON.stringify({ shipping: "Parcels take two days." }));

// #region configuration
const rack = await openRack({
  folder,
  config: {
    store: { memory: true },
    tools: {
      modules: ["./small.js", "./module.js"].map((file) => fileURLToPath(new URL(file, import.meta.url))),
      packs: { tickets: { prefix: "SHOP" } },
    },
    sources: { help: { type: "faq", options: { file: "./faq.json" } } },
    agents: { support: {} },
  },
});
// #endregion

// #region definition
await rack.store.as({ ...rack.store.actor, approvesOwn: true }).put(
  {
    schema_name: "tool.definition.v1",
    title: "Greeting",
    tags: ["tool:definition"],
    context: {
      name: "greeting",
      description: "Writes a greeting.",
      inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      implementation: { kind: "template", text: "Dear {name}, thank you for your message." },
      state: "approved",
    },
  },
  { approve: { reason: "Looked at it." } },
);
// #endregion
await rack.sources.ready();
await rack.sources.refresh("records");

const call = async (tool: string, input: object): Promise<string> => {
  const result = await rack.call(tool, input, { caller: { agent: "support" } }).result;
  return result.ok ? String(result.content) : result.error;
};
console.log(await call("open_ticket", { title: "A parcel is late" }));
console.log(await call("faq_shipping", {}));
console.log(await call("greeting", { name: "Ada" }));
console.log(await call("open_ticket", { title: "Refund 4111 1111 1111 1111" }));
const supplied = rack.sources.list().find(({ supplies }) => supplies !== undefined)?.supplies;
console.log(JSON.stringify(supplied));

assert.equal(await call("open_ticket", { title: "Another one" }), "SHOP-2");
assert.equal(await call("faq_shipping", {}), "Parcels take two days.");
assert.equal(await call("greeting", { name: "Ada" }), "Dear Ada, thank you for your message.");
assert.match(await call("roll_dice", {}), /^[1-6]$/);
assert.equal(await call("greet", { name: "Ada" }), "Hello, Ada.");
assert.match(await call("open_ticket", { title: "Refund 4111 1111 1111 1111" }), /card number/);
assert.deepEqual(supplied?.packs, ["tickets"]);

// #region export
const app = createApp(rack, { identity: ownerOf(rack) });
const answer = await app.fetch(new Request("http://localhost/api/v1/exports/acme"));
const { tools } = (await answer.json()) as { readonly tools: readonly { readonly kind: string; readonly name: string }[] };
console.log(tools.find(({ name }) => name === "open_ticket")?.kind);
// #endregion
assert(tools.some(({ kind, name }) => kind === "tool" && name === "open_ticket"));

// #region lint
const report = await app.fetch(new Request("http://localhost/api/v1/lint"));
const { findings } = (await report.json()) as { readonly findings: readonly { readonly rule: string; readonly tool: string }[] };
console.log(findings.find(({ rule }) => rule === "starts-with-verb")?.tool);
// #endregion
assert(findings.some(({ rule }) => rule === "starts-with-verb"));
await app.close();
await rack.close();
await rm(folder, { recursive: true });

// #region contracts
const checks = [
  ...implementationContract(() => template, {
    runs: [{ implementation: { text: "Dear {name}," }, input: { name: "Ada" }, content: "Dear Ada," }],
    refused: [{}, { text: 5 }],
  }),
  ...wrapperContract("no-card-numbers", () => noCardNumbers.wrapper, { tool: fakeTool({ name: "open_ticket" }) }),
];
for (const check of checks) await check.run();
// #endregion
assert(checks.length > 15);
