import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { bundleProgram, removeProgram } from "@toolrack/testkit/child-server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadOpenApi, readOpenApi } from "../../src/index.ts";

const tooDeep = "The OpenAPI document is nested too deeply. Use references in place of depth: its text may have 200 levels.";
const run = promisify(execFile);
let program: string;
beforeAll(async () => void (program = await bundleProgram(new URL("read-deep.ts", import.meta.url))));
afterAll(() => removeProgram(program));

/** What a text is read as: the sentence with which it is refused, or how many tools it gives. */
function outcomeOf(text: string): string | number {
  try {
    return readOpenApi(text).tools.length;
  } catch (error) {
    return (error as Error).message;
  }
}

const head = "openapi: 3.1.0\npaths: {/x: {get: {}}}\nx-a:";
const indented = (levels: number): string => Array.from({ length: levels }, (_, at) => `\n${" ".repeat(at + 1)}a:`).join("");

describe("a text that is nested deeply", () => {
  it.each([
    ["read", 1_000],
    ["load", 10_000],
    ["load", 60_000], // in the thread
  ])("ends no process when it is %s twice, with %i levels", async (way, count) => {
    const { stdout } = await run(process.execPath, [program, way, String(count)]);
    expect(stdout).toBe(`${tooDeep}\n${tooDeep}\n`);
  });

  // The mapping of the document is the first level.
  it.each([
    ["brackets", (levels: number) => ` ${"[".repeat(levels)}${"]".repeat(levels)}`],
    ["braces", (levels: number) => ` ${"{a: ".repeat(levels)}1${"}".repeat(levels)}`],
    ["brackets on lines of their own", (levels: number) => `\n${" [\n".repeat(levels)}${" ]\n".repeat(levels)}`],
    ["marks of lists", (levels: number) => `\n  ${"- ".repeat(levels)}1`],
    ["indentation", (levels: number) => `${indented(levels)} 1`],
  ])("is read with 200 levels of %s, and refused with one more", (_, nested) => {
    expect([outcomeOf(`${head}${nested(199)}`), outcomeOf(`${head}${nested(200)}`)]).toEqual([1, tooDeep]);
  });

  it("is refused for keys that hold keys, each of which is written out in the one around it", () => {
    const keys = (levels: number): string => `\n${`  - ${"? ".repeat(levels)}a\n`.repeat(500)}`;
    expect(outcomeOf(`${head}${keys(4)}`)).toBe(1);
    expect(outcomeOf(`${head}${keys(190)}`)).toBe(
      "The OpenAPI document has keys that are objects or lists with such keys in them. Write keys as plain texts.",
    );
    for (const mark of ["? ", ": ", "? - ", "&a - ", "!a - "]) expect(outcomeOf(`${head}\n  ${mark.repeat(1_000)}`), mark).not.toBe(1);
    expect(outcomeOf(`${head}\n  ${"? ".repeat(1_000)}`)).toBe(tooDeep);
    expect(outcomeOf(`${head} {{ placeholder }}`)).toBe(1);
  });

  it("is read with 200 levels as JSON, and refused with one more", () => {
    const nested = (levels: number): string =>
      `{"openapi":"3.1.0","paths":{"/x":{"get":{}}},"x":${"[".repeat(levels)}${"]".repeat(levels)}}`;
    expect([outcomeOf(nested(199)), outcomeOf(nested(200))]).toEqual([1, tooDeep]);
    expect(outcomeOf(`{"openapi":"3.1.0","x":${'{"a":'.repeat(3_000_000)}`)).toBe(tooDeep);
  });

  it.each([
    ["a plain text", ` a ${"[".repeat(500)}`],
    ["a plain text with a quote", ` it's ${"[".repeat(500)}`],
    ["single quotes", ` '${"[{''".repeat(500)}'`],
    ["double quotes", ` "${'[{\\"'.repeat(500)}"`],
    ["a block", ` |\n${"  - - - - [\n".repeat(500)}`],
    ["a comment", ` 1 # ${"[{ - ".repeat(500)}`],
    ["many short lists", ` [${"[],".repeat(5_000)}]`],
  ])("does not count what stands in %s", (_, text) => {
    expect(outcomeOf(`${head}${text}`)).toBe(1);
  });

  it("does not count what stands in the texts of JSON", () => {
    expect(outcomeOf(JSON.stringify({ openapi: "3.1.0", paths: { "/x": { get: { summary: '[{\\"'.repeat(500) } } } }))).toBe(1);
  });

  it("may begin with a brace as YAML, whatever its quotes are", () => {
    const quotes = Array.from({ length: 300 }, (_, at) => `k${at}: 'a " [' `).join(", ");
    expect(outcomeOf(`{openapi: 3.1.0, paths: {/x: {get: {}}}, ${quotes}}`)).toBe(1);
  });

  it("is told of a document that others refer to, and of an overlay", () => {
    const paths = { "/x": { $ref: "b.yaml#/a" }, "/fine": { get: {} } };
    const { tools, refused } = readOpenApi({ openapi: "3.1.0", paths }, { documents: { "b.yaml": "- ".repeat(1_000) } });
    expect(tools).toHaveLength(1);
    expect(refused[0]!.reason).toMatch(/^The document "b.yaml" is nested too deeply\. Use references/);
    expect(() => readOpenApi({ openapi: "3.1.0" }, { overlays: ["? ".repeat(1_000)] })).toThrow(/^The overlay 1 is nested too deeply\./);
  });

  it("is still one document: a second one behind it is refused with its place", async () => {
    const text = "openapi: 3.1.0\npaths: {}\n---\nopenapi: 3.1.0\n";
    expect(outcomeOf(text)).toMatch(/not valid YAML at line 3, column 1 \(multiple docs\)/);
    await expect(loadOpenApi(`${text}# ${"x".repeat(100_000)}`)).rejects.toThrow(/not valid YAML at line 3, column 1 \(multiple docs\)/);
  });
});
