import { describe, expect, it } from "vitest";
import { definitionsIn, importsIn, languageNamed, languageOf } from "../../src/code/_languages.ts";

const found = (language: string, line: string): string | undefined => {
  const [one] = definitionsIn(languageNamed(language)!, [line]);
  return one && `${one.kind} ${one.name}`;
};

describe("what a line defines", () => {
  it.each<[language: string, line: string, wanted: string | undefined]>([
    ["go", "func (s *Server) Serve() {", "method Serve"],
    ["go", "func main() {", "function main"],
    ["go", "type Server struct {", "type Server"],
    ["go", "var limit = 5", "variable limit"],
    ["go", "const most = 5", "variable most"],
    ["go", "  func inner() {", undefined],
    ["typescript", "export default async function run() {", "function run"],
    ["typescript", "function* walk() {", "function walk"],
    ["typescript", "export abstract class Tree {", "class Tree"],
    ["typescript", "export interface Node$ {", "interface Node$"],
    ["typescript", "type Name<T> = T;", "type Name"],
    ["typescript", "declare enum Kind {", "enum Kind"],
    ["typescript", "export const most = 5;", "variable most"],
    ["typescript", "  async load(path: string): Promise<void> {", "method load"],
    ["typescript", "  if (isOpen) {", undefined],
    ["typescript", "  return load(path) {", undefined],
    ["python", "class Tree(Base):", "class Tree"],
    ["python", "    async def load(self):", "function load"],
    ["python", "limit: int = 5", "variable limit"],
    ["python", "limit == 5", undefined],
    ["rust", "pub(crate) fn load() {", "function load"],
    ["rust", "pub struct Tree {", "struct Tree"],
    ["rust", "enum Kind {", "enum Kind"],
    ["rust", "pub trait Walk {", "trait Walk"],
    ["rust", "type Name = String;", "type Name"],
    ["rust", "mod inner;", "module inner"],
    ["rust", "macro_rules! make {", "macro make"],
    ["java", "public final class Tree {", "class Tree"],
    ["java", "data class Point(val x: Int)", "class Point"],
    ["java", "public interface Walk {", "interface Walk"],
    ["java", "enum class Kind {", "enum Kind"],
    ["java", "override fun load() {", "function load"],
    ["java", "  public static List<String> names(int a) {", "method names"],
    ["c", "#define MOST 5", "macro MOST"],
    ["c", "typedef struct tree {", "struct tree"],
    ["c", "enum class Kind {", "struct Kind"],
    ["c", "static int load(const char *path)", "function load"],
    ["c", "return load(path)", undefined],
    ["c", "int load(const char *path);", undefined],
    ["ruby", "class Tree::Leaf", "class Tree::Leaf"],
    ["ruby", "module Walk", "module Walk"],
    ["ruby", "  def self.open?", "function open?"],
    ["php", "final class Tree {", "class Tree"],
    ["php", "trait Walks {", "class Walks"],
    ["php", "public static function &load() {", "function load"],
  ])("%s: %s", (language, line, wanted) => expect(found(language, line)).toBe(wanted));

  it("is told with its line, shortened", () => {
    const lines = ["", `  export function run() { ${"x".repeat(600)}`];
    expect(definitionsIn(languageNamed("ts")!, lines)).toEqual([
      { line: 2, kind: "function", name: "run", text: lines[1]!.slice(0, 500).trim() },
    ]);
  });
});

describe("what a line brings in", () => {
  it.each<[language: string, lines: string[], wanted: string[]]>([
    ["go", ['import "fmt"', 'import f "os"', "import (", '  "io"', '  x "net/http"', ")", '"after"'], ["fmt", "os", "io", "net/http"]],
    [
      "typescript",
      [
        'import { a } from "./a.ts";',
        "export * from './b';",
        '} from "./c";',
        'import "./d";',
        'const e = require("e");',
        'await import("./f.ts")',
        'const g = "from";',
      ],
      ["./a.ts", "./b", "./c", "./d", "e", "./f.ts"],
    ],
    ["python", ["from a.b import c", "import d.e as f", "important = 1"], ["a.b", "d.e"]],
    ["rust", ["pub use a::b;", "use c;", "extern crate d;"], ["a::b", "c", "d"]],
    ["java", ["import static a.b.*;", "import c.D;", "using System.Text;"], ["a.b.*", "c.D", "System.Text"]],
    ["c", ["#include <stdio.h>", '# include "own.h"', "#import <Foundation/F.h>"], ["stdio.h", "own.h", "Foundation/F.h"]],
    ["ruby", ["require 'a'", 'require_relative("b")', "load 'c'"], ["a", "b", "c"]],
    ["php", ["use A\\B;", "require_once('c.php');", 'include "d.php";'], ["A\\B", "c.php", "d.php"]],
  ])("%s", (language, lines, wanted) => {
    const imports = importsIn(languageNamed(language)!, lines);
    expect(imports.map(({ name }) => name)).toEqual(wanted);
    for (const { line, name } of imports) expect(lines[line - 1]).toContain(name);
  });
});

describe("a language", () => {
  it.each([
    ["go", "golang Go", "a.go"],
    ["typescript", "javascript js ts TypeScript", "a.ts a.tsx a.mts a.cts a.js a.jsx a.mjs a.cjs A.TS"],
    ["python", "py", "a.py a.pyi"],
    ["rust", "rs", "a.rs"],
    ["java", "kotlin csharp c#", "a.java a.kt a.kts a.cs a.scala"],
    ["c", "c++ cpp", "a.c a.h a.cc a.cpp a.cxx a.hpp a.hh a.m"],
    ["ruby", "ruby", "a.rb a.rake"],
    ["php", "php", "a.php"],
  ])("%s has the names %s and the files %s", (name, names, files) => {
    for (const one of [name, ...names.split(" ")]) expect(languageNamed(` ${one} `)?.name).toBe(name);
    for (const file of files.split(" ")) expect(languageOf(`x.y/${file}`)?.name).toBe(name);
  });

  it("is unknown for any other name or file", () => {
    for (const name of ["", "cobol", "constructor"]) expect(languageNamed(name)).toBeUndefined();
    for (const file of ["a.txt", "Makefile", "a."]) expect(languageOf(file)).toBeUndefined();
  });
});
