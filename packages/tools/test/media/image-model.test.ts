import { describe, expect, it } from "vitest";
import { createMediaTools, type ImageModel } from "../../src/index.ts";
import { createTemporaryWorkspace, invokerOf } from "../temporary-workspace.ts";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { pngHeader } from "./pictures.ts";

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"></svg>';

describe("a model that looks at images", () => {
  it("gets each with the type that its format has, and the question", async () => {
    const workspace = createTemporaryWorkspace({ "a.svg": svg, "b.png": pngHeader(2, 1) });
    afterThisTest(() => workspace.remove());
    const asked: unknown[] = [];
    const model: ImageModel = {
      name: "eye",
      async describe(images, prompt) {
        asked.push([images.map(({ mimeType }) => mimeType), prompt]);
        return "Tea.";
      },
    };
    const look = invokerOf(createMediaTools({ root: workspace.root, model }));
    const result = await look("image", { image: "a.svg", images: ["b.png", "a.svg"], prompt: "What is it?" });
    expect(result).toMatchObject({
      ok: true,
      content: "Tea.",
      data: {
        images: [
          { source: "a.svg", format: "svg", width: 30, height: 20, bytes: svg.length },
          { source: "b.png", format: "png", width: 2, height: 1 },
        ],
        description: "Tea.",
        used: ["eye"],
      },
    });
    expect(asked).toEqual([[["image/svg+xml", "image/png"], "What is it?"]]);
  });
});
