import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { readSizeProgram } from "../../src/media/size-program.ts";

const load = createRequire(import.meta.url);

describe("the size of an image", () => {
  it("is what the image says", () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"></svg>');
    expect(readSizeProgram(load, svg)).toEqual({ format: "svg", width: 30, height: 20 });
  });

  it("is unknown for anything else", () => {
    expect(readSizeProgram(load, Buffer.from("no image"))).toBeUndefined();
    for (const size of [
      { width: 1, height: 1 },
      { width: 0, height: 1, type: "png" },
      { width: 1, height: 0, type: "png" },
    ])
      expect(readSizeProgram(() => ({ imageSize: () => size }), new Uint8Array())).toBeUndefined();
  });
});
