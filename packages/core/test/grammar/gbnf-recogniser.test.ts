import { describe, expect, it } from "vitest";
import { readGbnf } from "./gbnf-recogniser.ts";

describe("the recogniser of GBNF", () => {
  it("follows sequences, choices, repeats and rules", () => {
    const grammar = readGbnf('root ::= "a" (b | [0-9]{2,3})? c*\nb ::= "x" # a comment\nc ::= "(" root ")"\n');
    for (const text of ["a", "ax", "a12", "a123", "ax(a)", "a(a12(ax))"]) expect(grammar.accepts(text), text).toBe(true);
    for (const text of ["", "a1", "a1234", "ax(", "axx"]) expect(grammar.accepts(text), text).toBe(false);
  });

  it("reads escapes, classes and characters beyond the first plane", () => {
    const grammar = readGbnf('root ::= "\\"\\\\\\n" [^\\u0000-\\u001F\\]a-] [\\U0001F600-\\U0001F64F]\n');
    expect(grammar.accepts('"\\\nb😀')).toBe(true);
    expect(grammar.accepts('"\\\na😀')).toBe(false);
    expect(grammar.accepts('"\\\n-😀')).toBe(false);
  });

  it.each([
    ["an unknown escape", 'root ::= "\\d"'],
    ["an escaped dash", "root ::= [a\\-z]"],
    ["a name with an underscore", 'root ::= a_b\na_b ::= "x"'],
    ["an undefined rule", "root ::= other"],
    ["a rule that is defined twice", 'root ::= "a"\nroot ::= "b"'],
    ["a repeat of 2,000", "root ::= [a]{2000}"],
    ["repeats that multiply", "root ::= ([a]{50}){50}"],
    ["an optional group with long repeats in it", "root ::= ([a]{0,1000} [b]{0,1000})?"],
    ["left recursion", 'root ::= root "a" | "b"'],
    ["hidden left recursion", 'root ::= e root "a" | "b"\ne ::= "x"?'],
    ["a count without a least", "root ::= [a]{,3}"],
    ["a text that does not end", 'root ::= "a'],
    ["a rule that goes on after its line", 'root ::= "a"\n"b"'],
    ["no root", 'other ::= "a"'],
  ])("refuses %s", (_, text) => {
    expect(() => readGbnf(text)).toThrow(SyntaxError);
  });
});
