import { Validator } from "@seriousme/openapi-schema-validator";
import { defineTool } from "@toolrack/core";
import { testTools } from "@toolrack/testkit/test-tools";
import { OpenAPIClientAxios, type Document } from "openapi-client-axios";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pathOf } from "../../src/http/request/handle.ts";
import { toOpenApi } from "../../src/openapi.ts";
import { openRack } from "../../src/rack/open.ts";
import { routes } from "../../src/routes.ts";
import { serve, type Served } from "../../src/serve.ts";

const document = toOpenApi(routes, "1.2.3");

describe("the OpenAPI document", () => {
  // row: I4
  it("is valid OpenAPI 3.1", async () => {
    const validator = new Validator();
    const checked = await validator.validate(structuredClone(document) as Record<string, unknown>);
    expect(checked.errors ?? []).toEqual([]);
    expect(checked.valid).toBe(true);
    expect(validator.version).toBe("3.1");
  });

  it.each(routes.map((route) => [`${route.method} ${pathOf(route)}`, route] as const))("%s says all that a client needs", (_, route) => {
    expect(route.id).toMatch(/^[a-z][A-Za-z]+$/);
    expect(route.summary).toMatch(/^[A-Z].*\.$/);
    expect(route.group).toMatch(/^[a-z-]+$/);
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(Object.keys((route.params?.["properties"] ?? {}) as object)).toEqual(inPath);
    expect(Object.keys(route.answers).length).toBeGreaterThan(0);
    for (const [status, { description, schema, contentType }] of Object.entries(route.answers)) {
      expect(description).not.toBe("");
      if (status !== "204") expect(schema ?? contentType).toBeDefined();
    }
    for (const schema of [route.query, route.params]) if (schema !== undefined) expect(schema["additionalProperties"]).toBe(false);
    if (route.method === "GET") expect(route.body).toBeUndefined();
  });

  it("has every operation id and every place once", () => {
    expect(new Set(routes.map(({ id }) => id)).size).toBe(routes.length);
    const places = routes.map((route) => `${route.method} ${pathOf(route).replaceAll(/\{\w+\}/g, "{}")}`);
    expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([]);
  });
});

describe("a client generated from the document", () => {
  let served: Served;
  let authorization = "";
  beforeAll(async () => {
    const configured = defineTool({
      name: "greet",
      description: "Greets.",
      inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      metadata: { configSchema: { type: "object", properties: { greeting: { type: "string" } }, required: ["greeting"] } },
      handler: ({ name }, { config }) => `${(config as { greeting: string }).greeting}, ${name}!`,
    });
    const rack = await openRack({ environment: {}, config: { store: { memory: true } }, tools: [...testTools, configured] });
    served = await serve(rack, { port: 0, consoleFolder: false, checkAnswers: true });
    authorization = `Bearer ${rack.ownerToken.text}`;
  });
  afterAll(() => served.close({ graceMs: 0 }));

  // row: I4
  it("lists, configures, calls and reads the history (I4)", async () => {
    const definition = (await (await fetch(`${served.url}/openapi.json`)).json()) as Document;
    const api = new OpenAPIClientAxios({
      definition,
      withServer: { url: served.url },
      axiosConfigDefaults: { headers: { authorization } },
    });
    const client = await api.init();
    const listed = await client["listTools"]!();
    expect((listed.data as { tools: { name: string }[] }).tools.map(({ name }) => name)).toContain("echo");

    await client["saveConfig"]!({ tool: "greet" }, { greeting: "Hello" });
    const config = await client["getConfig"]!({ tool: "greet" });
    expect(config.data).toMatchObject({ values: { greeting: "Hello" }, version: 1 });
    const called = await client["callTool"]!({ name: "greet" }, { input: { name: "Anna" } });
    expect(called.data).toMatchObject({ ok: true, content: "Hello, Anna!" });

    await client["saveConfig"]!({ tool: "greet" }, { greeting: "Good day" });
    const found = await client["searchBreadcrumbs"]!({ schema_name: "tool.config.v1" });
    const [{ id }] = (found.data as { records: [{ id: string }] }).records;
    const history = await client["getBreadcrumbHistory"]!({ id });
    expect(
      (history.data as { changes: { record: { context: { config: object } } }[] }).changes.map(({ record }) => record.context.config),
    ).toEqual([{ greeting: "Good day" }, { greeting: "Hello" }]);
    const calls = await client["listCalls"]!();
    expect(JSON.stringify(calls.data)).toContain("greet");
    await expect(client["getBreadcrumb"]!({ id: "nothing" })).rejects.toMatchObject({
      response: { status: 404, data: { code: "NOT_FOUND" } },
    });
  });
});
