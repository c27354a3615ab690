import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import { isCallable, stateOf } from "../../src/catalog/state.ts";
import { type Configs, createConfigs, missingSettings } from "../../src/config/configs.ts";
import { meetsSearch } from "../../src/query/search.ts";
import { type Breadcrumb, contentOf } from "../../src/record/breadcrumb.ts";
import { definitionHash } from "../../src/record/decision.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import type { BreadcrumbStore } from "../../src/store/store.ts";
import { definition, written } from "../../src/testing/contract/_samples.ts";

async function open(): Promise<{ readonly store: BreadcrumbStore; readonly configs: Configs }> {
  const store = createMemoryStore();
  const configs = await createConfigs(store);
  afterThisTest(async () => {
    await configs.close();
    await store.close();
  });
  return { store, configs };
}
const configSchema = { type: "object", properties: { max: { type: "number" }, url: { default: "x" } }, required: ["max", "url"] };

describe("the configuration of a tool", () => {
  it("is stored as a private record with its tags, and goes on from the version that is there", async () => {
    const { store, configs } = await open();
    const first = written(await configs.save("greet", { max: 3 }));
    expect(contentOf((await store.get(first.id))!)).toEqual({
      schema_name: "tool.config.v1",
      title: "Configuration of greet",
      tags: ["tool:config", "tool:config:greet"],
      visibility: "private",
      sensitivity: "low",
      context: { tool: "greet", config: { max: 3 } },
    });
    expect([first.id, await configs.get("greet"), await configs.get("other")]).toEqual(["tool-config-greet", { max: 3 }, undefined]);
    expect(written(await configs.save("greet", { max: 4 })).version).toBe(2);
    expect(await configs.save("greet", { max: 5 }, { version: 1 })).toMatchObject({ ok: false });
    expect(await configs.get("greet")).toEqual({ max: 4 });
    written(await configs.remove("greet"));
    expect([await configs.get("greet"), await configs.remove("greet")]).toMatchObject([undefined, { ok: false }]);
  });

  it("keeps the title and the tags that somebody gave it, under the id that it has", async () => {
    const { store, configs } = await open();
    const own = { id: "mine", schema_name: "tool.config.v1", title: "Mine", tags: ["x"], context: { tool: "greet", config: {} } };
    written(await store.put(own));
    const saved = written(await configs.save("greet", { max: 1 }));
    expect(await store.get("mine")).toMatchObject({ id: saved.id, title: "Mine", tags: ["x"], context: { config: { max: 1 } } });
    written(await configs.remove("greet"));
    expect(await store.get("mine")).toBeUndefined();
  });

  it("is checked against the schema that is given, or that the stored definition has, under whatever id", async () => {
    const { store, configs } = await open();
    const wrong = { code: "CONFIG_INVALID", message: expect.stringMatching(/^The configuration of "greet" is wrong: ./) };
    await expect(configs.save("greet", { max: "x" }, { configSchema })).rejects.toMatchObject(wrong);
    written(await configs.save("greet", { max: "x" }));
    const sample = definition("greet");
    written(await store.put({ ...sample, context: { ...sample.context, configSchema } }));
    await expect(configs.save("greet", { max: "x" })).rejects.toMatchObject(wrong);
    written(await configs.save("greet", {}));
    const other = definition("wave");
    written(await store.put({ ...other, id: "another", context: { ...other.context, configSchema } }));
    await expect(configs.save("wave", { max: "x" })).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    written(await configs.save("none", { max: "x" }));
  });

  it("lacks what is required, is not saved and has no default", async () => {
    expect(missingSettings(undefined, undefined)).toEqual([]);
    expect(missingSettings({ required: "max" } as never, {})).toEqual([]);
    expect([missingSettings(configSchema as never, undefined), missingSettings(configSchema as never, { max: 1 })]).toEqual([["max"], []]);
    expect(missingSettings({ required: ["toString", "a"], properties: { a: {} } } as never, {})).toEqual(["toString", "a"]);
    const { configs } = await open();
    const tool = { name: "greet", metadata: { configSchema } } as never;
    expect(configs.missing(tool)).toEqual(["max"]);
    await configs.save("greet", { max: 1 });
    expect([configs.missing(tool), configs.missing({ name: "greet" } as never)]).toEqual([[], []]);
  });
});

describe("the state of a definition", () => {
  const context = { name: "a" };
  const decided = (decision: string, more: object = {}, title?: string) =>
    stateOf({
      context: { ...context, ...more },
      updated_as: "emitter",
      ...(title !== undefined && { title }),
      decision: { decision, hash: definitionHash({ title: title ?? "", context }) },
    } as never);

  it("is what was decided about its content, and its content can only restrict that", () => {
    expect(["approved", "deprecated", "archived", "other"].map((one) => decided(one))).toEqual([
      "approved",
      "deprecated",
      "archived",
      "draft",
    ]);
    expect(decided("approved", {}, "A title")).toBe("approved");
    for (const state of ["draft", "validated", "archived", "changed"]) expect(decided("approved", { state })).toBe(state);
    expect([decided("approved", { state: "approved" }), decided("archived", { state: "draft" })]).toEqual(["approved", "archived"]);
    expect(decided("approved", { description: "another" })).toBe("draft");
    expect(stateOf({ context, updated_as: "curator" } as never)).toBe("draft");
    expect([stateOf({ context }), stateOf({ context: { state: "deprecated" } })]).toEqual(["approved", "deprecated"]);
  });

  it("lets it be called where it is approved or deprecated", () => {
    const states = ["draft", "validated", "approved", "deprecated", "archived", "changed"] as const;
    expect(states.filter(isCallable)).toEqual(["approved", "deprecated"]);
  });
});

describe("what an author wrote of a record", () => {
  const record = {
    id: "r",
    schema_name: "note.v1",
    title: "Hello World",
    tags: ["a"],
    context: { text: "some words" },
    visibility: "team",
    sensitivity: "low",
    version: 3,
  } as unknown as Breadcrumb;

  it("has its optional fields where it has them", () => {
    const { id: _, version: __, ...content } = record as unknown as Record<string, unknown>;
    expect(contentOf(record)).toStrictEqual(content);
    const more = { semantic_version: "1.0.0", model_view: { include: ["a"] }, ttl: { reads: 1 }, grants: { ann: "read" } };
    expect(contentOf({ ...record, ...more } as never)).toStrictEqual({ ...content, ...more });
  });

  it("is found by the beginnings of its words and by its tags", () => {
    for (const [query, isFound] of [
      [{ text: "hel wor" }, true],
      [{ text: "hel none" }, false],
      [{ text: "ello" }, false],
      [{ tag: "a", text: "words" }, true],
      [{ noneTags: ["a"] }, false],
      [{}, true],
    ] as const)
      expect(meetsSearch(record, query as never), JSON.stringify(query)).toBe(isFound);
  });

  it.each(["allTags", "anyTags", "noneTags"])("is searched with at most 64 %s", (field) => {
    const tags = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);
    expect(() => meetsSearch(record, { [field]: tags(64) })).not.toThrow();
    for (const wrong of [tags(65), "a"])
      expect(() => meetsSearch(record, { [field]: wrong } as never)).toThrow(`${field} must be a list of at most 64 tags.`);
  });
});
