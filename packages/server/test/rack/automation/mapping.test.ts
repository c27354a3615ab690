import { describe, expect, it } from "vitest";
import { checkInput, mapInput, mappingFault } from "../../../src/rack/automation/events/mapping.ts";

const schema = {
  type: "object",
  properties: { title: { type: "string" }, level: { enum: ["low", "high"] }, count: { type: "integer" } },
  required: ["title"],
  additionalProperties: false,
} as const;

describe("the input that an event becomes", () => {
  it("takes values from the event, fixed values and defaults", () => {
    const mapping = { title: { from: "/record/title" }, level: { value: "low" }, count: { from: "/record/count", default: 1 } };
    expect(mapInput(mapping, { record: { title: "A" } })).toEqual({ title: "A", level: "low", count: 1 });
    expect(mapInput(mapping, { record: { title: "A", count: 0 } })).toEqual({ title: "A", level: "low", count: 0 });
  });

  it("is the event itself without a mapping, and a parameter can take the whole event", () => {
    expect(mapInput(undefined, { a: 1 })).toEqual({ a: 1 });
    expect(mapInput({ event: { from: "" } }, { a: 1 })).toEqual({ event: { a: 1 } });
  });

  it("reads escaped names and items of lists, and leaves out what is missing", () => {
    expect(mapInput({ x: { from: "/a~1b/0" }, y: { from: "/list/1" } }, { "a/b": ["first"], list: ["only"] })).toEqual({ x: "first" });
  });

  it("does not reach what the event inherits", () => {
    const event = JSON.parse('{"__proto__": {"polluted": true}}') as unknown;
    expect(mapInput({ x: { from: "/constructor/name" }, y: { from: "/toString" } }, {})).toEqual({});
    expect(mapInput({ x: { from: "/__proto__/polluted" } }, event)).toEqual({ x: true });
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it.each([
    ["a parameter that the tool does not have", { title: { from: "" }, other: { value: 1 } }, /no parameter "other"/],
    ["a required parameter that nothing gives", { level: { value: "low" } }, /needs the parameter "title"/],
    ["a fixed value of the wrong type", { title: { from: "" }, level: { value: "middle" } }, /The value of "level" is wrong/],
    ["a parameter with two origins", { title: { from: "", value: "x" } }, /either from or value/],
  ])("refuses at once %s", (_, mapping, sentence) => {
    expect(mappingFault(mapping, schema)).toMatch(sentence);
  });

  it("takes a mapping that fits", () => {
    expect(mappingFault({ title: { from: "/t" }, level: { value: "high" } }, schema)).toBeUndefined();
  });

  it("refuses an event that does not give what the tool takes, and names the field", () => {
    expect(() => checkInput("note", schema, { title: 5 })).toThrow(/"note" takes: .*title/);
    expect(() => checkInput("note", {}, "text")).toThrow(/must be an object/);
  });
});
