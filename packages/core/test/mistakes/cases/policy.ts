import { createRegistry, defineTool } from "@toolrack/core";
import { createCelEngine, policyFromConfig, readPolicyConfig } from "@toolrack/core/policy";
import type { Mistake } from "../mistake.ts";

function openShop(): ReturnType<typeof createRegistry> {
  const registry = createRegistry({ policy: readPolicyConfig({ agents: { support: { tools: { deny: ["refund"] } } } }) });
  registry.register(defineTool({ name: "refund", description: "Refunds.", inputSchema: { type: "object" }, handler: () => "refunded" }));
  return registry;
}

export const policy: readonly Mistake[] = [
  { title: "A policy that was not read", define: () => createRegistry({ policy: { tools: { deny: ["refund"] } } }) },
  { title: "The same, put in place later", define: () => openShop().setPolicy({ tools: { deny: ["refund"] } }) },
  { title: "A misspelt key: `agnets`", define: () => readPolicyConfig({ agnets: {} }) },
  { title: "A misspelt list: `denny`", define: () => readPolicyConfig({ tools: { denny: ["refund"] } }) },
  { title: "A list that is a text", define: () => readPolicyConfig({ tools: { deny: "refund" } }) },
  { title: "A group that does not exist", define: () => readPolicyConfig({ tools: { deny: ["group:filez"] } }) },
  { title: "A profile that does not exist", define: () => readPolicyConfig({ tools: { profile: "codin" } }) },
  {
    title: "A condition with an error of syntax",
    define: () =>
      readPolicyConfig({ tools: { conditions: [{ tool: "refund", deny: "input.amount >> 5 &&" }] } }, { engine: createCelEngine() }),
  },
  { title: "A rule about paths without paths", define: () => readPolicyConfig({ tools: { paths: [{ tool: "refund" }] } }) },
  {
    title: "A misspelt fact of a caller, for a list: `agnet`",
    define: openShop,
    call: (shop: ReturnType<typeof openShop>) => shop.view({ agnet: "support" }),
  },
  {
    title: "A misspelt fact of a caller, for a call",
    define: openShop,
    call: (shop: ReturnType<typeof openShop>) => shop.invoke("refund", {}, { caller: { agnet: "support" } }),
  },
  {
    title: "A misspelt fact of a caller, for a policy alone",
    define: () => policyFromConfig({ agents: { support: { tools: { deny: ["refund"] } } } }, { agnet: "support" }),
  },
  { title: "No caller for a list", define: openShop, call: (shop: ReturnType<typeof openShop>) => shop.view() },
];
