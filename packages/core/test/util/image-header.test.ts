import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readImageHeader } from "../../src/util/image-header.ts";

const ascii = (text: string): number[] => [...text].map((character) => character.charCodeAt(0));
const bytes = (...parts: (number | number[])[]): Uint8Array => Uint8Array.from(parts.flat());
const u16 = (value: number): number[] => [value >> 8, value & 255];
const u16le = (value: number): number[] => u16(value).reverse();
const u32 = (value: number): number[] => [...u16(value >>> 16), ...u16(value & 0xffff)];
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);

const png = [0x89, ...ascii("PNG"), 13, 10, 26, 10];
const images = {
  "image/png": bytes(png, u32(13), ascii("IHDR"), u32(640), u32(480)),
  "image/gif": bytes(ascii("GIF89a"), u16le(640), u16le(480)),
  "image/bmp": bytes(ascii("BM"), zeros(12), [40, 0, 0, 0], u16le(640), zeros(2), u16le(480), zeros(2)),
};
const webp = (kind: string, ...rest: (number | number[])[]): Uint8Array =>
  bytes(ascii("RIFF"), zeros(4), ascii("WEBP"), ascii(kind), zeros(4), ...rest);
const frame = (marker: number): number[] => [0xff, marker, ...u16(11), 8, ...u16(480), ...u16(640), 1];

describe("readImageHeader", () => {
  it.each(Object.entries(images))("reads type and size of %s", (mimeType, image) => {
    expect(readImageHeader(image)).toEqual({ mimeType, size: { width: 640, height: 480 } });
  });

  it("reads the three kinds of WebP", () => {
    const expected = { mimeType: "image/webp", size: { width: 640, height: 480 } };
    expect(readImageHeader(webp("VP8 ", zeros(3), [0x9d, 1, 0x2a], u16le(640), u16le(480)))).toEqual(expected);
    const bits = 639 | (479 << 14);
    expect(readImageHeader(webp("VP8L", 0x2f, [...u32(bits)].reverse()))).toEqual(expected);
    expect(readImageHeader(webp("VP8X", zeros(4), [...u16le(639), 0], [...u16le(479), 0]))).toEqual(expected);
  });

  it("finds the frame of a JPEG behind other segments, also of a progressive one", () => {
    for (const marker of [0xc0, 0xc1, 0xc2]) {
      const image = bytes([0xff, 0xd8], [0xff, 0xe0, ...u16(6), 0, 0, 0, 0], [0xff, 0xff, 0xc4, ...u16(4), 0, 0], frame(marker));
      expect(readImageHeader(image)).toEqual({ mimeType: "image/jpeg", size: { width: 640, height: 480 } });
    }
  });

  it("knows the type without the size where the header is cut, damaged or says zero", () => {
    for (const [mimeType, image] of Object.entries(images))
      expect(readImageHeader(image.subarray(0, 9))).toEqual(mimeType === "image/gif" ? { mimeType } : { mimeType });
    expect(readImageHeader(bytes([0xff, 0xd8, 0xff, 0xd9]))).toEqual({ mimeType: "image/jpeg" });
    expect(readImageHeader(bytes([0xff, 0xd8, 0xff, 0xe0, ...u16(0xffff)]))).toEqual({ mimeType: "image/jpeg" });
    expect(readImageHeader(bytes([0xff, 0xd8, 0xff, 0xe0, ...u16(2)], [1, 2, 3, 4]))).toEqual({ mimeType: "image/jpeg" });
    expect(readImageHeader(webp("NONE", zeros(20)))).toEqual({ mimeType: "image/webp" });
    expect(readImageHeader(bytes(ascii("GIF87a"), zeros(8)))).toEqual({ mimeType: "image/gif" });
  });

  it("knows nothing of other bytes", () => {
    for (const other of [bytes(), bytes(ascii("<svg/>")), bytes(ascii("%PDF-1.7")), bytes(ascii("RIFF"), zeros(4), ascii("WAVE"))]) {
      expect(readImageHeader(other)).toBeUndefined();
    }
  });

  it("ends without throwing for any bytes behind any beginning", () => {
    const starts = [png, [0xff, 0xd8, 0xff], ascii("GIF89a"), ascii("BM"), [...ascii("RIFF"), 0, 0, 0, 0, ...ascii("WEBPVP8L")]];
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 200 }), (start, rest) => {
        const size = readImageHeader(bytes(start, [...rest]))?.size;
        expect(size === undefined || (size.width > 0 && size.height > 0)).toBe(true);
      }),
    );
  });
});
