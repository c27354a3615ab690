import { describe, expect, it } from "vitest";
import { featureRows } from "../reference/feature-rows.mjs";
import { featureTables, findGaps, findShown } from "../reference/features.mjs";
import { readTagged } from "../reference/tagged-files.mjs";

const file = (text, path = "packages/core/test/a.test.ts") => ({ path, text });

describe("the table of features", () => {
  it("has each of the 199 rows once, shown by a test or marked as open", () => {
    expect(new Set(featureRows.map(({ id }) => id)).size).toBe(199);
    expect(featureRows).toHaveLength(199);
    expect(findGaps(featureRows, findShown(readTagged()))).toEqual([]);
  });

  it("reads the names of tests of every form below their tag", () => {
    const forms = [
      'it("runs", async () => {',
      'it.each(["a", "b"])("runs %s", async (name) => {',
      '])("runs", (name) => {',
      'it.skipIf(!hasPart("x"))("runs", { timeout: 5 }, async () => {',
      "it(`runs`, () => {",
      '  "runs",',
      'describe("runs", () => {',
    ];
    for (const form of forms)
      expect(findShown([file(`// row: A1, B2\n${form}\n`)]).get("B2")).toEqual([
        expect.objectContaining({ name: expect.stringMatching(/^runs/) }),
      ]);
    expect(findShown([file("// row: A2\nexport {};\n", "packages/core/test/types/a.types.ts")]).get("A2")).toEqual([
      { path: "packages/core/test/types/a.types.ts", name: undefined },
    ]);
    expect(() => findShown([file("// row: A1\nconst a = 5;\n")])).toThrow("no test stands");
  });

  it("names a row without a test, a test without a row, and an open row that a test shows", () => {
    const rows = [{ id: "A1" }, { id: "A2", open: "not built yet" }];
    const shown = findShown([file('// row: A2, A9\nit("runs", () => {\n')]);
    expect(findGaps(rows, shown)).toEqual([
      "packages/core/test/a.test.ts: there is no row A9.",
      'No test carries "row: A1".',
      expect.stringContaining("A2 is shown by packages/core/test/a.test.ts"),
    ]);
  });

  it("links each test, and says of an open row why it is open", () => {
    const rows = [
      { id: "A1", title: "one" },
      { id: "A2", title: "two", open: "not built yet" },
    ];
    const lines = featureTables([file('// row: A1\nit("runs | well", () => {\n')], rows);
    expect(lines).toContain("| A1 | one | [core: a.test.ts](../../packages/core/test/a.test.ts): `runs \\| well` |");
    expect(lines).toContain("| A2 | two | not built yet |");
  });
});
