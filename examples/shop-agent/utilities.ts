// Small tools, and the tools that work on records.
import assert from "node:assert/strict";
// #region imports
import { createRegistry } from "@toolrack/core";
import {
  approveDefinition,
  type BreadcrumbStore,
  createMemoryStore,
  definitionHash,
  type JsonObject,
  type Role,
  validateDefinition,
} from "@toolrack/store";
import { createUtilityTools } from "@toolrack/tools";
// #endregion

export async function showUtilities(): Promise<void> {
  // #region records
  const store = await createMemoryStore();
  const storeOf = ({ agent = "nobody", roles = [] }: { agent?: string; roles?: readonly string[] }): BreadcrumbStore =>
    store.as({ owner: "local", agent, roles: roles as Role[] });
  const registry = createRegistry();
  const tools = createUtilityTools({
    breadcrumbs: ({ caller }) => storeOf(caller), // the store with the rights of the caller
    async approve({ caller }, id, decision) {
      await validateDefinition(storeOf(caller), id);
      return approveDefinition(storeOf(caller), id, decision); // refused if the content does not have decision.hash
    },
    definitionHash: ({ title, context }) => definitionHash({ title, context: context as JsonObject }), // shown by breadcrumb_search
  });
  for (const tool of tools) registry.register(tool);
  const definition = {
    schema_name: "tool.definition.v1",
    context: { name: "greet", description: "Greets somebody.", inputSchema: { type: "object" }, outputSchema: { type: "object" } },
  };
  const created = await registry.invoke("breadcrumb_create", definition, { caller: { agent: "maker", roles: ["emitter"] } });
  const own = await registry.invoke(
    "breadcrumb_approve",
    { id: "tool-def-greet", hash: "…", reason: "Mine" },
    { caller: { agent: "maker", roles: ["emitter"] } },
  );
  console.log(own.ok ? own.content : own.error);
  // #endregion
  assert(created.ok, JSON.stringify(created));
  assert(!own.ok && own.code === "TOOL_NOT_ALLOWED");

  // #region utilities
  const sum = await registry.invoke("calculator", { expression: "round(1299.5 * 1.19, 2)" });
  const names = await registry.invoke("json_transform", {
    data: { items: [{ name: "tea" }] },
    operation: "extract",
    json_path: "items[*].name",
  });
  console.log(sum.ok && sum.content, names.ok && names.content);
  // #endregion
  assert(sum.ok && (sum.data as { result: number }).result === 1546.41);
  assert(names.ok);
  await store.close();
}
