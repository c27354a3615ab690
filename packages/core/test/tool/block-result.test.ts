import { describe, expect, it } from "vitest";
import { toBlockResult } from "../../src/tool/block-result.ts";
import type { CallMeta, ContentBlock } from "../../src/tool/result.ts";

const meta: CallMeta = { callId: "call-1", tool: "search", durationMs: 12 };

describe("content blocks become a result:", () => {
  it("blocks with the text that a model without eyes and ears reads", () => {
    const blocks: ContentBlock[] = [
      { type: "text", text: "A chart:" },
      { type: "image", data: "aGk=", mimeType: "image/png" },
      { type: "audio", data: "aGk=", mimeType: "audio/wav" },
      { type: "json", data: { n: 1 } },
      { type: "resource_link", uri: "file:///a", name: "a" },
    ];
    const content = 'A chart:\n[image image/png]\n[audio audio/wav]\n{"n":1}\n[a](file:///a)';
    expect(toBlockResult(blocks, meta)).toEqual({ ok: true, content, blocks, meta });
    expect(toBlockResult({ content: blocks, details: { rows: 3 } }, meta)).toEqual({ ok: true, content, blocks, data: { rows: 3 }, meta });
    expect(toBlockResult({ ok: true, content: "short", blocks }, meta)).toBeUndefined();
  });

  it("details beside structured content are told as lost", () => {
    const returned = { content: [{ type: "text", text: "a" }], structuredContent: { n: 1 }, details: { rows: 3 } };
    expect(toBlockResult(returned, meta)).toMatchObject({
      data: { n: 1 },
      meta: { warnings: ["Its details are left out, because it has structuredContent."] },
    });
    const same = { ...returned, details: { n: 1 } };
    expect(toBlockResult(same, meta)!.meta.warnings).toBeUndefined();
  });

  it("blocks that are none are refused", () => {
    const refused = toBlockResult({ ok: true, content: "x", blocks: [{ type: "text" }] }, meta);
    expect(refused).toMatchObject({ ok: false, code: "RESULT_INVALID", error: expect.stringContaining("no list of content blocks") });
  });

  it("nothing else does", () => {
    for (const other of [5, null, [], [1], {}, { content: [] }, { content: "x" }, { ok: true, content: "x" }, { ok: false, error: "x" }])
      expect(toBlockResult(other, meta)).toBeUndefined();
  });
});
