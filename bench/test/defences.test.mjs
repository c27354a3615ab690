import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/files.mjs";
import { findMissingIds, findRowFaults } from "../defences/find-row-faults.mjs";
import { loadRows } from "../../scripts/attacks/rows.mjs";
import { judgeBroken, judgeUnbroken } from "../defences/run-tests.mjs";
import { applyBreak } from "../defences/scratch.mjs";

describe("the rows of the defences", () => {
  it("name tests and source that are there, and each break fits exactly one place", async () => {
    expect(findRowFaults(await loadRows(), root).map(({ fault }) => fault)).toEqual([]);
  });

  it("are about every numbered attack", async () => {
    expect(findMissingIds(await loadRows())).toEqual([]);
  });

  it("are held to their form", () => {
    const file = "scripts/attacks/rows.mjs";
    const sound = { id: "S1", attack: "x", test: "bench/test/defences.test.mjs", name: "are held to their form" };
    const faultOf = (row) => findRowFaults([{ ...sound, ...row }], root).map(({ fault }) => fault);
    expect(faultOf({ breaks: [{ file, find: "export const series", replace: "" }] })).toEqual([]);
    expect(faultOf({ breaks: [{ file, find: "export", replace: "" }] })).toEqual([
      expect.stringContaining("times, and must contain it once"),
    ]);
    expect(faultOf({ breaks: [{ file: "no.ts", find: "a", replace: "" }] })).toEqual([expect.stringContaining("no.ts does not exist")]);
    expect(faultOf({ breaks: [{ file: sound.test, find: "x", replace: "" }] })).toEqual([expect.stringContaining("is a test")]);
    expect(faultOf({ breaks: [] })).toEqual([expect.stringContaining("breaks must be")]);
    expect(faultOf({ id: "X1", breaks: [{ file, find: "export const series", replace: "" }] })).toEqual([
      expect.stringContaining("is no id"),
    ]);
    expect(faultOf({ name: "nowhere" + " at all", breaks: [{ file, find: "export const series", replace: "" }] })).toEqual([
      expect.stringContaining('has no "nowhere'),
    ]);
    expect(findRowFaults([{ id: "S1", attack: "x" }], root)).toEqual([
      expect.objectContaining({ fault: expect.stringContaining("neither") }),
    ]);
    expect(findRowFaults([{ id: "S1", attack: "x", later: "comes" }], root)).toEqual([]);
  });
});

describe("a broken run", () => {
  const row = { name: "S1:" };
  const test = (passed, message = "") => ({ tests: [{ name: "attacks S1: is refused", passed, message }], output: "" });

  it("is a catch only where a test of the row failed by an assertion", () => {
    expect(judgeBroken(test(false, "AssertionError: expected 1 to be 2"), row)).toBeUndefined();
    expect(judgeBroken(test(false, "Error: Property failed after 1 tests"), row)).toBeUndefined();
    expect(judgeBroken(test(false, 'Error: promise resolved "1" instead of rejecting'), row)).toBeUndefined();
    expect(judgeBroken(test(true), row)).toBe("the test still passes");
    expect(judgeBroken(test(false, "Error: STACK_TRACE_ERROR"), row)).toContain("by no assertion");
    expect(judgeBroken(test(false, "Error: STACK_TRACE_ERROR"), { ...row, waits: true })).toBeUndefined();
    expect(judgeBroken(test(false, "ProtocolError: no forms"), { ...row, failsWith: "no forms" })).toBeUndefined();
    expect(judgeBroken(test(false, "TypeError: x is undefined"), row)).toContain("by no assertion");
    expect(judgeBroken({ tests: [], output: "Failed to load" }, row)).toContain("no test ran");
    expect(judgeUnbroken(test(true), row)).toBeUndefined();
    expect(judgeUnbroken(test(false, "AssertionError: no"), row)).toContain("fails without a break");
    expect(judgeUnbroken({ tests: [], output: "" }, row)).toContain("no test ran");
  });

  it("is not made of a file that is no program any more", () => {
    expect(applyBreak("const a = 1;\n", "1", "2", "a.ts")).toBe("const a = 2;\n");
    expect(() => applyBreak("const a = 1;\n", "1", "(", "a.ts")).toThrow("no program");
    expect(() => applyBreak("const a = 11;\n", "1", "2", "a.ts")).toThrow("2 times");
  });
});
