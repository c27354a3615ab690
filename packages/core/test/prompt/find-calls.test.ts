import fc from "fast-check";
import { cpuTime } from "@toolrack/testkit/cpu-time";
import { describe, expect, it } from "vitest";
import { findToolCalls } from "../../src/prompt/find-calls.ts";

const call = (name: string, input: unknown = {}): unknown => ({ name, input });

// row: G9
describe("calls in free text", () => {
  it.each([
    ["an object", '{"name": "read", "arguments": {"path": "a"}}', [call("read", { path: "a" })], ""],
    ["tool and args", '{"tool": "read", "args": {"path": "a"}}', [call("read", { path: "a" })], ""],
    ["parameters", '{"name": "read", "parameters": {}}', [call("read")], ""],
    ["a list", '[{"tool": "a", "args": {}}, {"tool": "b", "args": {"n": 1}}]', [call("a"), call("b", { n: 1 })], ""],
    [
      "prose around it",
      'I will look.\n{"name": "read", "arguments": {"path": "a"}}\nThen I go on.',
      [call("read", { path: "a" })],
      "I will look.\nThen I go on.",
    ],
    ["a fenced block", 'First:\n```json\n{"tool": "read", "args": {}}\n```\nDone.', [call("read")], "First:\nDone."],
    ["a fence without a language", '```\n[{"tool": "read", "args": {}}]\n```', [call("read")], ""],
    ["several lines", '{"tool": "a", "args": {}}\n{"tool": "b", "args": {}}', [call("a"), call("b")], ""],
    ["a tag", '<tool_call>\n{"name": "read", "arguments": {}}\n</tool_call>', [call("read")], ""],
    [
      "two tags",
      '<tool_call>{"name": "a", "arguments": {}}</tool_call>\n<tool_call>{"name": "b", "arguments": {}}</tool_call>',
      [call("a"), call("b")],
      "",
    ],
    ["a tag that is not closed", '<tool_call>\n{"name": "read", "arguments": {}}', [call("read")], ""],
    [
      "arguments in tags",
      "<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n</tool_call>",
      [call("weather", { city: "Paris", days: 3 })],
      "",
    ],
    [
      "parameters in tags",
      "<tool_call>\n<function=write>\n<parameter=path>\na.txt\n</parameter>\n<parameter=text>\nline 1\nline 2\n</parameter>\n</function>\n</tool_call>",
      [call("write", { path: "a.txt", text: "line 1\nline 2" })],
      "",
    ],
    ["a mark and a list", '[TOOL_CALLS][{"name": "a", "arguments": {}}, {"name": "b", "arguments": {}}]', [call("a"), call("b")], ""],
    ["marks and names", '[TOOL_CALLS]a[ARGS]{"x": 1}[TOOL_CALLS]b{"y": 2}', [call("a", { x: 1 }), call("b", { y: 2 })], ""],
    ["a mark and objects", '<|python_tag|>{"name": "a", "parameters": {}}; {"name": "b", "parameters": {}}', [call("a"), call("b")], ""],
    [
      "the format of an API",
      '{"tool_calls": [{"type": "function", "function": {"name": "a", "arguments": "{\\"x\\": 1}"}}]}',
      [call("a", { x: 1 })],
      "",
    ],
    [
      "braces and quotes inside arguments",
      '{"name": "write", "arguments": {"text": "if (a) { \\"b\\" } </tool_call>"}}',
      [call("write", { text: 'if (a) { "b" } </tool_call>' })],
      "",
    ],
    ["braces before it", 'Use {x} or { and then {"tool": "read", "args": {}}', [call("read")], "Use {x} or { and then"],
  ])("%s", (_, text, calls, prose) => {
    expect(findToolCalls(text)).toEqual({ calls, text: prose });
  });

  it.each([
    ["prose with braces", "The set {1, 2, 3} and the function f(x) { return x; }"],
    ["data", 'The user is {"name": "Bob", "age": 3}.'],
    ["a list of data", '[{"name": "Bob"}, {"name": "Ann"}]'],
    ["a call inside data", '{"example": {"name": "read", "arguments": {}}}'],
    ["the declaration of a tool", '{"name": "read", "description": "Reads.", "parameters": {"type": "object"}}'],
    ["code", "```js\nconst a = { name: 'x', arguments: {} };\n```"],
    ["thoughts", '<think>I could call {"name": "read", "arguments": {}}</think>No need.'],
    ["a list that mixes", '[1, {"name": "read", "arguments": {}}]'],
    ["a name that is no name", '{"name": "John Smith", "arguments": {}}'],
    ["an empty tag", "<tool_call></tool_call>"],
    ["nothing", ""],
  ])("are not found in %s", (_, text) => {
    const found = findToolCalls(text);
    expect(found.calls).toEqual([]);
    expect(found.unfinished).toBeUndefined();
  });

  it.each([
    ["an object", '{"tool": "navigate", "args": {"action": "list_directory"', "navigate"],
    ["a list", '[{"name": "read", "arguments": {}}, {"name": "wri', "read"],
    ["a tag", '<tool_call>\n{"name": "read", "argum', "read"],
    ["a tag without anything in it", "I will look. <tool_call>", undefined],
    ["a mark", '[TOOL_CALLS][{"name": "read"', "read"],
    ["a mark and a name", '[TOOL_CALLS]read[ARGS]{"path": "a', "read"],
    ["a fenced block", '```json\n{"name": "read", "arguments": {"text": "a', "read"],
    ["arguments in tags", "<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Par", "weather"],
  ])("that break off in %s are reported, and not called", (_, text, name) => {
    const { calls, unfinished } = findToolCalls(text);
    expect(calls).toEqual([]);
    expect(unfinished?.name).toBe(name);
    expect(text.endsWith(unfinished!.text)).toBe(true);
  });

  it("are only those of the tools that exist, when these are given", () => {
    const text = '{"name": "read", "arguments": {}} {"name": "other", "arguments": {}}';
    expect(findToolCalls(text, { tools: ["read"] }).calls).toEqual([call("read")]);
    expect(findToolCalls('{"name": "constructor", "arguments": {}}', { tools: ["read"] }).calls).toEqual([]);
  });

  it("may be a name on a line and an object below it, where that is the format", () => {
    const text = 'Let me see.\nget_weather\n{"city": "Paris"}';
    expect(findToolCalls(text, { bareNames: true })).toEqual({ calls: [call("get_weather", { city: "Paris" })], text: "Let me see." });
    expect(findToolCalls(text).calls).toEqual([]);
    expect(findToolCalls('Note\n{"city": "Paris"}', { bareNames: true, tools: ["get_weather"] }).calls).toEqual([]);
    expect(findToolCalls('get_weather\n{"city": "Par', { bareNames: true }).unfinished).toEqual({ text: 'get_weather\n{"city": "Par' });
  });

  it("say so when their arguments cannot be read", () => {
    expect(findToolCalls('{"name": "read", "arguments": "{oops"}').calls).toEqual([
      { name: "read", input: "{oops", error: "its arguments are no JSON object" },
    ]);
  });

  it("never make the search throw or crawl", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom("{", "}", "[", "]", '"', "\\", '{"name":', '"a"', "<tool_call>", "</tool_call>", "[TOOL_CALLS]", ",", "\n", "x"),
          { maxLength: 60 },
        ),
        (parts) => {
          findToolCalls(parts.join(""), { bareNames: true });
        },
      ),
    );
    const start = cpuTime();
    for (const hostile of ['{"a":[', "[[", '{"', "{ ", "<tool_call>", '[TOOL_CALLS]{"', "<think>"]) findToolCalls(hostile.repeat(20_000));
    expect(cpuTime() - start).toBeLessThan(20_000);
  });
});
