import { describe, expect, it } from "vitest";
import { type ImageEngine, sanitizeToolResultImages } from "../../../src/call/check-images.ts";
import { createImageLimits } from "../../../src/call/wrappers/images.ts";
import { fakeCall } from "../../../src/testing/fake-call.ts";
import { settle } from "../../../src/testing/fake-clock.ts";
import { wrapperContract } from "../../../src/testing/wrapper-contract.ts";
import { type ContentBlock, textOfBlocks, type ToolResult, type ToolSuccess } from "../../../src/tool/result.ts";

function png(width: number, height: number, byteLength = 100): string {
  const bytes = Buffer.alloc(byteLength);
  bytes.write("\x89PNG\r\n\x1a\n", "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString("base64");
}

function gif(width: number, height: number): string {
  const bytes = Buffer.alloc(20);
  bytes.write("GIF89a", "latin1");
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  return bytes.toString("base64");
}

const image = (data: string, mimeType = "image/png"): ContentBlock => ({ type: "image", data, mimeType });
const withBlocks = (blocks: readonly ContentBlock[], content = textOfBlocks(blocks)): ToolResult => fakeCall().succeed(content, { blocks });
const sanitize = async (blocks: readonly ContentBlock[], options = {}): Promise<ToolSuccess> =>
  (await sanitizeToolResultImages(withBlocks(blocks), options)) as ToolSuccess;
const engineGiving = (data: string, mimeType = "image/png"): ImageEngine => ({
  resize: () => Promise.resolve({ bytes: Buffer.from(data, "base64"), mimeType }),
});

describe("createImageLimits", () => {
  for (const check of wrapperContract("images", () => createImageLimits())) it(check.name, check.run);

  it("gives a result back whose images are fine, the very same; at once where it has none, or after the first", async () => {
    const call = fakeCall();
    const wrapper = createImageLimits();
    const withImage = withBlocks([image(png(1_200, 1_200)), { type: "text", text: "a" }]);
    expect(await wrapper.finish!(withImage, call)).toBe(withImage);
    for (const result of [withImage, withBlocks([{ type: "text", text: "a" }]), call.succeed("a"), call.fail("TOOL_FAILED", "a")]) {
      expect(wrapper.finish!(result, call)).toBe(result);
    }
  });

  it("does not take limits that make no sense", () => {
    for (const options of [{ maxSidePx: 0 }, { maxBytes: -1 }])
      expect(() => createImageLimits(options)).toThrow(expect.objectContaining({ code: "CONFIG_INVALID" }));
  });
});

describe("sanitizeToolResultImages", () => {
  it("labels an image by its bytes", async () => {
    const result = await sanitize([image(gif(10, 10), "image/png"), image(png(10, 10), "text/html")]);
    expect(result.blocks).toEqual([image(gif(10, 10), "image/gif"), image(png(10, 10), "image/png")]);
    expect(result.content).toBe("[image image/gif]\n[image image/png]");
  });

  it("puts a text in the place of an image that is too large, and leaves other blocks as they were", async () => {
    const text: ContentBlock = { type: "text", text: "a chart" };
    const { blocks, content } = await sanitize([text, image(png(1_201, 10)), image(png(10, 10, 6_000_000)), { type: "json", data: 1 }]);
    expect(blocks?.[0]).toBe(text);
    expect(blocks?.[1]).toMatchObject({
      type: "text",
      text: expect.stringContaining("it has 1201 × 10 px and 100 bytes, and at most 1200 px per side"),
    });
    expect(blocks?.[2]).toMatchObject({ type: "text", text: expect.stringContaining("6000000 bytes") });
    expect(blocks?.[3]).toEqual({ type: "json", data: 1 });
    expect(content).toContain("An image was left out");
  });

  it("keeps a text of the handler's own", async () => {
    const result = await sanitizeToolResultImages(withBlocks([image("")], "Here is the chart."));
    expect(result).toMatchObject({ content: "Here is the chart.", blocks: [{ type: "text" }] });
  });

  it("copes with other blocks that cannot be shown as text", async () => {
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    const data: ContentBlock = { type: "json", data: circular };
    const result = await sanitizeToolResultImages(withBlocks([data, image("")], "Own text."));
    expect(result).toMatchObject({ content: "Own text.", blocks: [data, { type: "text" }] });
  });

  it.each([
    ["", "it is empty"],
    ["not base64!", "it is not base64"],
    ["AAA", "it is not base64"],
    ["AAA=AAAA", "it is not base64"],
    ["A===", "it is not base64"],
    [Buffer.from("<svg/>").toString("base64"), "its bytes are no image of a known type"],
    [Buffer.from("\x89PNG\r\n\x1a\n", "latin1").toString("base64"), "its image/png header cannot be read"],
    [png(0, 10), "its image/png header cannot be read"],
  ])("puts a text in the place of %j: %s", async (data, reason) => {
    expect((await sanitize([image(data)])).blocks).toEqual([{ type: "text", text: expect.stringContaining(reason) }]);
  });

  it("reads a JPEG whose size stands behind a large preview", async () => {
    const preview = Buffer.alloc(70_000);
    const segment = Buffer.concat([Buffer.from([0xff, 0xe1, 0xfe, 0x00]), preview.subarray(0, 0xfe00 - 2)]);
    const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 10, 0, 20, 1, 0, 0, 0]);
    const data = Buffer.concat([Buffer.from([0xff, 0xd8]), segment, frame]).toString("base64");
    expect((await sanitize([image(data, "image/jpeg")])).blocks).toEqual([image(data, "image/jpeg")]);
  });

  it("takes the limits that it is given, to the very byte, and else 1200 px and 5 MiB", async () => {
    const isKept = async (data: string, options = {}): Promise<boolean> =>
      (await sanitize([image(data)], options)).blocks?.[0]?.type === "image";
    expect([await isKept(png(10, 10, 300), { maxBytes: 300 }), await isKept(png(10, 10, 301), { maxBytes: 300 })]).toEqual([true, false]);
    expect([await isKept(png(50, 10), { maxSidePx: 50 }), await isKept(png(10, 51), { maxSidePx: 50 })]).toEqual([true, false]);
    const most = 5 * 1024 * 1024;
    expect([await isKept(png(1_200, 1_200, most)), await isKept(png(10, 10, most + 1)), await isKept(png(10, 1_201))]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("shows no more than the beginning of a label that is not true", async () => {
    const svg = Buffer.from("<svg/>").toString("base64");
    expect((await sanitize([image(svg, `image/${"x".repeat(100)}`)])).blocks).toEqual([
      {
        type: "text",
        text: `[An image was left out: it is labelled "image/${"x".repeat(54)}", but its bytes are no image of a known type.]`,
      },
    ]);
  });

  it("gives an engine what is larger than the limit, up to 64 MiB and a hundred million pixels", async () => {
    const asked: number[] = [];
    const resize: ImageEngine = { resize: (bytes) => (asked.push(bytes.byteLength), Promise.reject(new Error("no"))) };
    await sanitize([image(png(10_000, 10_000)), image(png(10_001, 10_000)), image(png(10, 10, 1_000_001))], {
      resize,
      maxBytes: 1_000_000,
    });
    expect(asked).toEqual([100, 1_000_001]);
  });

  it("uses the engine for images that are too large, with the limits, and labels what it makes", async () => {
    const asked: unknown[] = [];
    const resize: ImageEngine = {
      resize(bytes, limits) {
        asked.push([bytes.byteLength, limits]);
        return Promise.resolve({ bytes: Buffer.from(gif(300, 200), "base64"), mimeType: "image/jpeg" });
      },
    };
    const { blocks } = await sanitize([image(png(5_000, 10)), image(png(10, 10))], { resize, maxSidePx: 400 });
    expect(blocks).toEqual([image(gif(300, 200), "image/gif"), image(png(10, 10))]);
    expect(asked).toEqual([[100, { maxSidePx: 400, maxBytes: 5 * 1024 * 1024 }]]);
  });

  it("falls back to the text when the engine throws, rejects, or does not keep the limits", async () => {
    const engines: ImageEngine[] = [
      { resize: () => Promise.reject(new Error("no")) },
      {
        resize: () => {
          throw new Error("no");
        },
      },
      { resize: () => Promise.resolve(undefined as never) },
      engineGiving(png(5_000, 10)),
      engineGiving(Buffer.from("no image").toString("base64")),
      engineGiving(png(10, 10, 6_000_000)),
    ];
    for (const resize of engines)
      expect((await sanitize([image(png(2_000, 10))], { resize })).blocks).toEqual([
        { type: "text", text: expect.stringContaining("left out") },
      ]);
  });

  it("gives no engine an image that would unfold without measure", async () => {
    let asked = 0;
    const resize: ImageEngine = { resize: () => Promise.reject(new Error(String((asked += 1)))) };
    const { blocks } = await sanitize([image(png(60_000, 60_000)), image("A".repeat(100_000_000))], { resize });
    expect(blocks?.map((block) => block.type)).toEqual(["text", "text"]);
    expect(asked).toBe(0);
  });

  it("resizes one image at a time", async () => {
    let running = 0;
    let most = 0;
    const resize: ImageEngine = {
      async resize() {
        most = Math.max(most, ++running);
        await settle();
        running -= 1;
        return { bytes: Buffer.from(png(10, 10), "base64"), mimeType: "image/png" };
      },
    };
    await sanitize(
      Array.from({ length: 5 }, () => image(png(2_000, 10))),
      { resize },
    );
    expect(most).toBe(1);
  });

  it("does not wait for an engine that never ends once the call is aborted", async () => {
    const call = fakeCall();
    const resize: ImageEngine = { resize: () => new Promise(() => {}) };
    const result = createImageLimits({ resize }).finish!(withBlocks([image(png(2_000, 10)), image(png(3_000, 10))]), call);
    await settle();
    call.abort();
    expect(await result).toMatchObject({ ok: true, blocks: [{ type: "text" }, { type: "text" }] });
  });

  it("leaves no listener on the call's signal", async () => {
    const call = fakeCall();
    await createImageLimits({ resize: engineGiving(png(10, 10)) }).finish!(withBlocks([image(png(2_000, 10))]), call);
    await settle();
    expect(call.listeners).toBe(0);
  });
});
