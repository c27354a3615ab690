import { describe, expect, it } from "vitest";
import { offersAt } from "../../src/parts/complete.ts";

const schema = {
  type: "object",
  properties: {
    name: { type: "string", description: "What it is called." },
    isNew: { type: "boolean" },
    place: { type: "object", properties: { city: { enum: ["Oslo", "Rome"] } } },
    items: { type: "array", items: { $ref: "#/$defs/item" } },
    loop: { $ref: "#/$defs/loop" },
  },
  $defs: { item: { type: "object", properties: { size: { enum: [1, 2], default: 2 } } }, loop: { $ref: "#/$defs/loop" } },
};
const labels = (before: string): readonly string[] => offersAt(before, schema).map(({ label }) => label);

describe("what is offered while JSON is written", () => {
  it("is the names of the object that is open", () => {
    expect(labels("{")).toEqual(['"name"', '"isNew"', '"place"', '"items"', '"loop"']);
    expect(labels('{"name": "a, {b", ')).toContain('"place"');
    expect(labels('{"place": {')).toEqual(['"city"']);
    expect(labels('{"items": [{"size": 1}, {')).toEqual(['"size"']);
  });

  it("is the values that a property may have", () => {
    expect(labels('{"place": {"city": ')).toEqual(['"Oslo"', '"Rome"']);
    expect(labels('{"isNew": ')).toEqual(["true", "false"]);
    expect(labels('{"items": [{"size": ')).toEqual(["1", "2"]);
  });

  it("is nothing where the schema says nothing, or goes round in circles", () => {
    expect(labels('{"loop": ')).toEqual([]);
    expect(labels('{"constructor": {')).toEqual([]);
    expect(labels('{"__proto__": ')).toEqual([]);
    expect(labels('}}]]{"unknown": [')).toEqual([]);
  });
});
