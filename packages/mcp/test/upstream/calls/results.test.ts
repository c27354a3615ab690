import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toHandlerReturn } from "../../../src/upstream/calls/results.ts";
import { detailsKey } from "../../../src/wire/protocol.ts";

const text = (value: string) => ({ type: "text", text: value });
const image = { type: "image", data: "AA==", mimeType: "image/png" };
const blocksOf = (...content: unknown[]) => toHandlerReturn({ content });

describe("what a server answered", () => {
  it("is its blocks, or an empty text", () => {
    expect(blocksOf(text("a"), image)).toEqual([text("a"), image]);
    expect(toHandlerReturn({ content: [] })).toBe("");
    expect(toHandlerReturn({ content: [], isError: false })).toBe("");
  });

  it("carries data beside its text; without a text the data is the text", () => {
    const structuredContent = { sum: 3 };
    expect(toHandlerReturn({ content: [text("a"), text("b")], structuredContent })).toEqual({
      ok: true,
      content: "a\nb",
      data: structuredContent,
    });
    expect(toHandlerReturn({ structuredContent })).toEqual({ ok: true, content: '{"sum":3}', data: structuredContent });
    expect(toHandlerReturn({ content: [text("a"), image], structuredContent })).toEqual({
      ok: true,
      content: "a",
      blocks: [text("a"), image],
      data: structuredContent,
    });
  });

  it("has the data of another Toolrack server, where it names none itself", () => {
    const _meta = { [detailsKey]: { own: 1 } };
    expect(toHandlerReturn({ content: [], _meta })).toMatchObject({ data: { own: 1 } });
    expect(toHandlerReturn({ content: [], _meta, structuredContent: { its: 2 } })).toMatchObject({ data: { its: 2 } });
    expect(toHandlerReturn({ content: [], _meta: "x" })).toBe("");
  });

  it("is a failure with its text, its data, or at least the fact", () => {
    const failed = (error: string) => ({ ok: false, error, code: "TOOL_FAILED" });
    expect(toHandlerReturn({ isError: true, content: [text("a"), image, text("b")], structuredContent: {} })).toEqual(failed("a\nb"));
    expect(toHandlerReturn({ isError: true, structuredContent: { why: "x" } })).toEqual(failed('{"why":"x"}'));
    expect(toHandlerReturn({ isError: true, content: [image] })).toEqual(failed("The tool failed and did not say why."));
  });

  it("is unwrapped where it has the form of older servers", () => {
    const failed = { ok: false, error: "no", code: "TOOL_FAILED" };
    expect(toHandlerReturn({ toolResult: { content: [text("a")], isError: false } })).toEqual([text("a")]);
    expect(toHandlerReturn({ toolResult: { content: [text("no")], isError: true } })).toEqual(failed);
    expect(toHandlerReturn({ toolResult: { content: [text("no")] }, isError: true })).toEqual(failed);
    expect(toHandlerReturn({ toolResult: "a" })).toEqual([text("a")]);
    expect(toHandlerReturn({ toolResult: { sum: 3 } })).toMatchObject({ ok: true, data: { sum: 3 } });
  });

  it.each([
    {},
    { content: "text" },
    { content: [], isError: "true" },
    { content: [], isError: 1 },
    { toolResult: {}, isError: "no" },
    { _meta: {} },
  ])("is invalid as %j", (result) => {
    expect(toHandlerReturn(result)).toMatchObject({
      ok: false,
      code: "RESULT_INVALID",
      error: expect.stringContaining("The server answered"),
    });
  });

  it("is no success if it has an error in any form", () => {
    const value = fc.jsonValue() as fc.Arbitrary<unknown>;
    const maybe = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });
    const content = maybe(fc.oneof(fc.array(fc.oneof(value, fc.constant(text("a")))), value));
    const raw = fc.record({ content, structuredContent: maybe(value), _meta: maybe(value) });
    const error = fc.oneof(fc.constant(true), fc.string(), fc.integer(), fc.dictionary(fc.string(), value));
    const shapes = fc.tuple(raw, error, fc.boolean(), fc.boolean()).map(([result, isError, isOld, isOutside]) => {
      if (!isOld) return { ...result, isError };
      return isOutside ? { toolResult: result, isError } : { toolResult: { ...result, isError } };
    });
    const check = fc.property(shapes, (result) => {
      const sent = JSON.parse(JSON.stringify(result)) as Record<string, unknown>;
      expect(toHandlerReturn(sent)).toMatchObject({ ok: false });
    });
    fc.assert(check, { numRuns: 500 });
  });

  it("may hold blocks of every kind, and shows those of no known kind as data", () => {
    const link = { type: "resource_link", uri: "a://1" };
    expect(blocksOf({ ...image, type: "audio" })).toEqual([{ ...image, type: "audio" }]);
    expect(blocksOf(link)).toEqual([{ ...link, name: "a://1" }]);
    const full = { ...link, name: "One", mimeType: "text/plain", description: "The first." };
    const whole = { ...full, title: "The one", size: 5, annotations: { audience: ["user"] }, _meta: { by: "it" } };
    expect(blocksOf(whole)).toEqual([whole]);
    expect(blocksOf({ ...full, annotations: "x", size: "5", _meta: { long: "x".repeat(5_000) } })).toEqual([full]);
    expect(blocksOf({ ...link, name: 5, mimeType: 5, description: 5 })).toEqual([{ ...link, name: "a://1" }]);
    const unknown = [
      null,
      5,
      { type: "video", data: "AA==" },
      { type: "text", text: 5 },
      { ...image, data: 5 },
      { ...image, mimeType: undefined },
      { type: "resource_link", uri: 5 },
      { type: "resource", resource: null },
      { type: "resource", resource: "x" },
    ];
    for (const block of unknown) expect(blocksOf(block)).toEqual([{ type: "json", data: block }]);
  });

  it("may hold documents: their text, picture or sound, or the whole as data", () => {
    const document = (resource: object) => blocksOf({ type: "resource", resource });
    expect(document({ uri: "a://1", text: "hi", mimeType: "image/svg+xml" })).toEqual([
      { ...text("hi"), resource: { uri: "a://1", mimeType: "image/svg+xml" } },
    ]);
    expect(document({ uri: "a://1", blob: "AA==", mimeType: "image/png" })).toEqual([
      { ...image, resource: { uri: "a://1", mimeType: "image/png" } },
    ]);
    expect(document({ uri: "a://1", blob: "AA==", mimeType: "audio/wav" })).toEqual([
      { type: "audio", data: "AA==", mimeType: "audio/wav", resource: { uri: "a://1", mimeType: "audio/wav" } },
    ]);
    for (const other of [
      { blob: "AA==", mimeType: "application/pdf" },
      { blob: "AA==" },
      { blob: 5, mimeType: "image/png" },
      { mimeType: 5 },
    ])
      expect(document(other)).toEqual([{ type: "json", data: other }]);
  });

  it("comes without characters that only hide something", () => {
    const hidden = "a\u{E0041}\u200Bb";
    expect(JSON.stringify(blocksOf(text(hidden), { type: "resource", resource: { text: hidden } }))).not.toContain("\u{E0041}");
    expect(JSON.stringify(blocksOf({ type: "resource_link", uri: "a://1", name: hidden, description: hidden }))).not.toContain("\u{E0041}");
  });
});
