import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { JsonObject } from "@toolrack/json-schema/internal";
import { readStringParam } from "../../src/tool/params.ts";
import { findDrift } from "../../src/testing/drift.ts";
import { mockTool } from "../../src/testing/mock-tool.ts";
import type { CallContext } from "../../src/tool/context.ts";
import { defineTool, type ToolDefinition } from "../../src/tool/tool.ts";

type Handler = (input: any, context: CallContext) => unknown;

const schema = {
  type: "object",
  properties: {
    query: { type: "string" },
    limit: { type: "integer", default: 5 },
    filters: { type: "object", properties: { color: { type: "string" }, price: { $ref: "#/$defs/range" } } },
    tags: { type: "array", items: { type: "object", properties: { key: { type: "string" } } } },
  },
  $defs: { range: { type: "object", properties: { min: { type: "number" }, max: { type: "number" } } } },
};
const input = { query: "shoes", filters: { color: "red", price: { min: 1 } }, tags: [{ key: "a" }, { key: "b" }] };

function search(handler: Handler, change: Partial<ToolDefinition> = {}): ToolDefinition {
  const metadata = { examples: [{ description: "shoes", input }] };
  return defineTool({ name: "search", description: "Finds products.", inputSchema: schema, metadata, handler, ...change });
}

async function found(tool: ToolDefinition, kind: string): Promise<string[]> {
  return (await findDrift(tool)).findings.filter((finding) => finding.kind === kind).map((finding) => finding.path);
}

const readsAll: Handler = ({ query, limit, filters, tags }) => [
  query,
  limit,
  filters.color,
  filters.price.min,
  filters.price.max,
  tags.map((tag: JsonObject) => tag["key"]),
];

describe("findDrift", () => {
  it("finds nothing where handler and schema agree", async () => {
    expect(await findDrift(search(readsAll))).toMatchObject({ tool: "search", ok: true, findings: [] });
  });

  it("returns what each example gave", async () => {
    const { runs } = await findDrift(search(readsAll));
    expect(runs.length).toBeGreaterThan(0);
    for (const { example, result } of runs) {
      expect(example).toHaveProperty("input");
      expect(result).toMatchObject({ ok: true });
    }
  });

  it("finds a parameter that the handler reads and the schema does not declare, and suggests the nearest", async () => {
    const report = await findDrift(search((all, context) => [readsAll(all, context), all.maxPrice, all.qeury]));
    expect(report.ok).toBe(false);
    expect(report.findings).toEqual([
      {
        kind: "undeclared",
        path: "maxPrice",
        message: 'The handler reads "maxPrice", which the schema does not declare. Declare it, or do not read it.',
      },
      { kind: "undeclared", path: "qeury", message: 'The handler reads "qeury", which the schema does not declare. Did you mean "query"?' },
    ]);
  });

  it("finds it in nested objects, behind references and in the items of lists", async () => {
    const handler: Handler = ({ filters, tags }) => [filters.size, filters.price.currency, tags.map((tag: JsonObject) => tag["value"])];
    expect(await found(search(handler), "undeclared")).toEqual(["filters.size", "filters.price.currency", "tags[].value"]);
  });

  it("finds it however it is read", async () => {
    expect(
      await found(
        search(({ depth = 3 }) => depth),
        "undeclared",
      ),
    ).toEqual(["depth"]);
    expect(
      await found(
        search((all) => "depth" in all),
        "undeclared",
      ),
    ).toEqual(["depth"]);
    expect(
      await found(
        search((all) => Object.hasOwn(all, "depth")),
        "undeclared",
      ),
    ).toEqual(["depth"]);
    expect(
      await found(
        search((all) => readStringParam(all, "depth")),
        "undeclared",
      ),
    ).toEqual(["depth"]);
    expect(
      await found(
        search(async (all) => (await Promise.resolve(), all.depth)),
        "undeclared",
      ),
    ).toEqual(["depth"]);
    expect(
      await found(
        search((all) => ({ ...all, depth: all.depth })),
        "undeclared",
      ),
    ).toEqual(["depth"]);
  });

  it("finds an undeclared parameter that an example has", async () => {
    const metadata = { examples: [{ description: "extra", input: { query: "shoes", depth: 2 } }] };
    expect(
      await found(
        search((all) => all.depth, { metadata }),
        "undeclared",
      ),
    ).toEqual(["depth"]);
    expect(
      await found(
        search((all) => JSON.stringify(all), { metadata }),
        "undeclared",
      ),
    ).toEqual([]);
  });

  it("tells which declared parameters no example made the handler read", async () => {
    const report = await findDrift(search(({ query, filters }) => [query, filters.color]));
    expect(report.ok).toBe(true);
    expect(report.findings.map(({ kind, path }) => `${kind} ${path}`)).toEqual(["unread limit", "unread tags", "unread filters.price"]);
  });

  it("leaves handlers that spread, go through or turn the input to JSON working, and says that they copy it", async () => {
    const plain = { ...input, limit: 5 };
    const handlers: Handler[] = [
      (all) => ({ ...all }),
      (all) => Object.fromEntries(Object.entries(all)),
      (all) => JSON.parse(JSON.stringify(all)) as unknown,
      (all) => {
        const copy: JsonObject = {};
        for (const key in all) copy[key] = all[key];
        return copy;
      },
      (all) => Object.assign({}, all),
      ({ ...rest }) => rest,
    ];
    for (const handler of handlers) {
      let returned: unknown;
      const report = await findDrift(search((all, context) => (returned = handler(all, context))));
      expect(JSON.parse(JSON.stringify(returned))).toEqual(plain);
      expect(report.ok).toBe(true);
      expect(report.findings.filter(({ path }) => path === "").map(({ kind }) => kind)).toEqual(["copied"]);
    }
  });

  it("keeps watching the parts of a copy", async () => {
    expect(
      await found(
        search((all) => ({ ...all }).filters.size),
        "undeclared",
      ),
    ).toEqual(["filters.size"]);
  });

  it("lets a handler work on lists and write to its input", async () => {
    const handler: Handler = (all) => {
      all.seen = true;
      all.tags.push({ key: "c" });
      const keys = [...all.tags].map((tag) => tag.key as string).sort();
      if (!all.seen || !Array.isArray(all.tags) || all.tags.length !== 3 || !all.tags.includes(all.tags[0]))
        throw new Error("It is not a list.");
      return keys.join();
    };
    const report = await findDrift(search(handler));
    expect(report.findings.filter(({ kind }) => kind !== "unread")).toEqual([]);
    expect(input.tags).toHaveLength(2);
  });

  it("takes no notice of what promises, JSON and results ask for", async () => {
    expect((await findDrift(search(async (all) => (await all, String(all), all.hasOwnProperty("query"), all)))).ok).toBe(true);
    expect((await findDrift(search((all) => all))).ok).toBe(true);
  });

  it("accepts the other spelling of a name that a reader looks for, and the tool's aliases", async () => {
    const inputSchema = { type: "object", properties: { max_price: { type: "string" }, minPrice: { type: "string" } } };
    const metadata = { examples: [{ description: "prices", input: {} }], aliases: { top: "max_price" } };
    const readers: Handler = (all) => [readStringParam(all, "maxPrice"), readStringParam(all, "minPrice"), all.top];
    expect(await found(search(readers, { inputSchema, metadata }), "undeclared")).toEqual([]);
    expect(
      await found(
        search((all) => all.maxPrice, { inputSchema, metadata }),
        "undeclared",
      ),
    ).toEqual(["maxPrice"]);
  });

  it("takes any name in maps and in parts without a shape, but not in an input that declares nothing", async () => {
    const inputSchema = {
      type: "object",
      properties: {
        labels: { type: "object", additionalProperties: { type: "object", properties: { text: {} } } },
        extra: { type: "object" },
        x: {},
      },
    };
    const metadata = {
      examples: [{ description: "labels", input: { labels: { a: { text: "A" } }, extra: { b: { c: 1 } }, x: { y: 1 } } }],
    };
    const handler: Handler = ({ labels, extra, x }) => [labels.a.text, labels.b, extra.b.d, x.z, labels.a.colour];
    expect(await found(search(handler, { inputSchema, metadata }), "undeclared")).toEqual(["labels.a.colour"]);
    expect(
      await found(
        search(({ a }) => a, { inputSchema: { type: "object" } }),
        "undeclared",
      ),
    ).toEqual(["a"]);
    expect(
      await found(
        search(({ a }) => a, { inputSchema: { type: "object", additionalProperties: true } }),
        "undeclared",
      ),
    ).toEqual([]);
  });

  it("looks into every branch of a union", async () => {
    const inputSchema = {
      type: "object",
      anyOf: [{ properties: { path: { type: "string" } } }, { properties: { url: { type: "string" } } }],
      if: { properties: { mode: { const: "fast" } } },
      else: { properties: { speed: {} } },
    };
    const handler: Handler = (all) => [all.path, all.url, all.mode, all.speed, all.nothing];
    expect(
      await found(search(handler, { inputSchema, metadata: { examples: [{ description: "path", input: { path: "a" } }] } }), "undeclared"),
    ).toEqual(["nothing"]);
  });

  it("knows what a schema that transforms has made", async () => {
    const tool = defineTool({
      name: "book",
      description: "Books a day.",
      inputSchema: z.object({ day: z.string(), note: z.string().optional() }).transform(({ day, note }) => ({ date: new Date(day), note })),
      metadata: { examples: [{ description: "a day", input: { day: "2026-01-31" } }] },
      handler: (made) => [made.date.getTime(), made.note, (made as JsonObject)["guests"]],
    });
    expect(await found(tool, "undeclared")).toEqual(["guests"]);
  });

  it("says when an example did not run to its end, or there is none", async () => {
    const failing = search(() => {
      throw new Error("It rains.");
    });
    expect((await findDrift(failing)).findings[0]).toEqual({
      kind: "unfinished",
      path: "",
      message: 'Example "shoes" did not run to its end. It answered TOOL_FAILED: It rains.',
    });
    expect((await findDrift(failing)).ok).toBe(false);
    expect((await findDrift(search((all) => structuredClone(all)))).findings[0]?.message).toContain("could not be cloned");
    expect(
      await found(
        search(() => "", { metadata: {} }),
        "unfinished",
      ),
    ).toEqual([""]);
  });

  it("runs with the services and tools it is given", async () => {
    const tool = search(
      async (all, context) => (await context.call("stock", {}), (context.services as { find(q: string): string }).find(all.query)),
    );
    const report = await findDrift(tool, { services: { find: (query: string) => query }, tools: [mockTool("stock")] });
    expect(report.ok).toBe(true);
  });

  it("gives a handler any JSON as it is", async () => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue()), async (example) => {
        let returned: unknown;
        const tool = search((all) => (returned = JSON.parse(JSON.stringify(all))), {
          inputSchema: { type: "object", additionalProperties: true },
          metadata: { examples: [{ description: "any", input: example as JsonObject }] },
        });
        const { findings } = await findDrift(tool);
        expect(findings.map(({ kind }) => kind).filter((kind) => kind !== "copied")).toEqual([]);
        expect(returned).toEqual(JSON.parse(JSON.stringify(tool.metadata!.examples![0]!.input)));
      }),
    );
  });
});
