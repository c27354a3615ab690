import { ToolError } from "@toolrack/core";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { loadOpenApi, openApiPrint, readOpenApi } from "../../src/index.ts";

/** A document with many operations; as YAML it is long enough to be read in a thread. */
function large(count: number): Record<string, unknown> {
  const operation = (index: number) => ({
    get: {
      operationId: `thing${index}`,
      summary: `Thing ${index}, with a few words that make the text long`,
      parameters: [{ name: "limit", in: "query", schema: { type: "integer", maximum: 100 } }],
      responses: { 200: { description: "Things.", content: { "application/json": { schema: { type: "array", items: {} } } } } },
    },
  });
  return {
    openapi: "3.1.0",
    info: { title: "Large", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: Object.fromEntries(Array.from({ length: count }, (_, index) => [`/things/${index}`, operation(index)])),
  };
}

/** What becomes of a load that is given up as soon as anything else can run. */
async function abandoned(document: unknown): Promise<unknown> {
  const controller = new AbortController();
  setImmediate(() => controller.abort(new Error("given up")));
  return loadOpenApi(document, { signal: controller.signal }).catch((error: unknown) => error);
}

describe("a document that is loaded", () => {
  it("gives what it gives when it is read, from YAML, JSON and an object", async () => {
    const document = large(400);
    const prints = readOpenApi(document).tools.map(openApiPrint);
    const yaml = stringify(document);
    expect(yaml.length).toBeGreaterThan(100_000);
    for (const given of [document, JSON.stringify(document), yaml, stringify(large(2))]) {
      const { tools, refused } = await loadOpenApi(given);
      expect(tools.map(openApiPrint)).toEqual(prints.slice(0, tools.length));
      expect(refused).toEqual([]);
    }
  });

  it("leaves the event loop to others while a long YAML text is parsed", async () => {
    expect(await abandoned(stringify(large(1_500)))).toMatchObject({ message: "given up" });
  });

  it("leaves the event loop to others while its operations are read", async () => {
    expect(await abandoned(large(3_000))).toMatchObject({ message: "given up" });
  });

  it("fails with the same sentences as one that is read", async () => {
    const long = `\n# ${"x".repeat(100_000)}`;
    const texts = [
      `openapi: 3.0.0\npaths: {\n  /x: [${long}`,
      `openapi: 3.0.0\npaths:\n  /a: &a [*a]${long}`,
      `just words${long}`,
      `openapi: 3.0.0\nx: &a0 [1,1,1,1,1,1,1,1,1,1]\n${Array.from({ length: 9 }, (_, n) => `y${n}: &a${n + 1} [${`*a${n},`.repeat(10)}]`).join("\n")}${long}`,
      "",
    ];
    for (const text of texts) {
      const thrown = (() => {
        try {
          return readOpenApi(text);
        } catch (error) {
          return error as Error;
        }
      })();
      const rejected = await loadOpenApi(text).catch((error: unknown) => error as Error);
      if (thrown instanceof Error) {
        expect(ToolError.is(rejected), String(rejected)).toBe(true);
        expect((rejected as Error).message).toBe(thrown.message);
      } else expect(rejected).toMatchObject({ warnings: thrown.warnings });
    }
  });

  it("refuses a YAML text that is nested too deeply for the thread, or to be sent from it", async () => {
    const deep = `openapi: 3.0.0\nx: ${"[".repeat(20_000)}${"]".repeat(20_000)}\n# ${"x".repeat(100_000)}`;
    await expect(loadOpenApi(deep)).rejects.toThrow(/YAML|deep/);
  });

  it("tells keys that occur twice, also in a long YAML text", async () => {
    const { warnings } = await loadOpenApi(`openapi: 3.1.0\npaths: {}\nx-a:\n  k: 1\n  k: 2\n# ${"x".repeat(100_000)}`);
    expect(warnings).toEqual(["A key occurs twice in one object, at line 5, column 3: the last one counts."]);
  });

  it("refuses options that do not exist", async () => {
    await expect(loadOpenApi(large(1), { includes: "GET" } as never)).rejects.toThrow(/includes/);
  });
});
