import { describe, expect, it } from "vitest";
import { actionSchema } from "../../src/workspace/actions.ts";
import { environmentFor } from "../../src/workspace/environment.ts";
import { describeNearest } from "../../src/workspace/nearest.ts";
import { applyEdits } from "../../src/workspace/replace.ts";
import { coverage, likeness, similarNames } from "../../src/workspace/similar.ts";
import { waitUpTo } from "../../src/workspace/wait.ts";

describe("a text that is not in a file", () => {
  const file = ["function a() {", "  return 1;", "}", "", "function b() {", '  say("it’s – so");', "\tx = 1", "}"].join("\n");

  it.each([
    ["  return 1;  \n}", " The nearest differs only in the spaces at the ends of lines:\n2:   return 1;\n3: }"],
    ["return 1;\n  }", " The nearest differs only in its indentation:\n2:   return 1;\n3: }"],
    [
      'function b() {\n say("it\'s - so");',
      ' The nearest differs only in its quotes, dashes or spaces:\n5: function b() {\n6:   say("it’s – so");',
    ],
    ["function a() {\n  return 2;\n}", " The nearest is this:\n1: function a() {\n2:   return 1;\n3: }"],
    ["functoin b() {", " The nearest is this:\n5: function b() {"],
    ["zzz qqq", " Nothing in the file is like it. Read the file first."],
    ["}", " Nothing in the file is like it. Read the file first."],
  ])("%j is shown what is nearest to it", (wanted, said) => {
    expect(describeNearest(file, wanted)).toBe(said);
  });

  it("is told where only its spaces and tabs differ", () => {
    expect(describeNearest("a = 1\n}\n\tx = 1\n}", "}\nx  =  1\n}")).toBe(
      " The nearest differs only in its spaces and tabs:\n2: }\n3: \tx = 1\n4: }",
    );
  });

  it("is shown at the first of the places that fit best, and cut where it is long", () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line number ${index}`);
    const said = describeNearest(lines.join("\n"), lines.map((line) => `${line}!`.replace("7!", "7")).join("\n"));
    expect(said.split("\n")).toHaveLength(22);
    expect(said).toMatch(/^ The nearest is this:\n1: line number 0\n[^]*\n20: line number 19\n…$/);
    expect(describeNearest("same here\nx\nsame here", "same here\ny")).toContain("\n1: same here\n2: x");
    expect(describeNearest(`${"w".repeat(300)} end`, `${"w".repeat(300)} and`)).toBe(` The nearest is this:\n1: ${"w".repeat(200)}`);
  });
});

describe("edits", () => {
  it("say in which edit and in which lines a text is", () => {
    const text = "a\n".repeat(7);
    expect(() => applyEdits(text, [{ oldText: "a", newText: "b" }], "f")).toThrow(
      "f: the text to replace is there 7 times, in lines 1, 2, 3, 4, 5 …. Give more of the lines around it, or replace all.",
    );
    expect(() => applyEdits("aXa", [{ oldText: "a", newText: "b" }], "f")).toThrow("there 2 times, in lines 1, 1. Give");
    const edits = [
      { oldText: "x", newText: "y" },
      { oldText: "", newText: "y" },
    ];
    expect(() => applyEdits("x", edits, "f")).toThrow("f, edit 2: the text to replace is empty.");
    expect(() => applyEdits("x\r\n", [{ oldText: "x\r\n", newText: "x\n" }], "f")).toThrow("the new text is the same as the old one");
  });

  it("replace all where that is meant, and tell how many and where the first is", () => {
    const edit = { oldText: "a", newText: "b", replaceAll: true };
    expect(applyEdits("x\na a\na", [edit], "f")).toEqual({ text: "x\nb b\nb", replacements: 3, firstLine: 2 });
  });

  it("end new lines as the place does where they are put, and else as the file", () => {
    const edit = [{ oldText: "X", newText: "1\n2" }];
    expect(applyEdits("a\nX\r\nb\n", edit, "f").text).toBe("a\n1\r\n2\r\nb\n");
    expect(applyEdits("a\r\nb\r\nX", edit, "f").text).toBe("a\r\nb\r\n1\r\n2");
    expect(applyEdits("X", edit, "f").text).toBe("1\n2");
  });
});

describe("likeness", () => {
  it("is 1 for the same, 0 for nothing in common, and else the share of common pairs", () => {
    expect([likeness("abc", "abc"), likeness("", ""), likeness("ab", "cd"), likeness("a", "b")]).toEqual([1, 1, 0, 0]);
    expect(likeness("abc", "abd")).toBe(0.5);
    expect([coverage("abc", "xxabcxx"), coverage("abcd", "ab"), coverage("a", "a")]).toEqual([1, 1 / 3, 0]);
    expect(likeness("x".repeat(199) + "ab", "x".repeat(199) + "cd")).toBe(likeness("x".repeat(199) + "a", "x".repeat(199) + "c"));
  });

  it("orders names, the best first, and leaves out those that are unlike", () => {
    expect(similarNames("reaed", ["READ", "read_file", "spread", "write"])).toEqual(["READ", "spread"]);
    expect(similarNames("abc", ["abcx", "abcy", "abcz", "abcw"])).toEqual(["abcw", "abcx", "abcy"]);
    expect(similarNames("abc", ["abcx", "abcy"], 1)).toEqual(["abcx"]);
  });
});

describe("the environment of a program", () => {
  it("has what is inherited, what is set, and what a call may set, the last of which counts", () => {
    const options = { inherit: [], set: { A: "1", B: "1" }, accept: ["B", "C"] };
    expect(environmentFor(options)).toEqual({ A: "1", B: "1" });
    expect(environmentFor(options, { B: "2", C: "3" })).toEqual({ A: "1", B: "2", C: "3" });
    expect(environmentFor({})).toMatchObject({ PATH: process.env["PATH"] });
    expect(() => environmentFor(options, { LD_PRELOAD: "x" })).toThrow(
      'The variable "LD_PRELOAD" cannot be set by a call. Allowed are B, C.',
    );
    expect(() => environmentFor({}, { X: "1" })).toThrow('The variable "X" cannot be set by a call. No variable can be set here.');
  });
});

describe("waiting", () => {
  it("ends with what is awaited, with the time, or with the signal", async () => {
    const never = new Promise<string>(() => {});
    const { signal } = new AbortController();
    expect(await waitUpTo(Promise.resolve("x"), 60_000, signal)).toBe("x");
    expect(await waitUpTo(never, 1, signal)).toBeUndefined();
    expect(await waitUpTo(Promise.resolve("x"), 60_000, AbortSignal.abort())).toBeUndefined();
    const stop = new AbortController();
    const waiting = waitUpTo(never, 60_000, stop.signal);
    stop.abort();
    expect(await waiting).toBeUndefined();
    await expect(waitUpTo(Promise.reject(new Error("broken")), 60_000, signal)).rejects.toThrow("broken");
  });
});

it("the schema of a tool with actions has the parameters of each action, and names those that all need", () => {
  const schema = actionSchema({
    description: "What to do.",
    actions: { get: { needs: ["id"] }, list: { takes: ["limit"] }, clear: {} },
    properties: { id: { type: "string" }, limit: { type: "integer" }, place: { type: "string" } },
    required: ["place"],
  });
  expect(schema).toMatchObject({
    type: "object",
    properties: { action: { type: "string", enum: ["get", "list", "clear"], description: "What to do." }, id: { type: "string" } },
    required: ["action", "place"],
    allOf: [
      {
        if: { properties: { action: { const: "get" } }, required: ["action"] },
        then: { properties: { action: {}, place: {}, id: {} }, required: ["id"], additionalProperties: false },
      },
      { then: { properties: { action: {}, place: {}, limit: {} }, required: [] } },
      { then: { properties: { action: {}, place: {} }, required: [] } },
    ],
  });
});
