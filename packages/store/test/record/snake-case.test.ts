import { createRegistry } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/store/memory.ts";
import { recordSource } from "../../src/tools/record-source.ts";
import { importRecords } from "../../src/files/transfer.ts";

const draft = {
  schema_name: "tool.definition.v1",
  title: "Double",
  tags: ["workspace:tools"],
  context: {
    name: "double",
    description: "Doubles.",
    input_schema: { type: "object", properties: { n_times: { type: "integer" } }, required: ["n_times"] },
    output_schema: { type: "string" },
    usage_hint: "For twice as much.",
    requires_capabilities: ["node"],
    owner_only: true,
  },
};

describe("a definition whose fields are in snake_case", () => {
  it("is stored and served under the names that everything else reads", async () => {
    const store = createMemoryStore();
    expect(await store.put(draft)).toMatchObject({ ok: true });
    const stored = await store.getBreadcrumb("tool-def-double");
    expect(Object.keys(stored!.context).sort()).toEqual([
      "description",
      "inputSchema",
      "name",
      "outputSchema",
      "ownerOnly",
      "requiresCapabilities",
      "usageHint",
    ]);
    const registry = createRegistry();
    await registry.addSource(recordSource(store, { handlers: { double: ({ n_times }) => String(Number(n_times) * 2) } }));
    expect(registry.get("double")?.metadata).toMatchObject({
      usageHint: "For twice as much.",
      requiresCapabilities: ["node"],
      ownerOnly: true,
    });
    expect(await registry.invoke("double", { n_times: 4 }, { caller: { owner: true } })).toMatchObject({ ok: true, content: "8" });
    expect(await registry.invoke("double", {}, { caller: { owner: true } })).toMatchObject({ ok: false, code: "INPUT_INVALID" });
    await registry.close();
  });

  it("is the same record as one in the other spelling, whether written, imported or merged into", async () => {
    const store = createMemoryStore();
    await store.put(draft);
    expect(await importRecords(store, [{ place: "file", value: draft }])).toMatchObject({ unchanged: 1, problems: [] });
    await store.mergeContext("tool-def-double", { usage_hint: "Rarely." });
    const { context } = (await store.get("tool-def-double"))!;
    expect(context).toMatchObject({ usageHint: "Rarely." });
    expect(context).not.toHaveProperty("usage_hint");
  });

  it("is refused where a field is there in both spellings", async () => {
    const both = { ...draft, context: { ...draft.context, usageHint: "Never." } };
    await expect(createMemoryStore().put(both)).rejects.toThrow("context has both usageHint and usage_hint. Remove one of them.");
  });
});

describe("records of other kinds", () => {
  it("keep every name as it was written", async () => {
    const store = createMemoryStore();
    const context = { usage_hint: "a", input_schema: {} };
    await store.put({ id: "n", schema_name: "note.v1", context });
    expect((await store.get("n"))?.context).toEqual(context);
    await store.mergeContext("n", { owner_only: true });
    expect((await store.get("n"))?.context).toEqual({ ...context, owner_only: true });
  });
});
