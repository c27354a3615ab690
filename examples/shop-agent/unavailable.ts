// Known tools without an implementation: listed with the reason, never offered.
import assert from "node:assert/strict";
// #region imports
import { createRegistry } from "@toolrack/core";
import { createCapabilities } from "@toolrack/core/node";
import { createUnavailableTools, unavailableCapabilities } from "@toolrack/tools";
// #endregion

export async function showUnavailable(): Promise<void> {
  // #region unavailable
  const registry = createRegistry({ capabilities: createCapabilities({ checks: unavailableCapabilities }) });
  for (const tool of createUnavailableTools()) registry.register(tool);
  const { state, reason } = registry.entries().find(({ tool }) => tool.name === "canvas")!;
  console.log(`canvas: ${state}. ${reason}`);
  // #endregion
  assert.equal(registry.view({}).tools.length, 0);
}
