import { openTestRack } from "@toolrack/testkit/test-rack";
import { serverOver } from "@toolrack/testkit/test-server";
import { describe, expect, it } from "vitest";

const config = { store: { memory: true }, tools: { packs: { utility: true } } } as const;
const order = (id: string, context: object, more: object = {}) => ({ id, schema_name: "order.v1", title: id, context, ...more });

describe("records as models see them", () => {
  // row: G22
  it("go by the view of the record, else by the one that a curator wrote for the schema, over HTTP and by tools", async () => {
    const { as } = serverOver(await openTestRack({ config }));
    const [curator, emitter] = [await as("cora", "curator"), await as("emil", "emitter", "subscriber")];
    const view = { exclude: ["card"], transform: { summary: { template: "{name}: {total}" } } };
    const schemaView = { id: "schema-view:order.v1", schema_name: "schema.view.v1", title: "Orders", context: view };
    expect((await curator("POST", "/breadcrumbs", schemaView)).status).toBe(201);
    const whole = { name: "Ada", total: 3, card: "4111" };
    expect((await emitter("POST", "/breadcrumbs", order("by-schema", whole))).status).toBe(201);
    expect((await emitter("POST", "/breadcrumbs", order("by-own", whole, { model_view: { include: ["total"] } }))).status).toBe(201);
    expect((await emitter("POST", "/breadcrumbs", order("broken", { card: "4111" }))).status).toBe(201);
    const seen = async (id: string): Promise<unknown> => (await emitter("GET", `/breadcrumbs/${id}/model-view`)).body.context;
    expect(await seen("by-schema")).toEqual({ name: "Ada", total: 3, summary: "Ada: 3" });
    expect(await seen("by-own")).toEqual({ total: 3 });
    expect(await emitter("GET", "/breadcrumbs/broken/model-view")).toMatchObject({
      status: 422,
      body: { code: "VIEW_FAILED", detail: expect.stringContaining('needs "name" for "summary"') },
    });
    expect((await emitter("GET", "/breadcrumbs/by-own")).body.context).toEqual(whole);

    const search = { input: { schema_name: "order.v1", include_context: true } };
    const { records } = (await emitter("POST", "/tools/breadcrumb_search/call", search)).body.data;
    const byId = Object.fromEntries(records.map((record: { id: string }) => [record.id, record]));
    expect(byId["by-schema"].context).toEqual({ name: "Ada", total: 3, summary: "Ada: 3" });
    expect(byId["by-own"].context).toEqual({ total: 3 });
    expect(byId["broken"]).toEqual(expect.objectContaining({ view_error: expect.stringContaining('"name"') }));
    expect(byId["broken"]).not.toHaveProperty("context");
    const update = { input: { id: "by-own", context: { total: 4 }, version: 1 } };
    expect((await emitter("POST", "/tools/breadcrumb_update/call", update)).body.data.record.context).toEqual({ total: 4 });
  });

  // row: G22
  it("have no code of a tool in them, whatever their view is; a view of somebody who is no curator does not count", async () => {
    const { as } = serverOver(await openTestRack({ config }));
    const emitter = await as("emil", "emitter", "subscriber");
    const definition = {
      id: "tool-def-odd",
      schema_name: "tool.definition.v1",
      title: "odd",
      model_view: { transform: { copied: { extract: "name" } } },
      context: {
        name: "odd",
        description: "Odd.",
        inputSchema: { type: "object" },
        implementation: { kind: "code", source: "return 42;", tools: [] },
      },
    };
    expect((await emitter("POST", "/breadcrumbs", definition)).status).toBe(201);
    const forged = { id: "schema-view:order.v1", schema_name: "schema.view.v1", title: "x", context: { include: ["nothing"] } };
    expect((await emitter("POST", "/breadcrumbs", forged)).status).toBe(201);
    await emitter("POST", "/breadcrumbs", order("plain", { total: 1 }));
    const shown = (await emitter("GET", "/breadcrumbs/tool-def-odd/model-view")).body;
    expect(shown.context).toMatchObject({ name: "odd", copied: "odd", implementation: { kind: "code" } });
    expect(JSON.stringify(shown)).not.toContain("return 42");
    const copying = { ...definition, id: "tool-def-even", title: "even", context: { ...definition.context, name: "even" } };
    const copied = { ...copying, model_view: { transform: { copied: { extract: "implementation.source" } } } };
    expect((await emitter("POST", "/breadcrumbs", copied)).status).toBe(201);
    expect(await emitter("GET", "/breadcrumbs/tool-def-even/model-view")).toMatchObject({ status: 422 });
    const search = { input: { schema_name: "tool.definition.v1", include_context: true, limit: 100 } };
    expect(JSON.stringify((await emitter("POST", "/tools/breadcrumb_search/call", search)).body)).not.toContain("return 42");
    expect((await emitter("GET", "/breadcrumbs/plain/model-view")).body.context).toEqual({ total: 1 });
    expect(await emitter("POST", "/breadcrumbs", order("wrong", {}, { model_view: { mode: "hide" } }))).toMatchObject({
      status: 400,
      body: { code: "RECORD_INVALID" },
    });
  });
});
