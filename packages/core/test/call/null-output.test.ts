import { expect, it } from "vitest";
import { createRegistry } from "../../src/registry/create.ts";
import { defineTool } from "../../src/tool/tool.ts";
import type { ToolResult } from "../../src/tool/result.ts";

async function outputOf(type: string | readonly string[], returned: unknown): Promise<ToolResult> {
  const registry = createRegistry({ outputValidation: "strict" });
  const outputSchema: object = { type };
  registry.register(
    defineTool({ name: "find", description: "Finds.", inputSchema: { type: "object" }, outputSchema, handler: () => returned as never }),
  );
  return registry.invoke("find", {});
}

it("null is a valid output where the schema allows it", async () => {
  expect(await outputOf(["object", "null"], null)).toMatchObject({ ok: true });
  expect(await outputOf("object", null)).toMatchObject({ ok: false, code: "OUTPUT_INVALID" });
});

it("an issue of an output speaks of the output", async () => {
  const result = await outputOf("object", 5);
  expect(result).toMatchObject({ ok: false, code: "OUTPUT_INVALID", issues: [{ message: expect.stringMatching(/^The output must be/) }] });
});
