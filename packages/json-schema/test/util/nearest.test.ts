import { cpuTime } from "@toolrack/testkit/cpu-time";
import { describe, expect, it } from "vitest";
import { nearestNames } from "../../src/util/nearest.ts";

describe("nearestNames", () => {
  const tools = ["search", "read_file", "write_file", "list_files", "exec"];

  it.each<[wanted: string, nearest: string[]]>([
    ["serch", ["search"]],
    ["saerch", ["search"]],
    ["SEARCH", ["search"]],
    ["readFile", ["read_file"]],
    ["read-file", ["read_file"]],
    ["exce", ["exec"]],
    ["database", []],
    ["", []],
  ])("of %j are %j", (wanted, nearest) => {
    expect(nearestNames(wanted, tools)).toEqual(nearest);
  });

  it("have one word in common, if it is long enough", () => {
    expect(nearestNames("file_path", ["path", "file", "id"])).toEqual(["file", "path"]);
    expect(nearestNames("user_id", ["id"])).toEqual([]);
  });

  it("come best first, at most as many as asked for", () => {
    expect(nearestNames("tool", ["tools", "tool_", "pool", "toot"])).toEqual(["tool_", "tools", "pool"]);
    expect(nearestNames("tool", ["tools", "pool", "toot"], 1)).toEqual(["tools"]);
  });

  it("cost little, however long and many the names are", () => {
    const names = Array.from({ length: 20_000 }, (_, index) => `${"x".repeat(120)}${index}`);
    const before = cpuTime();
    nearestNames("y".repeat(1_000_000), names);
    nearestNames("x".repeat(60), names);
    expect(cpuTime() - before).toBeLessThan(3_000);
  });
});
