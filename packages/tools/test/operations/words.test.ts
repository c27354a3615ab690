import { ToolError } from "@toolrack/core";
import { FetchError } from "@toolrack/fetch";
import { describe, expect, it } from "vitest";
import { indexPassage, rankByWords } from "../../src/memory/rank.ts";
import { toPassages } from "../../src/memory/passages.ts";
import { fuse } from "../../src/operations/fuse.ts";
import { hostOf, toToolError } from "../../src/operations/http.ts";
import { queryStems, readWords } from "../../src/operations/words.ts";

describe("words", () => {
  it.each([
    ["berries", "berry"],
    ["ties", "tie"],
    ["dogs", "dog"],
    ["bus", "bus"],
    ["glass", "glass"],
    ["this", "this"],
    ["running", "run"],
    ["selling", "sell"],
    ["ring", "ring"],
    ["walked", "walk"],
    ["stopped", "stop"],
    ["red", "red"],
    ["house", "hous"],
    ["toe", "toe"],
    ["Crème", "crem"],
    ["ﬁne", "fin"],
  ])("%s has the stem %s", (word, stem) => {
    expect(readWords(word).map((found) => found.stem)).toEqual([stem]);
  });

  it("are told from those that say nothing, and asked for once each", () => {
    expect(readWords("The dog, the DOGS!").map(({ stem, isTelling }) => [stem, isTelling])).toEqual([
      ["the", false],
      ["dog", true],
      ["the", false],
      ["dog", true],
    ]);
    expect(queryStems("the dogs and the cat of a dog", 10)).toEqual(["dog", "cat"]);
    expect(queryStems("what is it", 2)).toHaveLength(2);
    expect(queryStems("a b c d", 2)).toHaveLength(2);
    expect(readWords("x".repeat(50))[0]!.stem).toHaveLength(40);
  });
});

describe("passages", () => {
  it("begin at headings, which they carry, and not in code", () => {
    const text = ["before", "# Garden #", "roses", "### Deep", "soil", "```", "# not a heading", "```", "## Trees", "oak"].join("\n");
    expect(toPassages(text)).toEqual([
      { text: "before", heading: "", startLine: 1, endLine: 1 },
      { text: "# Garden #\nroses", heading: "Garden", startLine: 2, endLine: 3 },
      { text: "### Deep\nsoil\n```\n# not a heading\n```", heading: "Garden › Deep", startLine: 4, endLine: 8 },
      { text: "## Trees\noak", heading: "Garden › Trees", startLine: 9, endLine: 10 },
    ]);
    expect(toPassages(" \n\r\n")).toEqual([]);
  });

  it("of a long text end at an empty line after twenty lines, and after sixty at the latest", () => {
    const lines = Array.from({ length: 25 }, (_, index) => `line ${index}`);
    const divided = toPassages([...lines.slice(0, 10), "", ...lines.slice(10), "", "end"].join("\n"));
    expect(divided.map(({ startLine, endLine }) => [startLine, endLine])).toEqual([
      [1, 26],
      [27, 28],
    ]);
    const solid = toPassages(Array.from({ length: 130 }, () => "x").join("\n"));
    expect(solid.map(({ endLine }) => endLine)).toEqual([60, 120, 130]);
  });

  it("are ranked by how rare and how frequent the words are that they share with the query", () => {
    const passage = (text: string, heading = ""): { indexed: ReturnType<typeof indexPassage> } => ({
      indexed: indexPassage({ text, heading, startLine: 1, endLine: 1 }, "notes"),
    });
    const [rose, both, other, titled] = [passage("rose"), passage("rose tulip"), passage("oak"), passage("elm", "tulip")];
    expect(rankByWords("rose tulip", [rose, both, other, titled]).map(({ item }) => item)).toEqual([both, rose, titled]);
    expect(rankByWords("tulip", [titled, both]).map(({ item }) => item)).toEqual([both, titled]);
    expect(rankByWords("notes", [rose])).toHaveLength(1);
    expect(rankByWords("zebra", [rose])).toEqual([]);
    expect(rankByWords("zebra", [])).toEqual([]);
    expect(indexPassage({ text: "the rose", heading: "rose", startLine: 1, endLine: 1 }, "oak")).toMatchObject({ length: 4 });
  });

  it("of two orders are joined by their places", () => {
    const order = (...names: readonly string[]): { item: string; score: number }[] => names.map((item) => ({ item, score: 1 }));
    expect(fuse([order("a", "b", "c"), order("b", "c")]).map(({ item }) => item)).toEqual(["b", "c", "a"]);
    expect(fuse([order("a")])).toEqual([{ item: "a", score: 1 / 60 }]);
  });
});

describe("requests of tools", () => {
  it.each([
    ["http://localhost:8080/v1", "localhost:8080"],
    ["http://localhost/v1", "localhost:80"],
    ["https://api.example.com", "api.example.com:443"],
  ])("to %s reach %s", (url, host) => {
    expect(hostOf(url, "baseUrl")).toBe(host);
  });

  it.each(["ftp://x", "nonsense", ""])("to %j are refused with the setting", (url) => {
    expect(() => hostOf(url, "baseUrl")).toThrow(`The setting "baseUrl" must be a URL such as "https://api.example.com", not "${url}".`);
  });

  it.each([
    ["TIMEOUT", "TIMEOUT"],
    ["ABORTED", "ABORTED"],
    ["RESPONSE_TOO_LARGE", "RESULT_TOO_LARGE"],
    ["ADDRESS_REFUSED", "TOOL_NOT_ALLOWED"],
    ["URL_INVALID", "INPUT_INVALID"],
    ["HEADER_INVALID", "INPUT_INVALID"],
    ["CONNECTION_FAILED", "TOOL_FAILED"],
  ])("that end with %s fail with %s", (code, expected) => {
    const error = new FetchError(code as never, "It is so.");
    expect(toToolError(error)).toMatchObject({ code: expected, message: "It is so.", cause: error });
    expect(toToolError(error)).toBeInstanceOf(ToolError);
  });

  it("that fail otherwise fail as they do", () => {
    const error = new Error("other");
    expect(toToolError(error)).toBe(error);
  });
});
