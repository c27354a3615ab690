import { createRegistry, type ToolResult } from "@toolrack/core";
import { createMemoryStore } from "@toolrack/store";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { describe, expect, it } from "vitest";
import { fromTemplate } from "../../src/utility/_tool-templates.ts";
import { createToolCreate, type DefinitionHost } from "../../src/utility/tool-create.ts";

const about = { name: "forecast", description: "Tells the weather of a city." };
const caller = { agent: "bot", roles: ["emitter"] };

async function open(host: Partial<DefinitionHost> = {}) {
  const store = createMemoryStore();
  const writer = store.as({ owner: "local", agent: "bot", roles: ["emitter"] });
  afterThisTest(() => store.close());
  const asked: unknown[] = [];
  const registry = createRegistry();
  const tool = createToolCreate({ breadcrumbs: () => writer, forModels: async (records: unknown) => records } as never, {
    kinds: ["http", "code"],
    problemOf(definition) {
      asked.push(definition);
      return undefined;
    },
    holderOf: () => undefined,
    ...host,
  });
  registry.register(tool);
  const call = (input: object): Promise<ToolResult> => registry.invoke("tool_create", { ...about, ...input }, { caller });
  return { store, asked, tool, call };
}

const schema = { type: "object", properties: { city: { type: "string" } } };
const implementation = { kind: "http", endpoint: "https://w.example/{city}" };

describe("tool_create", () => {
  it("writes a draft, and tells the person's next step", async () => {
    const { store, asked, tool, call } = await open();
    expect(tool.description).toMatch(/Kinds of tools that run here: http, code\.$/);
    const result = await call({ inputSchema: schema, implementation, outputSchema: { type: "string" }, tags: ["weather"] });
    const context = { inputSchema: schema, implementation, outputSchema: { type: "string" }, ...about };
    expect(asked).toEqual([{ title: "forecast", context }]);
    const record = await store.get("tool-def-forecast");
    expect(record).toMatchObject({ schema_name: "tool.definition.v1", title: "forecast", tags: ["tool:definition", "weather"], context });
    expect(record?.decision).toBeUndefined();
    const data = {
      record: expect.objectContaining({ id: "tool-def-forecast", version: 1 }),
      next: "It is a draft. A person reviews and approves it with: toolrack approve forecast",
    };
    expect(result).toMatchObject({ ok: true, data });
    expect(result.ok && JSON.parse(result.content as string)).toMatchObject({ next: data.next });
  });

  it.each([
    [{}, 'With from "new", give inputSchema and implementation. A template makes both: from "template".'],
    [{ inputSchema: schema }, 'With from "new", give inputSchema and implementation. A template makes both: from "template".'],
    [{ implementation }, 'With from "new", give inputSchema and implementation. A template makes both: from "template".'],
    [{ from: "clone" }, 'With from "clone", say which stored tool: clone.'],
    [
      { from: "clone", clone: "nobody" },
      'There is no stored tool "nobody" that you can read. Only tools that are stored as records can be copied.',
    ],
    [{ from: "template" }, 'With from "template", say which template: http-get, http-post, http-put, http-delete, code, chain.'],
    [{ from: "template", template: "http-get" }, 'With from "template", say which template, and the url.'],
    [{ from: "template", template: "code" }, 'With the template "code", give the program: source.'],
    [{ from: "template", template: "chain" }, 'With the template "chain", give the steps.'],
    [
      { from: "template", template: "code", source: "1", parameters: [{ name: "a" }, { name: "a" }] },
      "A parameter is given twice. Name each once.",
    ],
  ])("refuses %j with the reason, and writes nothing", async (input, error) => {
    const { store, call } = await open();
    expect(await call(input)).toMatchObject({ ok: false, code: "INPUT_INVALID", error: expect.stringContaining(error) });
    expect(await store.sequence()).toBe(0);
  });

  it("refuses a name that a source has, what cannot run here, and an id that is taken", async () => {
    const taken = await open({ holderOf: (name) => `source of ${name}` });
    expect(await taken.call({ inputSchema: schema, implementation })).toMatchObject({
      ok: false,
      error: expect.stringContaining('The source "source of forecast" has a tool "forecast" already. Choose another name.'),
    });
    const unknown = await open({ problemOf: () => "No such kind." });
    expect(await unknown.call({ inputSchema: schema, implementation })).toMatchObject({
      ok: false,
      error: expect.stringContaining("Nothing here could run this tool: No such kind. Kinds that run here: http, code."),
    });
    expect(await unknown.store.sequence()).toBe(0);
    const twice = await open();
    expect(await twice.call({ inputSchema: schema, implementation })).toMatchObject({ ok: true });
    expect(await twice.call({ inputSchema: schema, implementation })).toMatchObject({
      ok: false,
      code: "INPUT_INVALID",
      error: expect.stringContaining("The tool was not written:"),
    });
  });

  it("copies a stored tool with changes, without what was decided about it", async () => {
    const { store, call } = await open();
    const context = {
      name: "old",
      description: "The old one.",
      version: "1.2.0",
      inputSchema: schema,
      implementation,
      metadata: { category: "x", tags: ["t"] },
    };
    await store.put({ schema_name: "tool.definition.v1", title: "old", context });
    expect(
      await call({ from: "clone", clone: "old", changes: { metadata: { tags: null }, implementation: { method: "POST" } } }),
    ).toMatchObject({ ok: true });
    expect((await store.get("tool-def-forecast"))?.context).toEqual({
      ...about,
      inputSchema: schema,
      implementation: { ...implementation, method: "POST" },
      metadata: { category: "x" },
    });
  });
});

describe("a template", () => {
  const parameters = [
    { name: "days", type: "integer", description: "Number of days.", optional: true },
    { name: "city", optional: true },
  ] as const;

  it.each([
    ["http-get", "GET"],
    ["http-post", "POST"],
    ["http-put", "PUT"],
    ["http-delete", "DELETE"],
  ] as const)("%s makes requests, with what is in the path required", (template, method) => {
    const url = "https://w.example/{country}/{city}";
    expect(fromTemplate(template, { url }, parameters)).toEqual({
      inputSchema: {
        type: "object",
        properties: { country: { type: "string" }, days: { type: "integer", description: "Number of days." }, city: { type: "string" } },
        required: ["country", "city"],
        additionalProperties: false,
      },
      implementation: { kind: "http", endpoint: url, method },
    });
  });

  it("makes programs and chains", () => {
    const inputSchema = { type: "object", properties: {}, required: [], additionalProperties: false };
    expect(fromTemplate("code", { source: "return 1" }, [])).toEqual({
      inputSchema,
      implementation: { kind: "code", source: "return 1", tools: [] },
    });
    expect(fromTemplate("code", { source: "1", tools: ["a"] }, []).implementation).toEqual({ kind: "code", source: "1", tools: ["a"] });
    expect(fromTemplate("chain", { steps: [{ id: "a" }] }, []).implementation).toEqual({ kind: "chain", steps: [{ id: "a" }] });
    expect(fromTemplate("chain", { steps: [], returnStep: "a" }, []).implementation).toEqual({ kind: "chain", steps: [], returnStep: "a" });
    expect(fromTemplate("code", { source: "1" }, [{ name: "a" }]).inputSchema).toMatchObject({ required: ["a"] });
  });
});
