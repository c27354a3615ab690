import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { createTerminal, type Terminal } from "../../src/print/terminal.ts";

interface Opened extends Terminal {
  readonly written: { output: string; errors: string };
}

function open({ isJson = false, isTTY = false, columns = 30, isColoured = false } = {}): Opened {
  const written = { output: "", errors: "" };
  const streams = {
    input: Readable.from([]),
    output: { isTTY, columns, write: (text: string) => void (written.output += text) },
    errors: { isTTY, write: (text: string) => void (written.errors += text) },
  };
  return Object.assign(createTerminal(streams, { isJson, isColoured }), { written });
}

describe("an answer", () => {
  it("is the words for people, and the document for programs", () => {
    const forPeople = open();
    forPeople.answer({ a: 1 }, () => "one");
    expect(forPeople.written.output).toBe("one\n");
    const forPrograms = open({ isJson: true });
    forPrograms.answer({ a: [1] }, () => "for people");
    expect(forPrograms.written.output).toBe('{\n  "a": [\n    1\n  ]\n}\n');
    const nothing = open({ isJson: true });
    nothing.answer(undefined, () => "for people");
    expect(nothing.written.output).toBe("null\n");
  });

  it("says where the next page is, if there is one", () => {
    const output = (value: unknown, more?: string): string => {
      const terminal = open();
      terminal.answer(value, () => "rows", more);
      return terminal.written.output;
    };
    expect(output({ next: 5 }, "toolrack calls --before")).toBe("rows\nMore: toolrack calls --before 5\n");
    expect(output({ next: 5 })).toBe("rows\nThis is the first page. More with the HTTP API: offset=5\n");
    expect(output({ next: "0mh3" }, "toolrack jobs list --after")).toBe("rows\nMore: toolrack jobs list --after 0mh3\n");
    expect(output({ next: "a b" }, "toolrack jobs list --after")).toBe("rows\nMore: toolrack jobs list --after 'a b'\n");
    expect(output({ next: "0mh3" })).toBe("rows\n");
    for (const value of [{}, { next: true }, undefined, null]) expect(output(value, "toolrack calls --before")).toBe("rows\n");
  });
});

describe("what is said beside an answer", () => {
  it("goes to the other stream; a program hears warnings alone", () => {
    const terminal = open();
    terminal.note("noted");
    terminal.warn("warned");
    terminal.progress("1 of 2");
    expect(terminal.written).toEqual({ output: "", errors: "noted\nwarned\n1 of 2\n" });
    const quiet = open({ isJson: true });
    quiet.note("noted");
    quiet.warn("warned");
    quiet.progress("1 of 2");
    expect(quiet.written).toEqual({ output: "", errors: "warned\n" });
  });
});

it("a table is cut to the width of a terminal, and whole where a program reads it", () => {
  const row = ["tool", "one two three four five six seven"];
  expect(open({ isTTY: true, columns: 24 }).table(["NAME", "TEXT"], [row])).toBe("NAME  TEXT\ntool  one two three fou…");
  expect(open({ columns: 24 }).table(["NAME", "TEXT"], [row])).toBe(`NAME  TEXT\n${row.join("  ")}`);
});

it("colour is used on a terminal, unless it is chosen otherwise", () => {
  const streams = (isTTY: boolean): Parameters<typeof createTerminal>[0] => ({
    input: Readable.from([]),
    output: { isTTY, write: () => undefined },
    errors: { write: () => undefined },
  });
  const painted = (isTTY: boolean, isColoured?: boolean): boolean =>
    createTerminal(streams(isTTY), { isJson: false, ...(isColoured !== undefined && { isColoured }) }).style.bad("x") !== "x";
  expect([painted(true), painted(false), painted(true, false), painted(false, true)]).toEqual([true, false, false, true]);
});
