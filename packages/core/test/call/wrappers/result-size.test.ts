import fc from "fast-check";
import { cpuTime } from "@toolrack/testkit/cpu-time";
import { describe, expect, it } from "vitest";
import { cutResult } from "../../../src/call/cut-result.ts";
import { createResultSize } from "../../../src/call/wrappers/result-size.ts";
import { fakeCall, fakeTool } from "../../../src/testing/fake-call.ts";
import { wrapperContract } from "../../../src/testing/wrapper-contract.ts";
import type { ContentBlock, ToolResult, ToolSuccess } from "../../../src/tool/result.ts";

const limited = fakeTool({ metadata: { limits: { maxResultBytes: 1_000 } } });

function finish(more: Partial<ToolSuccess> & { content: string }, tool = limited) {
  const call = fakeCall({ tool });
  const result = createResultSize().finish!(call.succeed(more.content, more), call) as ToolSuccess;
  return { result, warnings: call.warnings };
}

describe("cutResult", () => {
  const limits = { maxBytes: 100, maxMediaBytes: 30, maxErrorBytes: 40 };

  it("gives back what fits, the very same, and tells what it cut otherwise", () => {
    const call = fakeCall();
    const block: ContentBlock = { type: "image", data: "A".repeat(40), mimeType: "image/png" };
    for (const result of [
      call.fail("TOOL_FAILED", "x".repeat(40)),
      call.succeed("x".repeat(100)),
      call.succeed("", { data: 1, blocks: [block] }),
    ])
      expect(cutResult(result, call, limits)).toBe(result);
    expect(call.warnings).toEqual([]);
    const cut = cutResult(call.fail("TOOL_FAILED", "x".repeat(5_000), { retryable: true }), call, { ...limits, maxErrorBytes: 1_000 });
    expect(cut).toMatchObject({
      ok: false,
      code: "TOOL_FAILED",
      retryable: true,
      error: expect.stringMatching(/^x+\n\[… \d+ of 5000 characters left out …\]\nx*$/),
    });
    expect(call.warnings).toEqual([expect.stringMatching(/^The error text was cut by \d+ characters to 1000 bytes\.$/)]);
  });

  it("counts images and sounds together, and a link as it is written", () => {
    const call = fakeCall();
    const image = (length: number): ContentBlock => ({ type: "image", data: "A".repeat(length), mimeType: "image/png" });
    const sound: ContentBlock = { type: "audio", data: "A".repeat(24), mimeType: "audio/wav" };
    const link: ContentBlock = { type: "resource_link", uri: "a:b", name: "n" };
    const cut = cutResult(call.succeed("", { blocks: [image(20), sound, image(44), link] }), call, limits) as ToolSuccess;
    expect(cut.blocks).toEqual([
      image(20),
      { type: "text", text: "[A sound of 18 bytes was left out.]" },
      { type: "text", text: "[An image of 33 bytes was left out.]" },
      link,
    ]);
    expect(call.warnings).toEqual(["The blocks of the result were cut to 100 bytes, and its images and sounds to 30."]);
  });

  it("leaves room for sixteen bytes of each block", () => {
    const blocks: ContentBlock[] = Array.from({ length: 8 }, () => ({ type: "json", data: 1 }));
    const { blocks: kept } = cutResult(fakeCall().succeed("", { blocks }), fakeCall(), { ...limits, maxBytes: 34 }) as ToolSuccess;
    expect(kept).toEqual([...blocks.slice(0, 2), { type: "text", text: "[Further blocks left out: 6.]" }]);
  });
});

describe("createResultSize", () => {
  for (const check of wrapperContract("result-size", () => createResultSize())) it(check.name, check.run);

  it("gives a result back that fits, the very same", () => {
    const call = fakeCall({ tool: limited });
    const result = call.succeed("x".repeat(1_000), { data: { a: 1 }, blocks: [{ type: "text", text: "fine" }] });
    expect(createResultSize().finish!(result, call)).toBe(result);
    expect(call.warnings).toEqual([]);
  });

  it("keeps the head and the tail of a long text and says how much is missing", () => {
    const { result, warnings } = finish({ content: `${"a".repeat(5_000)}THE END` });
    expect(result.content).toMatch(/^a{600,}\n\[… \d+ of 5007 characters left out …\]\na+THE END$/);
    expect(Buffer.byteLength(result.content)).toBeLessThanOrEqual(1_000);
    expect(warnings).toEqual([expect.stringMatching(/text of the result was cut by \d+ characters to 1000 bytes/)]);
  });

  it("takes 256 KiB where the tool does not say", () => {
    const { result } = finish({ content: "x".repeat(300_000) }, fakeTool());
    expect(Buffer.byteLength(result.content)).toBeGreaterThan(255_000);
    expect(Buffer.byteLength(result.content)).toBeLessThanOrEqual(256 * 1024);
  });

  it("drops data that is too large, keeps a cut text and says so", () => {
    const data = { rows: Array.from({ length: 1_000 }, (_, index) => index) };
    const { result, warnings } = finish({ content: JSON.stringify(data), data });
    expect(result).not.toHaveProperty("data");
    expect(result.content).toMatch(/^\{"rows":\[0,1,.*left out.*The data was left out: it has more than 1000 bytes/s);
    expect(Buffer.byteLength(result.content)).toBeLessThanOrEqual(1_000);
    expect(warnings).toHaveLength(2);
  });

  it("keeps the handler's own text where only its data is too large", () => {
    const { result } = finish({ content: "All rows are there.", data: "x".repeat(2_000) });
    expect(result.content).toMatch(/^All rows are there\.\n\[The data was left out/);
  });

  it("drops data that contains itself or cannot be read", () => {
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    const throwing = Object.defineProperty({}, "x", {
      enumerable: true,
      get: () => {
        throw new Error("no");
      },
    });
    for (const data of [circular, throwing, Array(1e9), Buffer.alloc(5_000)])
      expect(finish({ content: "ok", data }).result).not.toHaveProperty("data");
  });

  it("shares the budget among blocks, and bounds their number", () => {
    const block = (text: string): ContentBlock => ({ type: "text", text });
    const { result, warnings } = finish({ content: "", blocks: [block("a".repeat(600)), block("b".repeat(600)), block("c")] });
    expect(result.blocks?.[0]).toEqual(block("a".repeat(600)));
    expect(result.blocks?.[1]).toMatchObject({ text: expect.stringContaining("characters left out") });
    expect(result.blocks?.[2]).toMatchObject({ text: "[Further blocks left out: 1.]" });
    expect(warnings).toHaveLength(1);
    expect(finish({ content: "", blocks: Array.from({ length: 100_000 }, () => block("")) }).result.blocks!.length).toBeLessThan(70);
  });

  it("replaces blocks of data, links and sounds that are too large by a note, and lets images have their own limit", () => {
    const big = "x".repeat(2_000);
    const image: ContentBlock = { type: "image", data: "A".repeat(4_000), mimeType: "image/png" };
    const blocks: ContentBlock[] = [
      image,
      { type: "json", data: { big } },
      { type: "resource_link", uri: big, name: "n" },
      { type: "audio", data: "A".repeat(40_000_000), mimeType: "audio/wav" },
    ];
    expect(finish({ content: "", blocks }).result.blocks).toEqual([
      image,
      { type: "text", text: "[Data that is too large or cannot be read was left out.]" },
      { type: "text", text: "[A link that is too long was left out.]" },
      { type: "text", text: "[A sound of 30000000 bytes was left out.]" },
    ]);
  });

  it("leaves failures alone but for an overlong text", () => {
    const call = fakeCall({ tool: limited });
    const short = call.fail("TOOL_FAILED", "x".repeat(2_000), { retryable: true });
    expect(createResultSize().finish!(short, call)).toBe(short);
    const long = createResultSize().finish!(
      call.fail("TOOL_FAILED", "x".repeat(1e6), { retryable: true, retryAfterMs: 5 }),
      call,
    ) as ToolResult;
    expect(long).toMatchObject({ ok: false, code: "TOOL_FAILED", retryable: true, retryAfterMs: 5 });
    expect(!long.ok && Buffer.byteLength(long.error)).toBeLessThanOrEqual(16 * 1024);
  });

  it("is cheap for 50 MB", () => {
    const content = "ü".repeat(25_000_000) + "x".repeat(25_000_000);
    const data = Array.from({ length: 100 }, () => content);
    content.charCodeAt(0); // joins the parts once, so that only the cut is measured
    const before = process.memoryUsage().arrayBuffers + process.memoryUsage().external;
    const started = cpuTime();
    finish({ content, data, blocks: [{ type: "text", text: content }] }, fakeTool());
    expect(cpuTime() - started).toBeLessThan(20_000);
    expect(process.memoryUsage().arrayBuffers + process.memoryUsage().external - before).toBeLessThan(5_000_000);
  });

  it("stays within the budget for any text, data and budget", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 400 }),
        fc.jsonValue(),
        fc.integer({ min: 1, max: 300 }),
        (content, data, maxResultBytes) => {
          const { result } = finish({ content, ...(data !== null && { data }) }, fakeTool({ metadata: { limits: { maxResultBytes } } }));
          expect(Buffer.byteLength(result.content)).toBeLessThanOrEqual(maxResultBytes);
          expect(Buffer.from(result.content).toString()).toBe(result.content); // half a surrogate pair would not come back
        },
      ),
    );
  });
});
