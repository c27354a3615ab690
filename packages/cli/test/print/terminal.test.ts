import { Readable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import { createTerminal, type Terminal, type TerminalOptions } from "../../src/print/terminal.ts";
import { wantsColour } from "../../src/print/style.ts";

interface Printed {
  readonly terminal: Terminal;
  output(): string;
  errors(): string;
}

function open(isTTY: { readonly output: boolean; readonly errors: boolean }, options: Partial<TerminalOptions> = {}): Printed {
  let [output, errors] = ["", ""];
  const terminal = createTerminal(
    {
      input: Readable.from([]),
      output: { isTTY: isTTY.output, columns: 40, write: (text) => void (output += text) },
      errors: { isTTY: isTTY.errors, columns: 40, write: (text) => void (errors += text) },
    },
    { isJson: false, ...options },
  );
  return { terminal, output: () => output, errors: () => errors };
}

const both = { output: true, errors: true };
const none = { output: false, errors: false };
const hostile = "\u001b[2Jred\u009b31m\u202egnp.exe";

describe("JSON", () => {
  it("is laid out and coloured in a terminal, and one line of plain text in a pipe", () => {
    const value = { name: "a", count: 2, on: true, none: null, list: [-1.5e3] };
    const shown = open(both).terminal.json(value);
    expect(shown).toContain("\u001b[");
    expect(JSON.parse(stripVTControlCharacters(shown))).toEqual(value);
    expect(stripVTControlCharacters(shown)).toBe(JSON.stringify(value, null, 2));
    expect(open(none).terminal.json(value)).toBe(JSON.stringify(value));
  });

  it("S6: escapes what would move the cursor or turn the direction of writing, and keeps its meaning", () => {
    for (const where of [both, none]) {
      const text = open(where, { isColoured: false }).terminal.json({ [hostile]: hostile });
      expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
      expect(JSON.parse(text)).toEqual({ [hostile]: hostile });
    }
  });

  it("is the answer with --json: coloured in a terminal, raw in a pipe, and safe in both", () => {
    const piped = open(none, { isJson: true });
    piped.terminal.answer({ text: hostile }, () => "for people");
    expect(JSON.parse(piped.output())).toEqual({ text: hostile });
    expect(piped.output()).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
    const shown = open(both, { isJson: true });
    shown.terminal.answer({ text: "a" }, () => "for people");
    expect(shown.output()).toContain("\u001b[");
    expect(JSON.parse(stripVTControlCharacters(shown.output()))).toEqual({ text: "a" });
  });
});

describe("progress", () => {
  it("replaces its line in a terminal, never wraps it, and ends it before anything else is printed", () => {
    const { terminal, errors } = open(both);
    terminal.progress(`Reading\n${"x".repeat(100)}`);
    terminal.note("done");
    const [line, next] = errors().split("\n");
    expect(stripVTControlCharacters(line!).trim().length).toBeLessThan(40);
    expect(next).toBe("done");
  });

  it("is a line each in a pipe", () => {
    const { terminal, errors } = open(none);
    terminal.progress("1/2");
    terminal.progress("2/2");
    expect(errors()).toBe("1/2\n2/2\n");
  });
});

describe("colour", () => {
  it("goes only to the stream that is a terminal", () => {
    const { terminal, errors } = open({ output: true, errors: false });
    terminal.note(terminal.style.warn("careful"));
    terminal.warn("wrong");
    expect(errors()).toBe("careful\nwrong\n");
  });

  it.each([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: "1" }, true, false],
    [{ NO_COLOR: "" }, true, true],
    [{ FORCE_COLOR: "1" }, false, true],
    [{ FORCE_COLOR: "0" }, true, false],
    [{ FORCE_COLOR: "false" }, true, false],
    [{ FORCE_COLOR: "" }, false, false],
    [{ NO_COLOR: "1", FORCE_COLOR: "1" }, true, false],
    [{ TERM: "dumb" }, true, false],
  ])("%j on a terminal (%s): %s", (environment, isTerminal, expected) => {
    expect(wantsColour(environment as Record<string, string>, isTerminal)).toBe(expected);
  });
});
