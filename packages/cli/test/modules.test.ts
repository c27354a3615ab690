import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { run } from "./_run.ts";

/** Without imports, since none can be resolved from a temporary folder. */
const module = `
const tool = (name, answer) => ({ name, description: "Answers.", inputSchema: { type: "object" }, handler: () => answer });
const parts = {
  tools: [tool("count", "3")],
  packs: [{ name: "tickets", open: () => [tool("open_ticket", "T-1")] }],
  sources: [{
    type: "words",
    options: { type: "object", properties: { word: { type: "string" } }, additionalProperties: false },
    create({ word }, { id }) {
      const tools = [tool("say_" + word, word)];
      return { id, list: () => tools };
    },
  }],
  vendors: [{
    name: "acme",
    wire: { declare: ({ name }) => ({ acme: name }), readCalls: () => [], writeResults: () => [], writeChoice: () => ({}) },
    limits: { name: /^[\\w-]+$/, nameLength: 64 },
    schema: { passes: [] },
    rules: [],
  }],
};
export default Object.defineProperty(parts, Symbol.for("toolrack.module"), { value: true });
`;

async function folderWith(config: string): Promise<string> {
  const folder = temporaryFolder();
  await writeFile(join(folder, "module.mjs"), module);
  await writeFile(join(folder, "toolrack.config.yaml"), config);
  return folder;
}

const config =
  "store: { sqlite: rack.db }\ntools:\n  modules: [./module.mjs]\n  packs: { tickets: true, utility: false, unavailable: false }\n";

describe("a tool that streams", () => {
  it("shows each part while it runs, and then the whole text", async () => {
    const folder = await folderWith(config);
    const streaming = `export default { name: "words", description: "Says words.", inputSchema: { type: "object" }, async *handler() { yield "one "; yield "two"; } };`;
    await writeFile(join(folder, "module.mjs"), streaming);
    await writeFile(join(folder, "toolrack.config.yaml"), "tools:\n  modules: [./module.mjs]\n");
    const { code, output, errors } = await run(["call", "words"], { folder, isTerminal: true });
    expect({ code, output }).toEqual({ code: 0, output: "one two\n" });
    expect(errors).toMatch(/one[^]*two/);
  });
});

describe("what a module of the server supplies", () => {
  it("is shown by sources and doctor, and used by list, sources add and export", async () => {
    const folder = await folderWith(config);
    const supplied = "supplies pack tickets; type of source words; vendor acme";
    expect((await run(["sources"], { folder })).output).toContain(supplied);
    expect((await run(["doctor"], { folder })).output).toContain(`module:./module.mjs ${supplied}.`);
    const added = await run(["sources", "add", "mine", "--type", "words", "word=hello"], { folder });
    expect(added).toMatchObject({ code: 0, output: expect.stringContaining("mine is ready, with 1 tools.") });
    const { output } = await run(["list"], { folder });
    for (const name of ["count", "open_ticket", "say_hello"]) expect(output).toContain(name);
    expect((await run(["export", "acme"], { folder })).output).toContain('{"acme":"open_ticket"}');
  });

  it("is refused by name where nobody supplies it", async () => {
    const folder = await folderWith(config);
    const refused = await run(["sources", "add", "mine", "--type", "wrods", "word=hello"], { folder });
    expect(refused.code).not.toBe(0);
    expect(JSON.stringify(refused)).toContain("Known types: mcp, words.");
  });
});
