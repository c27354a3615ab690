import { describe, expect, it } from "vitest";
import type { CallForm } from "../../src/grammar/call-form.ts";
import { toolCallStructuralTag, toolCallStructuralTagWithReport } from "../../src/grammar/structural-tag.ts";
import { readGbnf } from "./gbnf-recogniser.ts";

const read = { name: "read", inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] } };
const wait = { name: "wait", inputSchema: { type: "object", properties: { url: { type: "string", format: "regex" } } } };
const form: CallForm = {
  call: { kind: "object", name: "name", arguments: "arguments" },
  open: "<tool_call>\n",
  close: "\n</tool_call>",
  list: "never",
  separator: "\n",
};

describe("a structural tag", () => {
  it("has a tag for each tool, with the grammar of its arguments", () => {
    const { format } = toolCallStructuralTag([read, wait], { form });
    if (format.type !== "tags_with_separator") throw new Error(format.type);
    expect(format).toMatchObject({ separator: "\n", at_least_one: true, stop_after_first: true });
    expect(format.tags.map(({ begin, end }) => [begin, end])).toEqual([
      ['<tool_call>\n{"name": "read", "arguments": ', "}\n</tool_call>"],
      ['<tool_call>\n{"name": "wait", "arguments": ', "}\n</tool_call>"],
    ]);
    const input = readGbnf(format.tags[0]!.content.grammar);
    expect(input.accepts('{"path": "a"}')).toBe(true);
    expect(input.accepts("{}")).toBe(false);
  });

  it("waits for the mark of a call when the model may also write prose", () => {
    const { format } = toolCallStructuralTag([read], { form, choice: "auto", parallel: true });
    expect(format).toMatchObject({ type: "triggered_tags", triggers: ["<tool_call>"], at_least_one: false, stop_after_first: false });
  });

  it("is one grammar where calls have no mark of their own", () => {
    const { format } = toolCallStructuralTag([read], { parallel: true });
    if (format.type !== "grammar") throw new Error(format.type);
    expect(readGbnf(format.grammar).accepts('[{"name": "read", "arguments": {"path": "a"}}]')).toBe(true);
  });

  it("names what was lost, tool by tool", () => {
    expect(toolCallStructuralTagWithReport([read, wait], { form }).losses).toMatchObject([{ tool: "wait", keyword: "format" }]);
  });
});
