import { describe, expect, it } from "vitest";
import { toLogitBias, toolBias } from "../../src/prompt/bias.ts";
import type { PromptTool } from "../../src/prompt/entries.ts";

const tool = (name: string, consumes?: readonly string[]): PromptTool => ({
  name,
  description: "",
  inputSchema: { type: "object" },
  ...(consumes && { metadata: { consumes } }),
});
const tools = [tool("search"), tool("outline", ["notes"]), tool("publish", ["draft", "title"]), tool("delete")];

describe("the bias towards tools", () => {
  // row: G19
  it("follows from the state of a run", () => {
    const state = { calls: { search: 4, outline: 2 }, artifacts: ["notes", "draft"] };
    expect(toolBias(tools, state)).toEqual({ search: -4, outline: 0.5 });
  });

  it("leans away from every tool once the task is done", () => {
    expect(toolBias(tools.slice(0, 2), { artifacts: ["notes"], isComplete: true })).toEqual({ search: -0.3, outline: 0.2 });
  });

  it("adds wishes and blocks tools", () => {
    expect(toolBias(tools, {}, { encourage: { search: 1 }, discourage: { outline: 2 }, block: ["delete"] })).toEqual({
      search: 1,
      outline: -2,
      delete: -Infinity,
    });
    expect(toolBias([tool("constructor")], { calls: {} })).toEqual({});
  });

  it("becomes a bias of tokens", () => {
    const tokens: Record<string, number[]> = { search: [7, 8], outline: [9], delete: [7] };
    expect(toLogitBias({ search: 1, outline: -2, delete: -Infinity, unknown: 1 }, (name) => tokens[name] ?? [])).toEqual({
      7: -100,
      9: -2,
    });
  });
});
