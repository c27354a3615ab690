import { createRegistry, defineTool } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { createConfigs } from "../../src/config/configs.ts";
import { buildCatalogFromBreadcrumbs } from "../../src/catalog/build.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { recordSource } from "../../src/tools/record-source.ts";
import { RCRTToolWrapper } from "../../src/tools/tool-wrapper.ts";

const random = defineTool({
  name: "random",
  description: "Generates numbers.",
  inputSchema: { type: "object", properties: { count: { type: "integer", default: 1 } } },
  metadata: { category: "general", examples: [{ description: "One", input: {}, output: { numbers: [7] }, usage: "result.numbers[0]" }] },
  handler: ({ count }) => ({ numbers: Array<number>(count ?? 1).fill(7) }),
});

describe("RCRTToolWrapper", () => {
  it("writes the definition of its tool as a record, once, and the catalog lists it", async () => {
    const store = createMemoryStore();
    const wrapper = new RCRTToolWrapper(random, store);
    expect(await wrapper.start()).toMatchObject({
      ok: true,
      changed: true,
      record: { schema_name: "tool.definition.v1", id: "tool-def-random" },
    });
    expect(await wrapper.start()).toMatchObject({ ok: true, changed: false });
    expect((await buildCatalogFromBreadcrumbs(store)).context).toMatchObject({
      totalTools: 1,
      tools: [{ name: "random", hasConfig: false }],
    });
  });

  it("takes a tool in any shape, and gives the handlers by which records run in this process", async () => {
    const store = createMemoryStore();
    const wrapper = new RCRTToolWrapper(
      { name: "echo", description: "Echoes.", parameters: { type: "object" }, execute: (input: unknown) => JSON.stringify(input) },
      store,
    );
    await wrapper.start();
    const registry = createRegistry();
    await registry.addSource(recordSource(store, { handlers: wrapper.handlers }));
    expect(await registry.invoke("echo", { a: 1 })).toMatchObject({ ok: true, content: '{"a":1}' });
    await registry.close();
  });

  it("checks and transforms input as the schema of its tool does, which no record can hold", async () => {
    const store = createMemoryStore();
    const even = {
      "~standard": {
        version: 1,
        jsonSchema: { input: () => ({ type: "object", properties: { n: { type: "number" } }, required: ["n"] }) },
        vendor: "own",
        validate: (value: unknown) => {
          const { n } = value as { n: number };
          return n % 2 === 0 ? { value: { n, half: n / 2 } } : { issues: [{ message: "must be even", path: ["n"] }] };
        },
      },
    };
    const tool = { name: "half", description: "Halves.", inputSchema: even, handler: (input: unknown) => input };
    const wrapper = new RCRTToolWrapper(defineTool(tool as never), store);
    await wrapper.start();
    const registry = createRegistry();
    await registry.addSource(recordSource(store, { handlers: wrapper.handlers }));
    expect(await registry.invoke("half", { n: 3 })).toMatchObject({
      ok: false,
      code: "INPUT_INVALID",
      error: expect.stringContaining("must be even"),
    });
    expect(await registry.invoke("half", { n: 4 })).toMatchObject({ ok: true, data: { half: 2 } });
    await registry.close();
  });

  it("has the configuration of its tool in the catalog, as hasConfig and configId", async () => {
    const store = createMemoryStore();
    await new RCRTToolWrapper(random, store).start();
    const configs = await createConfigs(store);
    await configs.save("random", { seed: 5 });
    await configs.close();
    const [tool] = (await buildCatalogFromBreadcrumbs(store)).context.tools;
    expect(tool).toMatchObject({ hasConfig: true, configId: "tool-config-random" });
  });
});
