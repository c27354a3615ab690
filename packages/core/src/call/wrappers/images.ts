import type { ToolResult } from "../../tool/result.ts";
import type { ImageLimitOptions, sanitizeToolResultImages } from "../check-images.ts";
import type { Wrapper } from "../wrapper.ts";
import { requireCount } from "../require-number.ts";

/** Passes on images that a model can take: rightly labelled and not too large. Any other becomes a text, never an error. */
export function createImageLimits(options: ImageLimitOptions = {}): Wrapper {
  requireCount("maxSidePx", options.maxSidePx ?? 1);
  requireCount("maxBytes", options.maxBytes ?? 1);
  // Most tools answer with text alone, so what reads images is loaded with the first one.
  let check: typeof sanitizeToolResultImages | undefined;
  return {
    name: "images",
    skipsShortText: () => true,
    finish(result, call) {
      if (!hasImage(result)) return result;
      if (check !== undefined) return check(result, options, call);
      return import("../check-images.ts").then((loaded) => (check = loaded.sanitizeToolResultImages)(result, options, call));
    },
  };
}

function hasImage(result: ToolResult): boolean {
  return result.ok && result.blocks?.some(({ type }) => type === "image") === true;
}
