import { defineTool } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../../src/index.ts";
import { stateOf } from "../../src/catalog/state.ts";
import { publishTool, toDefinitionDraft } from "../../src/tools/publish.ts";

const tool = defineTool({ name: "lamp", description: "Sets a lamp.", inputSchema: { type: "object", properties: {} }, handler: () => "" });

describe("a tool as a record", () => {
  it("says what the tool says, and is found by its tags", () => {
    expect(toDefinitionDraft(tool)).toEqual({
      id: "tool-def-lamp",
      schema_name: "tool.definition.v1",
      title: "lamp",
      tags: ["tool:definition", expect.any(String)],
      context: { name: "lamp", description: "Sets a lamp.", inputSchema: tool.inputSchema },
    });
    const metadata = { category: "home", tags: ["light", "mine"], usageHint: "Often.", when: () => true, pluginId: "p" };
    const whole = { ...tool, title: "A lamp", version: "2", outputSchema: { type: "object" }, metadata };
    const draft = toDefinitionDraft(whole as never, { tags: ["mine", "more"] });
    expect(draft).toMatchObject({ id: "tool-def-lamp", title: "A lamp" });
    expect(draft.tags!.slice(2)).toEqual(["category:home", "light", "mine", "more"]);
    expect(draft.context).toEqual({
      name: "lamp",
      version: "2",
      description: "Sets a lamp.",
      category: "home",
      inputSchema: tool.inputSchema,
      outputSchema: { type: "object" },
      usageHint: "Often.",
    });
    expect(toDefinitionDraft(whole as never, { beside: true }).id).toBe("tool-def-lamp@2");
    expect(toDefinitionDraft(tool, { beside: true }).id).toBe("tool-def-lamp");
  });

  it("keeps its state, its review and why it is deprecated when it is published again, and adds tags", async () => {
    const store = createMemoryStore();
    const deprecated = { since: "2026-01-01", successor: "bulb" };
    const { id, ...draft } = toDefinitionDraft(tool);
    await store.put({ ...draft, id: id!, tags: [...draft.tags!, "own"], context: { ...draft.context, state: "deprecated", deprecated } });
    const again = await publishTool(store, { ...tool, description: "Sets another lamp." }, { tags: ["new"] });
    expect(again).toMatchObject({ ok: true, record: { context: { state: "deprecated", deprecated, description: "Sets another lamp." } } });
    expect((await store.get("tool-def-lamp"))!.tags).toEqual([...draft.tags!, "own", "new"]);
    expect(await publishTool(store, { ...tool, description: "Sets another lamp." })).toMatchObject({ ok: true, changed: false });
    expect(await publishTool(store, { ...tool, description: "Sets another lamp.", title: "Lamp" })).toMatchObject({
      record: { title: "Lamp" },
    });
  });

  it("of a curator who may not approve their own is a draft again when it changes", async () => {
    const store = createMemoryStore();
    await publishTool(store, tool);
    const curator = store.as({ owner: store.actor.owner, agent: "ada", roles: ["curator"] });
    expect(stateOf((await store.get("tool-def-lamp"))!)).toBe("approved");
    const changed = await publishTool(curator, { ...tool, description: "Sets another lamp." });
    expect(changed).toMatchObject({ ok: true });
    expect(stateOf((await store.get("tool-def-lamp"))!)).toBe("draft");
    await publishTool(store, { ...tool, description: "Sets a third lamp." });
    expect(stateOf((await store.get("tool-def-lamp"))!)).toBe("draft");
  });
});
