import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@toolrack/testkit/folders";
import { describe, expect, it } from "vitest";
import { checkDocs } from "../docs.mjs";

const fence = "```";
const block = (mark, language, ...lines) => [mark, `${fence}${language}`, ...lines, fence, ""];
const example = [
  "import x from 'x';",
  "function run() {",
  "  // #region use",
  "  const a = 1;",
  "",
  "  if (a) {",
  "    x(a);",
  "  }",
  "  // #endregion",
  "}",
  "",
  "",
];

async function findingsOf(files) {
  return (await checkDocs(temporaryFolder(files))).map(({ path, line, sentence }) => `${path}:${line} ${sentence}`);
}

describe("the check of the docs", () => {
  it("accepts a block that equals its region, dedented and without marks", async () => {
    const page = block("<!-- from: examples/a.ts#use -->", "ts", "const a = 1;", "", "if (a) {", "  x(a);", "}");
    expect(await findingsOf({ "examples/a.ts": example, "README.md": page })).toEqual([]);
  });

  it("accepts a block that equals a whole file", async () => {
    const page = block("<!-- from: examples/a.json -->", "json", "{ }");
    expect(await findingsOf({ "examples/a.json": "{ }\n\n", "docs/start/a.md": page })).toEqual([]);
  });

  it("names file and line of a block that differs, has no mark, or whose source is missing", async () => {
    const page = [
      ...block("<!-- from: examples/a.ts#use -->", "ts", "const a = 2;"),
      ...block("Some text.", "ts", "const a = 1;"),
      ...block("<!-- from: examples/b.ts -->", "ts", "const a = 1;"),
      ...block("<!-- from: examples/a.ts#gone -->", "ts", "const a = 1;"),
      ...block("<!-- shell -->", "ts", "const a = 1;"),
    ];
    expect(await findingsOf({ "examples/a.ts": example, "README.md": page })).toEqual([
      expect.stringMatching(/^README\.md:2 The block differs from examples\/a\.ts#use/),
      expect.stringMatching(/^README\.md:7 A ts block that comes from nowhere/),
      expect.stringMatching(/^README\.md:12 examples\/b\.ts does not exist/),
      expect.stringMatching(/^README\.md:17 .*no region "gone"/),
      expect.stringMatching(/^README\.md:22 Only a sh block/),
    ]);
  });

  it("wants a page to say which of our packages the functions of its blocks come from, by an import or in words", async () => {
    const source = ['import { a, type B, c as d } from "@toolrack/core";', "// #region use", "a(d(1));", "// #endregion"];
    const page = block("<!-- from: examples/a.ts#use -->", "ts", "a(d(1));");
    expect(await findingsOf({ "examples/a.ts": source, "README.md": page })).toEqual([
      "README.md:2 The block calls a, but the page does not say that it is imported from @toolrack/core.",
    ]);
    for (const words of ["It is in `@toolrack/core`.", 'import { a } from "@toolrack/core";'])
      expect(await findingsOf({ "examples/a.ts": source, "README.md": [words, "", ...page] })).toEqual([]);
    const without = block("<!-- from: examples/a.ts#use -->", "ts", "B;");
    expect(await findingsOf({ "examples/a.ts": source.with(2, "B;"), "README.md": without })).toEqual([]);
  });

  it("leaves terminal commands and other languages alone, and other pages than README and docs", async () => {
    const page = [...block("<!-- shell -->", "sh", "npm test"), ...block("", "text", "anything")];
    expect(await findingsOf({ "README.md": page, "CONTRIBUTING.md": block("", "ts", "const a = 1;") })).toEqual([]);
  });

  it("compares an output block with what the example prints", async () => {
    const page = [...block("<!-- output: examples/a -->", "text", "two", "three"), ...block("<!-- output: examples/a -->", "text", "four")];
    const files = { "examples/.build/a/index.js": 'console.log("one\\ntwo  \\nthree");', "docs/a.md": page };
    expect(await findingsOf(files)).toEqual([expect.stringMatching(/^docs\/a\.md:8 examples\/a does not print this/)]);
  });

  it("writes the blocks from their files, inside lists too, and keeps the rest", async () => {
    const page = [
      "# A",
      "",
      ...block("<!-- from: examples/a.ts#use -->", "ts", "old"),
      "1. Do this:",
      "   <!-- from: examples/b.ts -->",
      `   ${fence}ts`,
      `   ${fence}`,
      "   Done.",
      "",
    ];
    const folder = temporaryFolder({ "examples/a.ts": example, "examples/b.ts": "b();\n\nc();\n", "docs/a.md": page });
    expect(await checkDocs(folder, { write: true })).toEqual([]);
    expect(readFileSync(join(folder, "docs/a.md"), "utf8").split("\n")).toEqual([
      "# A",
      "",
      ...block("<!-- from: examples/a.ts#use -->", "ts", "const a = 1;", "", "if (a) {", "  x(a);", "}"),
      "1. Do this:",
      "   <!-- from: examples/b.ts -->",
      `   ${fence}ts`,
      "   b();",
      "",
      "   c();",
      `   ${fence}`,
      "   Done.",
      "",
    ]);
    expect(await checkDocs(folder)).toEqual([]);
  });

  it("finds relative links that lead to nothing, in every page", async () => {
    const page = ["[a](docs/a.md#part) [b](docs/b.md) [c](https://example.com) [d](#here) `[e](f.md)`", "[g]: docs/g.md", "# Here"];
    expect(await findingsOf({ "CONTRIBUTING.md": page, "docs/a.md": "# Part" })).toEqual([
      "CONTRIBUTING.md:1 The link docs/b.md leads to nothing.",
      "CONTRIBUTING.md:2 The link docs/g.md leads to nothing.",
    ]);
  });

  it("wants links that work where a package is installed, in the pages of packages", async () => {
    const whole = "https://github.com/toolrack/toolrack/blob/main/";
    const page = [`[a](${whole}docs/a.md#part) [b](${whole}docs/b.md)`, "[c](../../docs/a.md) [d](own.md)"];
    const files = { "packages/core/README.md": page, "packages/core/own.md": "# Own", "docs/a.md": "# Part" };
    expect(await findingsOf(files)).toEqual([
      `packages/core/README.md:1 The link ${whole}docs/b.md leads to nothing.`,
      `packages/core/README.md:2 The link ../../docs/a.md leads to nothing where the package is installed. Begin it with ${whole}`,
    ]);
  });

  it("names a link to a heading that its page does not have", async () => {
    const page = ["# A", "", "## What it `has`", "", "[a](#what-it-has), [b](#gone), [c](b.md#more), [d](b.md#gone-too), [e](c.ts#L3)", ""];
    const files = { "docs/a.md": page, "docs/b.md": ["# More", ""], "docs/c.ts": "" };
    expect(await findingsOf(files)).toEqual([
      "docs/a.md:5 The link #gone leads to nothing: docs/a.md has no such heading.",
      "docs/a.md:5 The link b.md#gone-too leads to nothing: docs/b.md has no such heading.",
    ]);
  });
});
