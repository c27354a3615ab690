import { tsPlugin } from "@sveltejs/acorn-typescript";
import { Parser, type Options } from "acorn";
import { expect, test } from "vitest";
import { withoutLocations } from "../../src/parse/without-locations.ts";
import { prepareProgram } from "../../src/index.ts";
import { programCases } from "../support/cases.ts";
import { typeForms } from "../support/type-forms.ts";

test("the tree of a program with types is the one that the parser makes with lines and columns", () => {
  const options: Options = { ecmaVersion: 2024, sourceType: "module", allowAwaitOutsideFunction: true, allowReturnOutsideFunction: true };
  const Located = Parser.extend(tsPlugin());
  const Ours = Parser.extend(tsPlugin(), withoutLocations);
  for (const source of [...typeForms, ...programCases().programs.map((program) => program.source)]) {
    const tree = (parser: typeof Parser): unknown =>
      JSON.parse(JSON.stringify(parser.parse(source, { ...options }), withoutPlaces)) as unknown;
    expect(tree(Ours), source).toEqual(tree(Located));
  }
});

test("a modifier in the wrong place is told with its own line", () => {
  const source = "const n = 1;\nclass A {\n  readonly static x = 1;\n}\nreturn n;";
  expect(prepareProgram(source).diagnostics).toMatchObject([{ kind: "syntax", line: 3 }]);
});

function withoutPlaces(key: string, value: unknown): unknown {
  return key === "loc" || typeof value === "bigint" ? undefined : value;
}
