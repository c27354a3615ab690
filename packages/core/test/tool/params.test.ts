import { readFileSync } from "node:fs";
import fc from "fast-check";
import { cpuTime } from "@toolrack/testkit/cpu-time";
import { describe, expect, expectTypeOf, it } from "vitest";
import { ToolInputError } from "../../src/errors.ts";
import {
  createActionGate,
  readBooleanParam,
  readNumberParam,
  readParamRaw,
  readStringArrayParam,
  readStringOrNumberParam,
  readStringParam,
  toSnakeCaseKey,
} from "../../src/tool/params.ts";

interface Case {
  readonly id: string;
  readonly note: string;
  readonly input: {
    fn: string;
    params: Record<string, unknown>;
    key: string;
    options?: object;
    actions?: Record<string, unknown> | null;
    defaultValue?: boolean;
  };
  readonly expected: { value?: unknown; undefined?: true; error?: { name: string; message: string; status: number } };
}

const { cases } = JSON.parse(readFileSync(new URL("../fixtures/params.json", import.meta.url), "utf8")) as { cases: Case[] };
const readers = { readStringParam, readNumberParam, readStringArrayParam, readStringOrNumberParam } as Record<
  string,
  (params: Record<string, unknown>, key: string, options?: object) => unknown
>;

function run({ fn, params, key, options, actions, defaultValue }: Case["input"]): unknown {
  return fn === "createActionGate" ? createActionGate(actions)(key, defaultValue) : readers[fn]!(params, key, options);
}

describe("the worked cases of the parameter readers", () => {
  it("are all there", () => {
    expect(cases).toHaveLength(48);
  });

  // row: D7
  it.each(cases.map((one) => [one.id, one.note, one] as const))("%s: %s", (_id, _note, { input, expected }) => {
    if (expected.error === undefined) expect(run(input)).toEqual(expected.value);
    else expect(() => run(input)).toThrow(expect.objectContaining(expected.error));
  });
});

describe("parameter readers", () => {
  it("never read what an object inherits", () => {
    for (const key of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      expect(readParamRaw({}, key)).toBeUndefined();
      expect(readParamRaw(Object.create({ [key]: "inherited" }) as Record<string, unknown>, key)).toBeUndefined();
    }
    expect(readStringParam(JSON.parse('{"__proto__":"own"}') as Record<string, unknown>, "__proto__")).toBe("own");
  });

  it.each(["12px", "0x10", "1,000", "1_000", "--1", "1e", ".", "", "   ", "Infinity", "1e999", "NaN", "1 2", "five"])(
    "take %j for no number",
    (text) => {
      expect(readNumberParam({ n: text }, "n")).toBeUndefined();
      expect(() => readNumberParam({ n: text }, "n", { required: true })).toThrow("n required");
    },
  );

  it.each([
    ["+5", 5],
    ["-2.50", -2.5],
    [".5", 0.5],
    ["5.", 5],
    ["1E-2", 0.01],
    ["\t7\n", 7],
  ])("take %j for the number %d", (text, number) => {
    expect(readNumberParam({ n: text }, "n")).toBe(number);
  });

  it("refuse numbers that are not finite, and values of other types", () => {
    for (const n of [Number.NaN, Number.POSITIVE_INFINITY, [5], { n: 5 }, true, null]) expect(readNumberParam({ n }, "n")).toBeUndefined();
    expect(readStringOrNumberParam({ a: Number.NaN }, "a")).toBeUndefined();
  });

  it("read every finite number back from its text", () => {
    const property = fc.property(fc.double({ noDefaultInfinity: true, noNaN: true }), (n) => {
      expect(readNumberParam({ n: String(n) }, "n")).toBe(Number(String(n)));
    });
    fc.assert(property);
  });

  it("answer a long text that is nearly a number at once", () => {
    const start = cpuTime();
    expect(readNumberParam({ n: `${" ".repeat(200_000)}${"1".repeat(200_000)}x` }, "n")).toBeUndefined();
    expect(toSnakeCaseKey("A".repeat(200_000))).toHaveLength(200_000);
    expect(cpuTime() - start).toBeLessThan(20_000);
  });

  it("read booleans, and the two words for them", () => {
    expect([true, "true", " TRUE "].map((a) => readBooleanParam({ a }, "a"))).toEqual([true, true, true]);
    expect([false, "false"].map((a) => readBooleanParam({ a }, "a"))).toEqual([false, false]);
    expect([1, 0, "yes", "", null, {}].map((a) => readBooleanParam({ a }, "a"))).toEqual(Array.from({ length: 6 }));
    expect(readBooleanParam({ dry_run: true }, "dryRun")).toBe(true);
    expect(() => readBooleanParam({}, "dryRun", { required: true, label: "dry run" })).toThrow(new ToolInputError("dry run required"));
  });

  it("drop what is no text from a list, and leave the list they were given alone", () => {
    const list = [" a ", 5, null, "b"];
    expect(readStringArrayParam({ list }, "list")).toEqual(["a", "b"]);
    expect(list).toEqual([" a ", 5, null, "b"]);
  });

  it("give the type that the options promise", () => {
    expectTypeOf(readStringParam({}, "a")).toEqualTypeOf<string | undefined>();
    expectTypeOf(() => readStringParam({}, "a", { required: true })).returns.toEqualTypeOf<string>();
    expectTypeOf(() => readNumberParam({}, "a", { required: true, integer: true })).returns.toEqualTypeOf<number>();
    expectTypeOf(readStringArrayParam({}, "a", { required: false })).toEqualTypeOf<string[] | undefined>();
    expectTypeOf(() => readBooleanParam({}, "a", { required: true })).returns.toEqualTypeOf<boolean>();
    expectTypeOf(() => readStringOrNumberParam({}, "a", { required: true })).returns.toEqualTypeOf<string>();
    expectTypeOf(readParamRaw({}, "a")).toBeUnknown();
  });
});

describe("toSnakeCaseKey", () => {
  it.each([
    ["sessionKey", "session_key"],
    ["messageURL", "message_url"],
    ["getHTTPStatus", "get_http_status"],
    ["audio2Text", "audio2_text"],
    ["SessionKey", "session_key"],
    ["session_key", "session_key"],
    ["a", "a"],
    ["URL", "url"],
    ["", ""],
  ])("%s → %s", (key, expected) => {
    expect(toSnakeCaseKey(key)).toBe(expected);
  });

  it("leaves its own results alone", () => {
    fc.assert(fc.property(fc.string(), (key) => toSnakeCaseKey(toSnakeCaseKey(key)) === toSnakeCaseKey(key)));
  });
});

describe("createActionGate", () => {
  it("is open unless the configuration says false", () => {
    const gate = createActionGate({ send: false, read: true, pin: null, poll: undefined });
    expect([gate("send"), gate("read"), gate("pin"), gate("poll")]).toEqual([false, true, true, true]);
    expect(gate("poll", false)).toBe(false);
  });

  it("takes inherited names for actions that are not set", () => {
    const gate = createActionGate<Record<string, unknown>>({});
    expect(gate("constructor", false)).toBe(false);
    expect(gate("__proto__")).toBe(true);
  });

  it("knows the actions of its configuration by type", () => {
    const gate = createActionGate({ send: true });
    expectTypeOf(gate).parameter(0).toEqualTypeOf<"send">();
  });
});
