import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { createStyle } from "../../src/print/style.ts";
import { shortIds, toTable } from "../../src/print/table.ts";
import { widthOf } from "../../src/print/width.ts";

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

  it("takes from the widest columns, wherever they are, so that every line fits", () => {
    const row = ["a".repeat(60), "ready", "b".repeat(40)];
    for (const width of [40, 60, 79]) {
      const lines = toTable(["NAME", "STATE", "TEXT"], [row], { style: plain, width }).split("\n");
      expect(lines).toHaveLength(2);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
      expect(lines[1]).toContain("ready");
    }
  });

  it("never cuts an id: it is shown whole, or as the shortest beginning that is unique", () => {
    const ids = ["approval-AAAAbbbbccccdddd", "approval-AAAAbbbbZZZZdddd", "approval-zzzzzzzzzzzzzzzz"];
    const rows = ids.map((id) => [id, "x".repeat(80)]);
    expect(toTable([{ id: "ID" }, "TEXT"], rows, { style: plain })).toContain(ids[0]);
    // Also where the ids are the widest column.
    for (const width of [50, 31]) {
      const lines = toTable([{ id: "ID" }, "TEXT"], rows, { style: plain, width }).split("\n");
      const shown = lines.slice(1).map((line) => line.split(" ")[0]!);
      expect(shown).toEqual(["approval-AAAAbbbbc", "approval-AAAAbbbbZ", "approval-zzz"]);
      for (const [index, one] of shown.entries()) expect(ids.filter((id) => id.startsWith(one))).toEqual([ids[index]]);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
    }
  });

  it("shows each row as lines of its own where the columns cannot fit side by side, with whole ids", () => {
    const id = "k".repeat(30);
    const table = toTable([{ id: "KEY" }, "AGENT", "ROLES"], [[id, "support", ""]], { style: plain, width: 20 });
    expect(table).toBe(`KEY    ${id}\nAGENT  support`);
  });

  it("counts letters that take two columns as two", () => {
    const table = toTable(
      ["A", "B"],
      [
        ["日本", "1"],
        ["abcd", "2"],
      ],
      { style: plain },
    );
    expect(table.split("\n").map(widthOf)).toEqual([7, 7, 7]);
    const cut = toTable(["A"], [["日本語日本語日本語"]], { style: plain, width: 11 }).split("\n")[1]!;
    expect(widthOf(cut)).toBeLessThanOrEqual(11);
    expect(stripVTControlCharacters(cut)).toMatch(/…$/);
  });
});

describe("shortIds", () => {
  it("keeps equal ids equal, and an id that begins another one whole", () => {
    expect(shortIds(["a", "a"])).toEqual(["a", "a"]);
    const [short, long] = shortIds(["0123456789abcdef", "0123456789abcdefgh"]);
    expect(short).toBe("0123456789abcdef");
    expect(long).toBe("0123456789abcdefg");
  });
});
