import { describe, expect, it } from "vitest";
import { parameterRows } from "../../src/commands/_parameters.ts";
import { answerLines } from "../../src/commands/_answer-lines.ts";
import { fileFault } from "../../src/errors.ts";
import { counted } from "../../src/print/counted.ts";
import { nameList } from "../../src/print/did-you-mean.ts";
import { readJsonText, toPrettyJson } from "../../src/print/json.ts";
import { safe, safeJson, visibleJson } from "../../src/print/safe.ts";
import { createStyle, paintState, wantsColour } from "../../src/print/style.ts";
import { cutTo, widthOf } from "../../src/print/width.ts";

describe("what is printed", () => {
  it("counts, lists, cuts and measures", () => {
    expect([counted(0, "tool"), counted(1, "tool"), counted(2_000, "tool")]).toEqual(["0 tools", "1 tool", "2,000 tools"]);
    const names = Array.from({ length: 11 }, (_, index) => `n${index}`);
    expect([nameList(names.slice(0, 2)), nameList(names.slice(0, 10)), nameList(names)]).toMatchInlineSnapshot(`
      [
        "n0, n1",
        "n0, n1, n2, n3, n4, n5, n6, n7, n8, n9",
        "n0, n1, n2, n3, n4, n5, n6, n7, n8, n9 and 1 more",
      ]
    `);
    const texts = ["abc", "日本", "é", "e\u0301", "👍🏽", "\u001b[31mred\u001b[39m", "ﬀ한"];
    expect(texts.map(widthOf)).toEqual([3, 4, 1, 1, 4, 3, 3]);
    expect(["abcdef", "日本語", "abc"].map((text) => [cutTo(text, 3), cutTo(text, 4), cutTo(text, 6)])).toMatchInlineSnapshot(`
      [
        [
          "ab…",
          "abc…",
          "abcdef",
        ],
        [
          "日…",
          "日…",
          "日本語",
        ],
        [
          "abc",
          "abc",
          "abc",
        ],
      ]
    `);
  });

  it("shows characters that nobody sees, or that steer a terminal, harmlessly", () => {
    expect(safe("\u0007a\u001b[31mb\u001b[39mc\n\td\u202ee")).toBe("abc\n\tde");
    expect([safe(undefined), safe(null), safe(5)]).toEqual(["", "", "5"]);
    expect(safeJson('"a\u007fb\u202ec\n"')).toBe('"a\\u007fb\\u202ec\n"');
    expect(visibleJson({ a: "b\u200bc\u00a0d\u{e0001}" })).toBe('{"a":"b\\u200bc\\u00a0d\\udb40\\udc01"}');
    expect(visibleJson(undefined)).toBe("");
  });

  it("has colour with a meaning where it is wanted", () => {
    const style = createStyle(true);
    const value = { a: [1, -2.5e3, true, null, 'x: "y"'], "b c": {} };
    expect(toPrettyJson(value, style).replaceAll("\u001b", "␛")).toMatchInlineSnapshot(`
      "{
        ␛[36m"a"␛[39m: [
          ␛[33m1␛[39m,
          ␛[33m-2500␛[39m,
          ␛[33mtrue␛[39m,
          ␛[2mnull␛[22m,
          ␛[32m"x: \\"y\\""␛[39m
        ],
        ␛[36m"b c"␛[39m: {}
      }"
    `);
    expect(toPrettyJson(value, createStyle(false))).toBe(JSON.stringify(value, null, 2));
    expect(toPrettyJson(undefined, createStyle(false))).toBe("null");
    const colour = { good: style.good("x"), bad: style.bad("x"), warn: style.warn("x") };
    const meaning = (state: string) =>
      Object.entries(colour).find(([, text]) => text === paintState(style, state).replace(state, "x"))?.[0];
    const states =
      "ready allowed allow ok approved healthy yes failed denied deny error unavailable archived no aborted wrong full read-only missing asks held".split(
        " ",
      );
    expect(states.map((state) => `${state} ${meaning(state)}`)).toMatchInlineSnapshot(`
      [
        "ready good",
        "allowed good",
        "allow good",
        "ok good",
        "approved good",
        "healthy good",
        "yes good",
        "failed bad",
        "denied bad",
        "deny bad",
        "error bad",
        "unavailable bad",
        "archived bad",
        "no bad",
        "aborted bad",
        "wrong bad",
        "full bad",
        "read-only bad",
        "missing bad",
        "asks warn",
        "held warn",
      ]
    `);
    const environments: readonly Record<string, string>[] = [
      {},
      { NO_COLOR: "1", FORCE_COLOR: "1" },
      { NO_COLOR: "" },
      { FORCE_COLOR: "1" },
      { FORCE_COLOR: "0" },
      { FORCE_COLOR: "false" },
      { FORCE_COLOR: "" },
      { TERM: "dumb" },
    ];
    expect(environments.map((one) => [wantsColour(one, true), wantsColour(one, false)])).toMatchInlineSnapshot(`
      [
        [
          true,
          false,
        ],
        [
          false,
          false,
        ],
        [
          true,
          false,
        ],
        [
          true,
          true,
        ],
        [
          false,
          false,
        ],
        [
          false,
          false,
        ],
        [
          true,
          false,
        ],
        [
          false,
          false,
        ],
      ]
    `);
    expect(["{", " [1]", '{"a":1}', "5", '"x"', "text"].map(readJsonText)).toEqual([
      undefined,
      [1],
      { a: 1 },
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("shows parameters with types, and how to answer a question", () => {
    const properties = {
      a: { anyOf: [{ type: "string" }, { type: "number" }], description: "A." },
      b: { enum: ["1", "2", "3", "4", "5", "6"] },
      c: { type: ["string", "null"], default: null },
      d: { type: "array", items: { enum: [1, 2] }, default: [] },
    };
    expect(parameterRows({ type: "object", properties, required: ["d"] })).toMatchInlineSnapshot(`
      [
        [
          "a",
          "string|number",
          "",
          "A.",
        ],
        [
          "b",
          "1|2|3|4|5|6",
          "",
          "",
        ],
        [
          "c",
          "string|null",
          "= null",
          "",
        ],
        [
          "d",
          "1|2[]",
          "required",
          "",
        ],
      ]
    `);
    expect(parameterRows({})).toEqual([]);
    expect([
      answerLines("a b", "toolrack", { where: "http://x", isServer: true }),
      answerLines("a", "toolrack", { where: "unix:/x", isServer: true })[0],
      answerLines("a", "toolrack", { where: "the local store", isServer: false })[0],
    ]).toMatchInlineSnapshot(`
      [
        [
          "  In the console:  http://x/live",
          "  With a command:  toolrack approvals approve 'a b'",
          "  To deny it:      toolrack approvals deny 'a b' --reason "…"",
        ],
        "  In the console:  toolrack serve, then its page Live",
        "  In the console:  toolrack serve, then its page Live",
      ]
    `);
  });

  it("names a file's fault in words, where there are any", () => {
    const codes = ["ENOENT", "ENOTDIR", "EACCES", "EPERM", "EISDIR", "ELOOP", "EIO"];
    expect(codes.map((code) => fileFault(Object.assign(new Error(`${code}: odd`), { code })))).toMatchInlineSnapshot(`
      [
        "there is no such file",
        "a part of its path is not a folder",
        "its permissions do not allow it",
        "its permissions do not allow it",
        "it is a folder",
        "its links lead in a circle",
        "EIO: odd",
      ]
    `);
    expect(fileFault(new Error("odd"))).toBe("odd");
  });
});
