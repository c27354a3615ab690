import { describe, expect, it } from "vitest";
import type { CallForm } from "../../src/grammar/call-form.ts";
import { toolCallGrammar, toolCallGrammarWithReport } from "../../src/grammar/tool-call.ts";
import { readGbnf } from "./gbnf-recogniser.ts";

const read = {
  name: "read_file",
  inputSchema: { type: "object", properties: { path: { type: "string", minLength: 1 } }, required: ["path"] },
};
const wait = { name: "wait", inputSchema: { type: "object", properties: { seconds: { type: "integer", minimum: 0, maximum: 60 } } } };
const call = { name: "read_file", arguments: { path: 'C:\\temp\\"é😀"' } };

describe("a grammar of tool calls", () => {
  it("accepts calls of the tools and nothing else", () => {
    const grammar = readGbnf(toolCallGrammar([read, wait]));
    expect(grammar.accepts(JSON.stringify(call))).toBe(true);
    expect(grammar.accepts(JSON.stringify(call, undefined, 2))).toBe(true);
    expect(grammar.accepts('{"name": "wait", "arguments": {}}')).toBe(true);
    for (const text of [
      '{"name":"read_filex","arguments":{"path":"a"}}',
      '{"name":"read_file","arguments":{}}',
      '{"name":"wait","arguments":{"path":"a"}}',
      '{"name":"wait","arguments":{"seconds":61}}',
      '{"name":"wait"}',
      '{"name":"wait","arguments":"{}"}',
      '[{"name":"wait","arguments":{}}]',
      '{"name":"wait","arguments":{}',
      '{"name":"wait","arguments":{}}}',
      "prose",
    ])
      expect(grammar.accepts(text), text).toBe(false);
  });

  it("accepts a list of one or more when calls may be parallel", () => {
    const grammar = readGbnf(toolCallGrammar([read, wait], { parallel: true }));
    expect(grammar.accepts(JSON.stringify([call]))).toBe(true);
    expect(grammar.accepts(JSON.stringify([call, { name: "wait", arguments: {} }, call], undefined, 2))).toBe(true);
    expect(grammar.accepts("[]")).toBe(false);
    expect(grammar.accepts(JSON.stringify(call))).toBe(false);
  });

  it("writes calls in the form it is given", () => {
    expect(readGbnf(toolCallGrammar([wait], { form: "tool" })).accepts('{"tool": "wait", "args": {"seconds": 5}}')).toBe(true);
    const tagged: CallForm = {
      call: { kind: "object", name: "name", arguments: "parameters" },
      open: "<call>\n",
      close: "\n</call>",
      list: "never",
      separator: "\n",
    };
    const one = '<call>\n{"name": "wait", "parameters": {}}\n</call>';
    expect(readGbnf(toolCallGrammar([wait], { form: tagged })).accepts(one)).toBe(true);
    expect(readGbnf(toolCallGrammar([wait], { form: tagged })).accepts(`${one}\n${one}`)).toBe(false);
    expect(readGbnf(toolCallGrammar([wait], { form: tagged, parallel: true })).accepts(`${one}\n${one}`)).toBe(true);
    const line: CallForm = { call: { kind: "line" }, list: "never" };
    expect(readGbnf(toolCallGrammar([wait, read], { form: line })).accepts('wait\n{"seconds":1}')).toBe(true);
    const marked: CallForm = { call: { kind: "object", name: "name", arguments: "arguments" }, begin: "[CALLS]", list: "always" };
    expect(readGbnf(toolCallGrammar([wait], { form: marked })).accepts('[CALLS][{"name":"wait","arguments":{}}]')).toBe(true);
  });

  // row: G18
  it("accepts prose, a call, or prose and then a call, when the choice is the model's", () => {
    const grammar = readGbnf(toolCallGrammar([read, wait], { choice: "auto" }));
    const written = JSON.stringify(call);
    for (const text of ["Hello.", 'An object looks like {"a": 1} or { }.', written, `I will read it.\n${written}`])
      expect(grammar.accepts(text), text).toBe(true);
    for (const text of [
      "",
      '{"name":"read_file","arguments":{}}',
      'First:\n{"name": "unknown", "arguments": {}}',
      `Then ${written.slice(0, -1)}`,
    ]) {
      expect(grammar.accepts(text), text).toBe(false);
    }
  });

  it("recognises the mark of a form in prose", () => {
    const form: CallForm = {
      call: { kind: "object", name: "name", arguments: "arguments" },
      open: "<tool_call>\n",
      close: "\n</tool_call>",
      list: "never",
    };
    const grammar = readGbnf(toolCallGrammar([wait], { form, text: true }));
    expect(grammar.accepts('Use {"name": "x"} < 3 and <tool>.')).toBe(true);
    expect(grammar.accepts('Waiting. <tool_call>\n{"name": "wait", "arguments": {}}\n</tool_call>')).toBe(true);
    expect(grammar.accepts("Waiting. <tool_call>oops")).toBe(false);
  });

  it("holds a model to the one tool that was named", () => {
    const grammar = readGbnf(toolCallGrammar([read, wait], { choice: { tool: "wait" } }));
    expect(grammar.accepts('{"name":"wait","arguments":{}}')).toBe(true);
    expect(grammar.accepts(JSON.stringify(call))).toBe(false);
    expect(() => toolCallGrammar([read, wait], { choice: { tool: "wiat" } })).toThrow(/"wiat" must be called.*Did you mean "wait"/);
    expect(() => toolCallGrammar([])).toThrow(/at least one tool/);
  });

  it("loosens only the tool whose schema cannot be built", () => {
    const broken = { name: "broken", inputSchema: { type: "object", properties: { a: { $ref: "#/$defs/missing" } } } };
    const never = { name: "never", inputSchema: { type: "object", not: {} } };
    const { grammar, losses } = toolCallGrammarWithReport([read, broken, never]);
    const recogniser = readGbnf(grammar);
    expect(recogniser.accepts('{"name":"broken","arguments":{"x":[1]}}')).toBe(true);
    expect(recogniser.accepts('{"name":"broken","arguments":[]}')).toBe(false);
    expect(recogniser.accepts('{"name":"never","arguments":{}}')).toBe(true);
    expect(recogniser.accepts('{"name":"read_file","arguments":{}}')).toBe(false);
    expect(losses.map(({ tool }) => tool)).toEqual(["broken", "never"]);
    expect(losses[0]!.note).toContain('"#/$defs/missing"');
  });

  it("loosens a schema that would grow beyond all bounds", () => {
    const deep = (level: number, path: string): object =>
      level === 0
        ? { const: path }
        : {
            type: "object",
            properties: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`p${index}`, deep(level - 1, `${path}${index}`)])),
          };
    const { grammar, losses } = toolCallGrammarWithReport([read, { name: "huge", inputSchema: deep(3, "x") }]);
    expect(losses.some(({ tool, note }) => tool === "huge" && note.includes("too large"))).toBe(true);
    expect(readGbnf(grammar).accepts('{"name":"huge","arguments":{"x":1}}')).toBe(true);
  });

  it("tells tools apart whose names look alike without their punctuation", () => {
    const tools = ["a.b", "a_b", "a-b"].map((name, index) => ({
      name,
      inputSchema: { type: "object", properties: { n: { const: index } }, required: ["n"] },
    }));
    const grammar = readGbnf(toolCallGrammar(tools));
    for (const [index, { name }] of tools.entries()) {
      expect(grammar.accepts(JSON.stringify({ name, arguments: { n: index } }))).toBe(true);
      expect(grammar.accepts(JSON.stringify({ name, arguments: { n: index + 1 } }))).toBe(false);
    }
  });

  it("keeps the definitions of tools apart", () => {
    const tree = (value: object): object => ({
      type: "object",
      properties: { root: { $ref: "#/$defs/Node" } },
      required: ["root"],
      $defs: { Node: { type: "object", properties: { value, next: { $ref: "#/$defs/Node" } }, required: ["value"] } },
    });
    const grammar = readGbnf(
      toolCallGrammar([
        { name: "texts", inputSchema: tree({ type: "string" }) },
        { name: "numbers", inputSchema: tree({ type: "integer" }) },
      ]),
    );
    expect(grammar.accepts('{"name":"texts","arguments":{"root":{"value":"a","next":{"value":"b"}}}}')).toBe(true);
    expect(grammar.accepts('{"name":"numbers","arguments":{"root":{"value":"a"}}}')).toBe(false);
  });
});

// row: G17
describe("grammars that once let calls end early", () => {
  const navigate = {
    name: "navigate",
    inputSchema: {
      type: "object",
      properties: { action: { type: "string", enum: ["list_directory", "get_file_outline", "get_tree"] }, directory: { type: "string" } },
      required: ["action"],
    },
  };

  it("groups the values of an enum, so that no call may stop after the first", () => {
    const grammar = readGbnf(toolCallGrammar([navigate], { form: "tool" }));
    expect(grammar.accepts('{"tool": "navigate", "args": {"action": "list_directory"')).toBe(false);
    for (const action of ["list_directory", "get_tree"])
      expect(grammar.accepts(`{"tool": "navigate", "args": {"action": "${action}", "directory": "."}}`)).toBe(true);
    expect(grammar.accepts('"get_tree"')).toBe(false);
  });

  it("forces no comma when the first property is optional", () => {
    const schema = { type: "object", properties: { verbose: { type: "boolean" }, name: { type: "string" } }, required: ["name"] };
    const grammar = readGbnf(toolCallGrammar([{ name: "t", inputSchema: schema }]));
    expect(grammar.accepts('{"name":"t","arguments":{"name":"x"}}')).toBe(true);
    expect(grammar.accepts('{"name":"t","arguments":{"verbose":true,"name":"x"}}')).toBe(true);
    expect(grammar.accepts('{"name":"t","arguments":{,"name":"x"}}')).toBe(false);
  });

  it("lets an object that names no property hold any", () => {
    const grammar = readGbnf(
      toolCallGrammar([{ name: "t", inputSchema: { type: "object", properties: { data: { type: "object" } }, required: ["data"] } }]),
    );
    expect(grammar.accepts('{"name":"t","arguments":{"data":{"a":{"b":1}}}}')).toBe(true);
    expect(grammar.accepts('{"name":"t","arguments":{"data":{}}}')).toBe(true);
  });

  it("writes the same grammar every time", () => {
    const tools = ["d", "b", "a", "c"].map((name) => ({ ...navigate, name }));
    const grammars = new Set(Array.from({ length: 50 }, () => toolCallGrammar(tools)));
    expect(grammars.size).toBe(1);
  });
});
