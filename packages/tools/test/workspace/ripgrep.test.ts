import { chmodSync } from "node:fs";
import { delimiter, join } from "node:path";
import { oneOf, sized } from "@toolrack/testkit/sized";
import { createCapabilities } from "@toolrack/core/node";
import { hasPart } from "@toolrack/core/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFileOperations } from "../../src/operations/node-files.ts";
import { createProcessOperations } from "../../src/operations/node-processes.ts";
import type { ProcessOperations } from "../../src/operations/processes.ts";
import { compileLineTest, type PatternOptions } from "../../src/workspace/pattern.ts";
import { createRipgrep } from "../../src/workspace/ripgrep.ts";
import { toRipgrepPattern } from "../../src/workspace/ripgrep-pattern.ts";
import { searchLines } from "../../src/workspace/search.ts";
import { createTemporaryWorkspace, type TemporaryWorkspace } from "../temporary-workspace.ts";

const lines = [
  "foo(bar)",
  "FOO.bar",
  "a-b_c",
  "café crème",
  "x = [1, 2];",
  "tab\there",
  "  if (a && b) {",
  "$100 {x} ~ ^ |",
  "\u00a0space\ufeff",
  "\\d <a>",
  "",
];
let workspace: TemporaryWorkspace;
let processes: ProcessOperations;
beforeEach(() => {
  workspace = createTemporaryWorkspace();
  lines.forEach((line, index) => {
    workspace.write(`plain/${index}.txt`, `${line}\n`);
    workspace.write(`crlf/${index}.txt`, `first\r\n${line}\r\n`);
    workspace.write(`latin1/${index}.txt`, Buffer.from(`ÿ\n${line}\n`, "latin1"));
    workspace.write(`utf-16/${index}.txt`, Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`${line}\n`, "utf16le")]));
  });
  for (let index = 0; index < 60; index++) workspace.write(`more/-${index}.txt`, "nothing to see\n");
  processes = createProcessOperations({ root: workspace.root });
});
afterEach(async () => {
  await processes.close();
  workspace.remove();
});

/** What a search finds, and how many files it read for that. */
async function search(
  pattern: string,
  options: PatternOptions,
  usesRipgrep: boolean,
): Promise<{ readonly found: string[]; readonly reads: number }> {
  const disk = createFileOperations({ root: workspace.root });
  let reads = 0;
  const files = {
    ...disk,
    read: (path: string, maxBytes: number) => {
      reads++;
      return disk.read(path, maxBytes);
    },
  };
  const narrow = usesRipgrep ? createRipgrep(processes)(pattern, options) : undefined;
  const { matches } = await searchLines(files, compileLineTest(pattern, options), { limit: 1_000, narrow });
  return { found: matches.map(({ path, line }) => `${path}:${line}`), reads };
}

describe("ripgrep", () => {
  it.skipIf(!hasPart("ripgrep", createCapabilities().has("rg")))("changes nothing about what is found, where it is installed", async () => {
    const patterns = [
      "foo",
      "foo\\(",
      "^\\s*if",
      "\\w+\\.\\w+",
      "caf.",
      "cr.me$",
      "[a-f]-[^x]",
      "[^a-z]",
      "\\d",
      "^$",
      "\\bbar\\b",
      "a|x",
      "(?:fo){1,2}o?",
      "\\$\\d+",
      "[{~^|]",
      "\\S\\s\\S",
      "\\[1",
      "^.{4}é",
      "\\\\d",
      "here$",
      "[\\]\\[]",
      "[a\\-]b",
      "(?=foo)",
      "é",
    ];
    for (const [index, pattern] of oneOf(2, patterns).entries()) {
      // In the short form the patterns take turns.
      for (const ignoresCase of sized(1, 2) === 1 ? [index % 2 === 1] : [false, true]) {
        const [plain, fast] = [await search(pattern, { ignoresCase }, false), await search(pattern, { ignoresCase }, true)];
        expect({ pattern, ignoresCase, found: fast.found }).toEqual({ pattern, ignoresCase, found: plain.found });
      }
    }
    expect((await search("foo", {}, true)).reads).toBeLessThan(10);
  });

  it("is told of the files in turn, and only those that it names are read", async () => {
    // A program of its name that does what is asked of it for plain text: the real one is rarely installed where this is tested.
    const script = `#!${process.execPath}
      const { readFileSync } = require("node:fs");
      const args = process.argv.slice(2);
      if (args[0] === "--version") process.exit(0);
      if (!args.includes("--fixed-strings") || !args.includes("--null")) process.exit(2);
      const wanted = args[args.indexOf("-e") + 1];
      for (const file of args.slice(args.indexOf("--") + 1)) if (readFileSync(file, "utf8").includes(wanted)) process.stdout.write(file + "\\0");`;
    workspace.write(".bin/rg", script);
    chmodSync(join(workspace.root, ".bin/rg"), 0o755);
    const path = process.env["PATH"];
    process.env["PATH"] = `${join(workspace.root, ".bin")}${delimiter}${path}`;
    try {
      const { found, reads } = await search("foo(", { isLiteral: true }, true);
      expect(found).toEqual(["crlf/0.txt:2", "latin1/0.txt:2", "plain/0.txt:1"]);
      expect(reads).toBe(3);
      expect((await search("fo+", {}, true)).found).toEqual((await search("fo+", {}, false)).found); // it fails, and is done without
    } finally {
      process.env["PATH"] = path;
    }
  });

  it.each([
    ["\\w+\\(", "[0-9A-Za-z_]+\\x{28}"],
    ["a b", "a\\x{20}b"],
    ["[a-c&&[]", undefined],
    ["[a\\]-]", "[a\\x{5D}\\x{2D}]"],
    ["(?:x|y)*?$", "(?:x|y)*?$"],
    ["x{2,}", "x{2,}"],
    ["\\p{L}", undefined],
    ["é", undefined],
    ["\\1", undefined],
    ["\\B", undefined],
  ])("takes over %s as %s", (pattern, expected) => {
    expect(toRipgrepPattern(pattern)).toBe(expected);
  });
});
