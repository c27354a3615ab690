import fc from "fast-check";
import { expect, it } from "vitest";
import { diffLines } from "../../src/parts/diff-lines.ts";

const lines = fc.array(fc.constantFrom("a", "b", "c", "{", "}"), { maxLength: 30 });

it("keeps every line of both sides, in its order", () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const rows = diffLines(before, after);
      expect(rows.flatMap(({ left }) => left ?? [])).toEqual(before);
      expect(rows.flatMap(({ right }) => right ?? [])).toEqual(after);
    }),
  );
});

it("marks nothing where nothing changed", () => {
  fc.assert(fc.property(lines, (same) => diffLines(same, same).every(({ left, right }) => left === right)));
});

it("puts an inserted line beside a gap", () => {
  expect(diffLines(["a", "b"], ["a", "x", "b"])).toEqual([{ left: "a", right: "a" }, { right: "x" }, { left: "b", right: "b" }]);
});
