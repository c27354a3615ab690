import { validateValue } from "@toolrack/json-schema";
import { createRandom } from "./_random.ts";
import { describe, it } from "./collect.ts";
import { expect } from "./_expect.ts";
import { buildCatalogFromBreadcrumbs } from "../../catalog/build.ts";
import { catalogContextSchema } from "../../record/schemas/catalog.ts";
import { definition, openrouterConfig, randomDefinition, take, written } from "./_samples.ts";
import type { OpenStore } from "./open.ts";

export function catalogContract(open: OpenStore): void {
  describe("the derived catalog", () => {
    // row: H3
    it("can be fetched and searched like a record, and says which tools have a configuration", async () => {
      const store = await open();
      expect(await store.get("tool-catalog")).toBeUndefined();
      written(await store.put(randomDefinition));
      written(await store.put(definition("openrouter")));
      const config = written(await store.put(openrouterConfig));
      const catalog = (await store.get("tool-catalog"))!;
      expect(catalog).toMatchObject({ schema_name: "tool.catalog.v1", title: "Tool Catalog", tags: ["tool:catalog", "workspace:tools"] });
      expect(catalog.context).toMatchObject({ totalTools: 2, lastUpdated: config.updated_at });
      expect(catalog.context["tools"]).toEqual([
        { ...definition("openrouter").context, hasConfig: true, configId: "openrouter" },
        { ...randomDefinition.context, hasConfig: false },
      ]);
      expect(validateValue(catalogContextSchema, catalog.context)).toMatchObject({ ok: true });
      const found = await store.search({ schema_name: "tool.catalog.v1", includeContext: true });
      expect(found.records).toEqual([catalog]);
    });

    it("is one event for each transaction that changes it, after the change itself", async () => {
      const store = await open();
      written(await store.put(randomDefinition));
      written(await store.addTags("tool-def-random", ["unrelated"]));
      written(await store.remove("tool-def-random"));
      expect((await take(store, 5)).map(({ type, record }) => `${type} ${record.id}`)).toEqual([
        "created tool-def-random",
        "created tool-catalog",
        "updated tool-def-random",
        "deleted tool-def-random",
        "updated tool-catalog",
      ]);
      expect((await store.get("tool-catalog"))?.context).toMatchObject({ totalTools: 0, tools: [], lastUpdated: null });
    });

    // row: H3
    it("has the same hash kept step by step as built from scratch, whatever happens", async () => {
      const random = createRandom(2);
      for (let round = 0; round < 12; round++) {
        const store = await open();
        for (let steps = random.integer(1, 12); steps > 0; steps--) {
          const deed = random.pick(["define", "define", "define", "remove", "configure", "unconfigure", "draft", "untag"]);
          const [tool, text] = [random.pick(["a", "b", "c"]), random.pick(["one", "two"])];
          const id = `tool-def-${tool}`;
          const version = (await store.get(deed.includes("configure") ? `tool-config-${tool}` : id))?.version;
          const at = version === undefined ? {} : { version };
          if (deed === "define") await store.put(definition(tool, { description: text }, at));
          if (deed === "draft") await store.put(definition(tool, { state: "draft" }, at));
          if (deed === "untag") await store.removeTags(id, ["workspace:tools"]);
          if (deed === "remove") await store.remove(id);
          if (deed === "configure")
            await store.put({ schema_name: "tool.config.v1", tags: [`tool:config:${tool}`], context: { tool, config: {} }, ...at });
          if (deed === "unconfigure") await store.remove(`tool-config-${tool}`);
        }
        const built = await buildCatalogFromBreadcrumbs(store);
        const [kept] = (await store.search({ schema_name: "tool.catalog.v1" })).records;
        if (kept === undefined) {
          expect(built.context.totalTools).toBe(0);
          continue;
        }
        const [event] = (await store.history("tool-catalog", { limit: 1 })).map(({ record }) => record.context);
        expect(event).toEqual({ hash: built.context.hash, totalTools: built.context.totalTools });
        expect((await store.get("tool-catalog"))?.context).toEqual(built.context);
      }
    });

    it("can be built from the plain records of another system", async () => {
      const records = [randomDefinition, openrouterConfig, definition("openrouter", {}, { id: "tool-def-openrouter" })];
      const catalog = await buildCatalogFromBreadcrumbs({
        searchBreadcrumbs: async ({ schema_name, tag }) =>
          records
            .filter(
              (record) => (schema_name ?? record.schema_name) === record.schema_name && (tag === undefined || record.tags!.includes(tag)),
            )
            .map(({ id }) => ({ id: id! })),
        getBreadcrumb: async (wanted) =>
          records
            .map(({ id, schema_name, tags, context }) => ({ id: id!, schema_name, tags: tags!, context }))
            .find(({ id }) => id === wanted),
      });
      expect(catalog).toMatchObject({ schema_name: "tool.catalog.v1", context: { totalTools: 2, lastUpdated: null } });
      expect(catalog.context.tools.map(({ hasConfig, configId }) => [hasConfig, configId])).toEqual([
        [true, "openrouter"],
        [false, undefined],
      ]);
    });

    // row: H3
    it("cannot be written", async () => {
      const store = await open();
      written(await store.put(randomDefinition));
      await expect(store.put({ schema_name: "tool.catalog.v1", context: {} })).rejects.toThrow(/derived/);
      await expect(store.put({ id: "tool-catalog", schema_name: "note.v1", context: {} })).rejects.toMatchObject({ code: "FORBIDDEN" });
      await expect(store.addTags("tool-catalog", ["x"])).rejects.toMatchObject({ code: "FORBIDDEN" });
      await expect(store.remove("tool-catalog")).rejects.toMatchObject({ code: "FORBIDDEN" });
    });
  });
}
