import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { createFileOperations } from "../../src/operations/node-files.ts";
import { compileFileGlob } from "../../src/workspace/glob.ts";
import { walk } from "../../src/workspace/walk.ts";
import { createTemporaryWorkspace, type TemporaryWorkspace } from "../temporary-workspace.ts";

let workspace: TemporaryWorkspace | undefined;
afterEach(() => workspace?.remove());

describe("globs", () => {
  it.each([
    ["*.ts", ["a.ts", "x/b.ts"], ["a.tsx", "ts"]],
    ["src/*.ts", ["src/a.ts"], ["src/x/a.ts", "a.ts", "xsrc/a.ts"]],
    ["src/**/*.ts", ["src/a.ts", "src/x/y/a.ts"], ["a.ts", "src/a.js"]],
    ["**/test/**", ["test/a", "x/test/y/z"], ["tests/a"]],
    ["a?c", ["abc", "x/aéc"], ["ac", "abbc"]],
    ["[a-c!]x", ["ax", "!x"], ["dx"]],
    ["[!a-c]x", ["dx"], ["ax"]],
    ["*.{js,ts,{c,h}pp}", ["a.js", "a.cpp", "a.hpp"], ["a.pp", "a.{js"]],
    ["{a}", ["{a}"], ["a"]],
    ["a\\*b", ["a*b"], ["axb"]],
    ["/top.txt", ["top.txt"], ["x/top.txt"]],
    ["[", ["["], ["x"]],
  ])("%s matches %s and not %s", (pattern, matching, others) => {
    const matches = compileFileGlob(pattern);
    expect(matching.filter((path) => !matches(path))).toEqual([]);
    expect(others.filter(matches)).toEqual([]);
  });

  it("a pattern made to be slow is not, and one with too many alternatives is refused", () => {
    expect(compileFileGlob(`${"*a".repeat(200)}b`)("a".repeat(5_000))).toBe(false);
    expect(() => compileFileGlob("{a,b}".repeat(10))).toThrow("alternatives");
  });

  it("a star stands for any text without a slash", () => {
    const word = fc.stringMatching(/^[ab.]{0,8}$/);
    fc.assert(
      fc.property(word, word, fc.stringMatching(/^[ab.]{0,12}$/), (one, two, name) => {
        const escaped = (text: string): string => text.replaceAll(".", "\\.");
        expect(compileFileGlob(`${one}*${two}`)(name)).toBe(new RegExp(`^${escaped(one)}.*${escaped(two)}$`).test(name));
      }),
      { numRuns: 300 },
    );
  });
});

describe("a walk", () => {
  it("leaves out what git leaves out", async () => {
    const ignore = [
      "*.log",
      "!keep.log",
      "/build",
      "docs/**/*.tmp",
      "cache/",
      "\\#odd",
      "*.o  ",
      "a/**",
      "!a/b",
      "**/deep.txt",
      "x[0-9].txt",
      "foo/*",
      "!foo/bar.txt",
    ];
    workspace = createTemporaryWorkspace({
      ".gitignore": `# a comment\n\n${ignore.join("\n")}\n`,
      "sub/.gitignore": "*.txt\n!yes.txt\n/only-here\n",
    });
    const names = [
      "a.log",
      "keep.log",
      "build/x",
      "sub/build/x",
      "docs/x.tmp",
      "docs/a/b.tmp",
      "docs/a/b.md",
      "cache/x",
      "sub/cache/y",
      "cache.txt",
      "#odd",
      "x.o",
      "a/b",
      "a/c/d",
      "deep.txt",
      "z/deep.txt",
      "x1.txt",
      "xa.txt",
      "foo/bar.txt",
      "foo/baz.txt",
      "foo/q/r.txt",
      "sub/no.txt",
      "sub/yes.txt",
      "sub/only-here",
      "sub/in/only-here",
      "sub/in/no.txt",
      ".env",
      "sub/keep.log",
    ];
    for (const name of names) workspace.write(name, "x");
    execFileSync("git", ["init", "-q"], { cwd: workspace.root });
    const expected = execFileSync("git", ["ls-files", "--others", "--exclude-standard", "-z"], { cwd: workspace.root, encoding: "utf8" })
      .split("\0")
      .slice(0, -1);
    const files = createFileOperations({ root: workspace.root });
    const found: string[] = [];
    for await (const entry of walk(files, ".")) if (entry.kind === "file") found.push(entry.path);
    expect(found.toSorted()).toEqual(expected.toSorted());
    const below: string[] = [];
    for await (const entry of walk(files, "sub")) if (entry.kind === "file") below.push(entry.path);
    expect(below.toSorted()).toEqual(expected.filter((path) => path.startsWith("sub/")).toSorted());
  });

  it("names folders before what they hold, and goes no deeper than asked", async () => {
    workspace = createTemporaryWorkspace({ "b/c/d.txt": "", "a.txt": "", "b.txt": "" });
    const paths = async (maxDepth: number): Promise<string[]> => {
      const found: string[] = [];
      for await (const entry of walk(createFileOperations({ root: workspace!.root }), workspace!.root, { maxDepth }))
        found.push(entry.path);
      return found;
    };
    expect(await paths(9)).toEqual(["a.txt", "b", "b/c", "b/c/d.txt", "b.txt"]);
    expect(await paths(2)).toEqual(["a.txt", "b", "b/c", "b.txt"]);
  });
});
