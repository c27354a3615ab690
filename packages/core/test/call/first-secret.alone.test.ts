import { expect, it } from "vitest";
import { createMemorySecrets } from "../../src/call/ports/secrets.ts";
import { createRegistry } from "../../src/registry/create.ts";
import { defineTool } from "../../src/tool/tool.ts";

it("the first secret of a process is hidden like every later one: the call succeeds, without it", async () => {
  const registry = createRegistry({ secrets: createMemorySecrets({ key: "s3cret-4711" }) });
  registry.register(
    defineTool({
      name: "pay",
      description: "Pays.",
      inputSchema: { type: "object" },
      metadata: { secrets: ["key"] },
      handler: async (_input, { secret }) => `paid with ${await secret("key")}`,
    }),
  );
  const result = await registry.invoke("pay", {});
  expect(result).toMatchObject({ ok: true, content: expect.stringContaining("paid with") as string });
  expect(JSON.stringify(result)).not.toContain("4711");
});
