import { createRegistry, defineTool, type ToolDefinition } from "@toolrack/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ParameterOverlay, ToolOverlay } from "../../../src/config/overlay.ts";
import { applyOverlay } from "../../../src/rack/trust/overlay-apply.ts";
import { loosenedBy, mergeOverlays } from "../../../src/rack/trust/overlay-merge.ts";

const values: Readonly<Record<string, readonly unknown[]>> = {
  kind: ["a", "b", "c"],
  count: [0, 1, 2, 3],
  text: ["", "x", "xx"],
};

const tool = defineTool({
  name: "send",
  description: "Sends.",
  inputSchema: {
    type: "object",
    properties: {
      kind: { enum: values["kind"] },
      count: { type: "integer", minimum: 0, maximum: 3, default: 1 },
      text: { type: "string" },
    },
    additionalProperties: false,
  },
  handler: (input) => input,
}) as ToolDefinition;

const inputs = Object.entries(values).reduce<object[]>(
  (all, [name, given]) => all.flatMap((input) => [input, ...given.map((value) => ({ ...input, [name]: value }))]),
  [{}],
);

/** Every whole input that the tool gets under an overlay; none where it is hidden, or the overlay does not fit it. */
async function wholeInputs(overlay: ToolOverlay): Promise<ReadonlySet<string>> {
  if (overlay.hidden === true) return new Set();
  const registry = createRegistry();
  try {
    registry.register(applyOverlay(tool, overlay, "/"));
  } catch {
    return new Set();
  }
  const results = await Promise.all(inputs.map((input) => registry.invoke("send", input)));
  const sorted = (data: unknown): string => JSON.stringify(Object.entries(data as object).toSorted());
  return new Set(results.flatMap((result) => (result.ok ? [sorted(result.data)] : [])));
}

const maybe = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> => fc.option(value, { nil: undefined });
const without = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;

function parameterOf(name: string): fc.Arbitrary<ParameterOverlay> {
  const limit = maybe(fc.integer({ min: 0, max: 3 }));
  const ranges: Readonly<Record<string, Readonly<Record<string, fc.Arbitrary<unknown>>>>> = {
    count: { minimum: limit, maximum: limit },
    text: { minLength: limit, maxLength: limit },
  };
  const narrowing = fc.record({
    enum: maybe(fc.subarray([...values[name]!], { minLength: 1 })),
    description: maybe(fc.constant("Its text.")),
    ...ranges[name],
  });
  const withheld = fc.record({ hidden: maybe(fc.boolean()), value: maybe(fc.constantFrom(...values[name]!)) });
  return fc.oneof(narrowing, withheld).map((parameter) => without(parameter) as ParameterOverlay);
}

const overlays: fc.Arbitrary<ToolOverlay> = fc
  .record({
    hidden: fc.constantFrom(undefined, undefined, undefined, true, false),
    parameters: fc.record({ kind: parameterOf("kind"), count: parameterOf("count"), text: parameterOf("text") }, { requiredKeys: [] }),
  })
  .map((overlay) => without(overlay) as ToolOverlay);

describe("an overlay over another one", () => {
  it("TD2: never lets the tool get a whole input that the one below it does not", async () => {
    await fc.assert(
      fc.asyncProperty(overlays, overlays, async (file, record) => {
        const [before, after] = [await wholeInputs(file), await wholeInputs(mergeOverlays(file, record, { mayLoosen: [] }))];
        expect([...after].filter((input) => !before.has(input))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it("TD2: says where it loosens, whenever it does", async () => {
    await fc.assert(
      fc.asyncProperty(overlays, overlays, async (file, record) => {
        const merged = mergeOverlays(file, record, { mayLoosen: "everything" });
        if (loosenedBy(file, merged).length > 0) return;
        const [before, after] = [await wholeInputs(file), await wholeInputs(merged)];
        expect([...after].filter((input) => !before.has(input))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it("TD2: loosens where it may", async () => {
    await fc.assert(
      fc.asyncProperty(overlays, overlays, async (file, record) => {
        const all = loosenedBy(file, mergeOverlays(file, record, { mayLoosen: "everything" }));
        const merged = mergeOverlays(file, record, { mayLoosen: all });
        expect(loosenedBy(file, merged)).toEqual(all);
      }),
      { numRuns: 100 },
    );
  });

  it.each<[string, ToolOverlay, ToolOverlay, ToolOverlay, readonly string[]]>([
    ["a text", { title: "A", description: "B" }, { description: "C" }, { title: "A", description: "C" }, []],
    ["groups", { groups: ["a"] }, { groups: ["b"] }, { groups: ["a", "b"] }, []],
    ["a hidden tool", { hidden: true }, { hidden: false }, { hidden: true }, ["/hidden"]],
    [
      "smaller limits",
      { limits: { timeoutMs: 5, concurrency: 2 } },
      { limits: { timeoutMs: 3 } },
      { limits: { timeoutMs: 3, concurrency: 2 } },
      [],
    ],
    [
      "larger limits",
      { limits: { timeoutMs: 5, maxResultBytes: 9 } },
      { limits: { timeoutMs: false, maxResultBytes: 10, concurrency: 1 } },
      { limits: { timeoutMs: 5, maxResultBytes: 9, concurrency: 1 } },
      ["/limits/timeoutMs", "/limits/maxResultBytes"],
    ],
    [
      "annotations",
      { annotations: { destructive: true, readOnly: false } },
      { annotations: { destructive: false, readOnly: true, idempotent: true, openWorld: true } },
      { annotations: { destructive: true, readOnly: false, openWorld: true } },
      ["/annotations/readOnly", "/annotations/destructive", "/annotations/idempotent"],
    ],
    [
      "a pinned value",
      { parameters: { kind: { value: "a" } } },
      { parameters: { kind: { value: "b" } } },
      { parameters: { kind: { value: "a" } } },
      ["/parameters/kind/value"],
    ],
    [
      "what is hidden",
      { parameters: { "a/b": { hidden: true } } },
      { parameters: { "a/b": { hidden: false } } },
      { parameters: { "a/b": { hidden: true } } },
      ["/parameters/a~1b/hidden"],
    ],
    [
      "what it says nothing of",
      { hidden: true, parameters: { kind: { value: "a" }, count: { maximum: 2 } }, limits: { timeoutMs: 5 } },
      { tags: ["mine"] },
      { hidden: true, parameters: { kind: { value: "a" }, count: { maximum: 2 } }, limits: { timeoutMs: 5 }, tags: ["mine"] },
      [],
    ],
  ])("keeps what restricts, and names where it would not: %s", (_, base, over, together, loosened) => {
    expect(mergeOverlays(base, over, { mayLoosen: [] })).toEqual(together);
    expect(loosenedBy(base, mergeOverlays(base, over, { mayLoosen: "everything" }))).toEqual(loosened);
  });

  it("fits no tool where nothing is left that both allow", () => {
    const merged = (parameter: ParameterOverlay): ToolOverlay =>
      mergeOverlays({ parameters: { kind: { enum: ["a"] } } }, { parameters: { kind: parameter } }, { mayLoosen: [] });
    expect(() => applyOverlay(tool, merged({ enum: ["b"] }), "/")).toThrow(
      '"kind" has no value that both this overlay and what it is laid over allow',
    );
    expect(() => applyOverlay(tool, merged({ value: "b" }), "/")).toThrow('the value for "kind" is not valid');
  });

  it("may be of a parameter with the name of what every object has", () => {
    const parameters = JSON.parse('{"__proto__": {"value": 1}, "constructor": {"hidden": true}}') as NonNullable<ToolOverlay["parameters"]>;
    const merged = mergeOverlays({ parameters }, { parameters: { toString: { hidden: true } } }, { mayLoosen: [] });
    expect(Object.entries(merged.parameters!)).toEqual([...Object.entries(parameters), ["toString", { hidden: true }]]);
  });
});

describe("the folder for the paths of a tool, in one overlay over another", () => {
  const file = { paths: { folder: "data", parameters: ["path"] } };

  it("stays that of the first, with the parameters of both, unless an admin lets it be another one", () => {
    const over = { paths: { folder: "/", parameters: ["source"] } };
    expect(mergeOverlays(file, over, { mayLoosen: [] })).toEqual({ paths: { folder: "data", parameters: ["path", "source"] } });
    expect(mergeOverlays(file, { title: "Read" }, { mayLoosen: [] })).toEqual({ ...file, title: "Read" });
    expect(mergeOverlays(file, over, { mayLoosen: ["/paths"] })).toEqual(over);
  });

  it("allows more where the folder is another one, or a parameter is missing", () => {
    expect(loosenedBy(file, { paths: { folder: "data", parameters: ["path", "source"] } })).toEqual([]);
    expect(loosenedBy(file, { paths: { folder: "/", parameters: ["path"] } })).toEqual(["/paths"]);
    expect(loosenedBy(file, { paths: { folder: "data", parameters: ["source"] } })).toEqual(["/paths"]);
    expect(loosenedBy(file, {})).toEqual(["/paths"]);
  });
});
