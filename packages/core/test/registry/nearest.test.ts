import { cpuTime } from "@toolrack/testkit/cpu-time";
import { describe, expect, it } from "vitest";
import { nearestTools } from "../../src/registry/nearest.ts";
import { fakeTool } from "../../src/testing/fake-call.ts";

const withAction = (name: string, ...actions: string[]) =>
  fakeTool({ name, inputSchema: { type: "object", properties: { action: { type: "string", enum: actions }, anything: true } } });

describe("nearestTools", () => {
  const tools = [withAction("search", "grep", "glob"), fakeTool({ name: "read_file" }), fakeTool({ name: "write_file" })];

  it("suggests names that are spelt alike", () => {
    expect(nearestTools("raed_file", tools)).toEqual(["read_file"]);
    expect(nearestTools("SEARCH", tools)).toEqual(["search"]);
    expect(nearestTools("weather", tools)).toEqual([]);
  });

  // row: D5
  it("suggests the tool that has an action of this name, with the arguments", () => {
    expect(nearestTools("grep", tools)).toEqual(['search {"action":"grep"}']);
  });

  it("suggests at most three, actions before names", () => {
    const many = [...["a", "b", "c", "d"].map((name) => withAction(name, "read_file")), fakeTool({ name: "read_file_2" })];
    expect(nearestTools("read_file", many)).toEqual(['a {"action":"read_file"}', 'b {"action":"read_file"}', 'c {"action":"read_file"}']);
    expect(nearestTools("read_file", [many[0]!, many[4]!])).toEqual(['a {"action":"read_file"}', "read_file_2"]);
  });

  it("takes hostile names and schemas, in little time", () => {
    const odd = fakeTool({
      name: "odd",
      inputSchema: { type: "object", properties: { a: { enum: [null, {}, 5] }, b: true, c: { enum: ["__proto__"] } } },
    });
    expect(nearestTools("__proto__", [odd])).toEqual(['odd {"c":"__proto__"}']);
    const many = Array.from({ length: 1_000 }, (_, index) => fakeTool({ name: `tool_${"x".repeat(100)}_${index}` }));
    const started = cpuTime();
    nearestTools("y".repeat(1_000_000), many);
    expect(cpuTime() - started).toBeLessThan(20_000);
  });
});
