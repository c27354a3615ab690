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
  wrappers: [{ at: "outermost", wrapper: { name: "quiet" } }],
  lintRules: [{
    id: "short-name",
    severity: "info",
    finds: "Names above 8 characters.",
    check({ name = "" }, report) { if (name.length > 8) report("/name", name + " is long.", "Shorten it."); },
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

const config = "store: { sqlite: rack.db }\ntools:\n  modules: [./module.mjs]\n  packs: { tickets: true, utility: false }\n";

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
    const supplied = "supplies pack tickets; type of source words; vendor acme; wrapper quiet; lint rule short-name";
    expect((await run(["sources"], { folder })).output).toContain(supplied);
    expect((await run(["doctor"], { folder })).output).toContain(`module:./module.mjs ${supplied}.`);
    const added = await run(["sources", "add", "mine", "--type", "words", "word=hello"], { folder });
    expect(added).toMatchObject({ code: 0, output: expect.stringContaining("mine is ready, with 1 tool: say_hello.") });
    const { output } = await run(["list"], { folder });
    for (const name of ["count", "open_ticket", "say_hello"]) expect(output).toContain(name);
    expect((await run(["lint"], { folder })).output).toContain("say_hello is long.");
    expect((await run(["show", "count"], { folder })).output).toContain("quiet");
    expect((await run(["export", "acme"], { folder })).output).toContain('{"acme":"open_ticket"}');
  });

  it("is refused by name where nobody supplies it", async () => {
    const folder = await folderWith(config);
    const refused = await run(["sources", "add", "mine", "--type", "wrods", "word=hello"], { folder });
    expect(refused.code).not.toBe(0);
    expect(JSON.stringify(refused)).toContain("Known types: mcp, words.");
  });
});

describe("a module and a source that fail", () => {
  it("are told by serve, list and doctor with the file, the line and the cause", async () => {
    const folder = temporaryFolder({
      "broken.mjs": "const a = 1;\n\n\nexport default [missing];\n",
      "toolrack.config.yaml":
        "store: { sqlite: rack.db }\ntools: { modules: [./broken.mjs] }\nsources: { gone: { command: ./no-such-program } }\n",
    });
    const module = "broken.mjs:4:17 ReferenceError: missing is not defined";
    const stop = new AbortController();
    let printed = "";
    const onOutput = (text: string): void => {
      printed += text;
      if (/broken\.mjs:4[^]*no-such-program/.test(printed)) stop.abort();
    };
    const served = await run(["serve", "--port", "0", "--log-level", "silent"], {
      folder,
      signal: stop.signal,
      onOutput,
      onErrors: onOutput,
    });
    expect(served.output + served.errors).toContain(
      `The source module:./broken.mjs failed. The module "./broken.mjs" could not be loaded: ${module}`,
    );
    expect((await run(["list"], { folder })).errors).toMatch(/broken\.mjs:4:17 ReferenceError[^]*no-such-program/);
    const { problems } = (await run(["doctor", "--json"], { folder })).json() as {
      problems: { about: string; problem: string; remedy: string }[];
    };
    expect(problems).toContainEqual({
      about: "module:./broken.mjs",
      problem: `The module "./broken.mjs" could not be loaded: ${module}`,
      remedy: "Fix it, then run: toolrack sources refresh module:./broken.mjs",
    });
    expect(problems).toContainEqual(
      expect.objectContaining({ about: expect.stringContaining("gone"), problem: expect.stringContaining("no-such-program") }),
    );
  });
});

describe("toolrack list where a module cannot be loaded", () => {
  it("lists the other tools, and reports the file, the line and the cause on standard error, also with --json", async () => {
    const folder = temporaryFolder();
    await writeFile(join(folder, "broken.mjs"), "const a = 1;\nexport default [missing];\n");
    await writeFile(join(folder, "toolrack.config.yaml"), "store: { sqlite: rack.db }\ntools: { modules: [./broken.mjs] }\n");
    for (const command of [["list"], ["list", "--json"]]) {
      const { code, output, errors } = await run(command, { folder });
      expect([code, output.includes("calculator")]).toEqual([0, true]);
      expect(errors).toContain(
        'The source module:./broken.mjs failed. The module "./broken.mjs" could not be loaded: broken.mjs:2:17 ReferenceError: missing is not defined',
      );
    }
  });
});
