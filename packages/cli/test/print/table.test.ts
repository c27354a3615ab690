import { describe, expect, it } from "vitest";
import { createStyle } from "../../src/print/style.ts";
import { toTable } from "../../src/print/table.ts";

const plain = createStyle(false);

describe("toTable", () => {
  it("aligns columns, also where cells have colour", () => {
    const coloured = createStyle(true);
    const table = toTable(
      ["A", "B"],
      [
        [coloured.good("yes"), "1"],
        ["maybe", "2"],
      ],
      { style: plain },
    );
    expect(table.split("\n")[2]).toBe("maybe  2");
    expect(table.split("\n")[1]).toBe(`${coloured.good("yes")}    1`);
  });

  it("cuts the last column to the width of the terminal, and breaks no line", () => {
    const table = toTable(["NAME", "TEXT"], [["tool", "one\ntwo three four five six seven"]], { style: plain, width: 24 });
    expect(table.split("\n")).toHaveLength(2);
    expect(table.split("\n")[1]).toBe("tool  one two three fou…");
  });
});
