import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toolCallGrammar } from "../../../src/grammar/tool-call.ts";
import { defineDialect } from "../../../src/prompt/define-dialect.ts";
import type { Dialect } from "../../../src/prompt/dialects/dialect.ts";
import { dialectFor, dialects } from "../../../src/prompt/dialects/dialects.ts";
import { dialectContract } from "../../../src/testing/dialect-contract.ts";
import { readGbnf } from "../../grammar/gbnf-recogniser.ts";

const tools = [
  {
    name: "write_file",
    description: "Writes </tools> a file.",
    inputSchema: { type: "object", properties: { path: { type: "string" }, text: { type: "string" } }, required: ["path"] },
  },
  { name: "wait", description: "Waits.", inputSchema: { type: "object", properties: { seconds: { type: "integer" } } } },
];
const all: readonly (readonly [string, Dialect])[] = Object.entries(dialects);

describe.each(all)("the dialect %s", (family, dialect) => {
  for (const check of dialectContract(dialect)) it(check.name, check.run);

  // row: G7
  it("reads back any arguments", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (input) => {
        const written = JSON.parse(JSON.stringify(input)) as unknown;
        expect(dialect.readCalls(dialect.writeCalls([{ name: "wait", input }]), ["wait"]).calls).toEqual([
          { name: "wait", input: written },
        ]);
      }),
      { numRuns: 60 },
    );
  });

  it("writes what the grammar of its form accepts", () => {
    const calls = [
      { name: "write_file", input: { path: 'a"b\\', text: "é😀" } },
      { name: "wait", input: { seconds: 3 } },
    ];
    const one = readGbnf(toolCallGrammar(tools, { form: dialect.form }));
    expect(one.accepts(dialect.writeCalls(calls.slice(0, 1)))).toBe(true);
    const several = readGbnf(toolCallGrammar(tools, { form: dialect.form, parallel: true }));
    expect(several.accepts(dialect.writeCalls(calls))).toBe(true);
    expect(one.accepts(dialect.writeCalls([{ name: "wait", input: { seconds: "3" } }]))).toBe(false);
    const free = readGbnf(toolCallGrammar(tools, { form: dialect.form, choice: "auto" }));
    expect(free.accepts("There is nothing to do.")).toBe(true);
  });

  it("declares every tool, and lets no description close its tags", () => {
    const prompt = dialect.promptFor(tools);
    for (const { name } of tools) expect(prompt).toContain(name);
    expect(prompt.split("</tools>").length).toBeLessThanOrEqual(family === "generic" ? 2 : 3);
    expect(dialect.promptFor(tools)).toBe(prompt);
  });
});

describe("the dialect of a model", () => {
  // row: G8
  it("follows from its name, unless a family is given", () => {
    expect(dialectFor("Qwen/Qwen3-32B").family).toBe("qwen");
    expect(dialectFor("Qwen/Qwen3-32B", { family: "hermes" }).family).toBe("hermes");
  });

  it("keeps results inside their tags", () => {
    expect(dialects.qwen.writeResult({ name: "a", ok: true, content: "x</tool_response>y" }).match(/<\/tool_response>/g)).toHaveLength(1);
    expect(dialects.hermes.writeResult({ name: "a", ok: true, content: "x</tool_response>y" }).match(/<\/tool_response>/g)).toHaveLength(1);
  });

  it("is found among dialects of one's own, which come before the built-in ones", () => {
    const mine = defineDialect({ ...dialects.hermes, family: "acme", models: /acme/i });
    expect(dialectFor("Acme-Qwen-7B", { dialects: [mine] })).toBe(mine);
    expect(dialectFor("qwen3", { dialects: [mine] }).family).toBe("qwen");
    expect(dialectFor("phi-4", { dialects: [mine] }).family).toBe("generic");
    expect(dialectFor("anything", { family: mine })).toBe(mine);
    expect(dialectFor("acme", { family: "hermes", dialects: [mine] })).toBe(dialects.hermes);
  });

  it("is refused under a family that does not exist", () => {
    for (const family of ["lama3", "constructor"]) {
      expect(() => dialectFor("x", { family: family as "llama3" })).toThrow(`There is no dialect "${family}". Use one of hermes, qwen,`);
    }
  });
});

describe("defineDialect", () => {
  it("freezes a dialect, and leaves a defined one as it is", () => {
    const mine = defineDialect({ ...dialects.hermes, family: "acme" });
    expect(Object.isFrozen(mine) && Object.isFrozen(mine.form) && Object.isFrozen(mine.form.call)).toBe(true);
    expect(defineDialect(mine)).toBe(mine);
  });

  it.each([
    [{ family: "" }, 'A dialect: "family" must be a text'],
    [{ models: "acme" }, 'Dialect "acme": "models" must be a regular expression'],
    [{ models: /acme/g }, '"models" must be a regular expression without the flags g and y'],
    [{ models: /acme/y }, '"models" must be a regular expression without the flags g and y'],
    [{ resultRole: "" }, '"resultRole" must be a text that is not empty'],
    [{ form: undefined }, '"form" must be an object with call, open, close, begin, list'],
    [{ form: { ...dialects.hermes.form, call: { kind: "object", name: "name" } } }, '"form.call" must be'],
    [{ form: { ...dialects.hermes.form, call: { kind: "object", arguments: "arguments" } } }, '"form.call" must be'],
    [{ readCalls: undefined }, '"readCalls" must be a function'],
    [{ form: { call: { kind: "xml" }, list: "never" } }, '"form.call" must be'],
    [{ form: { ...dialects.hermes.form, list: "sometimes" } }, '"form.list" must be "parallel"'],
    [{ form: { ...dialects.hermes.form, open: 5 } }, '"form.open" must be a text'],
    [{ form: { ...dialects.hermes.form, seperator: "" } }, 'has the unknown field "form.seperator". Did you mean "form.separator"?'],
    [{ readCall: () => [] }, 'has the unknown field "readCall". Did you mean "readCalls"?'],
  ])("refuses %j and names the field", (fields, message) => {
    expect(() => defineDialect({ ...dialects.hermes, family: "acme", ...fields } as never)).toThrow(message);
  });

  it("refuses what is no object, and lists the fields of a dialect", () => {
    for (const given of [undefined, null, "hermes", []])
      expect(() => defineDialect(given as never)).toThrow("A dialect must be an object with family, models, form");
  });
});
