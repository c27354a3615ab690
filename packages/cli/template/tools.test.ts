import assert from "node:assert/strict";
import { test } from "node:test";
import { createRegistry } from "@toolrack/core";
import { assertTool } from "@toolrack/core/testing";
import tools from "./tools.ts";

// Runs the examples of each tool, tries wrong input, and checks its description.
for (const tool of tools) test(`${tool.name} does what its examples show`, () => assertTool(tool));

test("book_table refuses a party that is too large, and says why", async () => {
  const registry = createRegistry();
  for (const tool of tools) registry.register(tool);
  const result = await registry.invoke("book_table", { date: "2030-05-17", guests: 20 });
  assert.ok(!result.ok);
  assert.match(result.error, /guests must be at most 8/);
});
