import { tsPlugin } from "@sveltejs/acorn-typescript";
import { Parser } from "acorn";
import { expect, test } from "vitest";
import { fixedOptions, options } from "../../src/parse/fixed-options.ts";
import { parseJavaScript, parseTypeScript } from "../../src/parse/parsers.ts";
import { after, before } from "../../src/parse/source.ts";
import { escapeCases, programCases } from "../support/cases.ts";
import { typeForms } from "../support/type-forms.ts";

const names = [
  "const instanceofs = 1, implementations = 2, asynchronousThing = 3; return instanceofs in { implementations, asynchronousThing };",
  "let a = 1\na\n++a\nreturn\na",
  "let b = 1 /* one */ ;b  ++;\treturn b",
  "const of = 1, async = 2, type = 3, get = 4, as = 5, declare = 6, satisfies = 7; return { of, async, type, get, as, declare, satisfies };",
  "let c = 1; let \\u0061b = 2; return ab",
  "const yield = 1",
  "const interface = 1",
  "const await = 1",
  "function eval() {}",
  "class A { x = arguments }",
  "arguments = 1",
  "let let = 1",
  "return x\u2028! y",
  "const f = async\n(x) => x",
  "const d = e\n!f",
  "const d = e !f",
];
// Where the stack ends depends on the parser; long ones are those that try it.
const cases = [...programCases().programs, ...escapeCases()].map(({ source }) => source).filter((source) => source.length < 5_000);
const sources = [...names, ...typeForms, ...cases];

const Plain = Parser.extend(tsPlugin());
const ways = [
  { name: "JavaScript", ours: parseJavaScript, plain: (text: string) => Parser.parse(text, options) },
  { name: "TypeScript", ours: parseTypeScript, plain: (text: string) => Plain.parse(text, { ...options, locations: true }) },
];

for (const { name, ours, plain } of ways) {
  test(`the tree or the error of a text is that of the plain parser for ${name}`, () => {
    for (const source of sources) {
      const text = before + source + after;
      expect(outcome(ours, text), source).toEqual(outcome(plain, text));
    }
  });
}

test("parsers have every option that a plain one has", () => {
  const keys = (parser: typeof Parser): string[] => Object.keys((parser.tokenizer("", options) as unknown as { options: object }).options);
  expect(keys(Parser.extend(fixedOptions))).toEqual(keys(Parser));
});

function outcome(parse: (text: string) => unknown, text: string): unknown {
  try {
    return JSON.parse(JSON.stringify(parse(text), withoutPlaces)) as unknown;
  } catch (error) {
    const { message, pos } = error as { message: string; pos?: number };
    return { message, pos };
  }
}

function withoutPlaces(key: string, value: unknown): unknown {
  return key === "loc" || typeof value === "bigint" ? undefined : value;
}
