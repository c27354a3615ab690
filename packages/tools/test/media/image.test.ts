import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { createMemorySecrets, createRegistry } from "@toolrack/core";
import { createCapabilities } from "@toolrack/core/node";
import { hasPart } from "@toolrack/core/testing";
import { afterThisTest } from "@toolrack/testkit/cleanup";
import { type Loopback, sendJson, startLoopback } from "@toolrack/testkit/loopback";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMediaTools, createScratchProcesses, type ImageModel, type MediaOptions } from "../../src/index.ts";
import { createTemporaryWorkspace, invokerOf, outsideSecret, type TemporaryWorkspace } from "../temporary-workspace.ts";
import { pictureOf, pngHeader } from "./pictures.ts";

const hasTesseract = hasPart("tesseract", createCapabilities().has("binary:tesseract"));
const processes = createScratchProcesses();
let workspace: TemporaryWorkspace;
let server: Loopback;

beforeAll(async () => {
  workspace = createTemporaryWorkspace({ "tea.pgm": pictureOf("TEA"), "dot.png": pngHeader(1, 1), "notes.txt": "no image" });
  server = await startLoopback((request, response) => {
    if (request.path === "/away.png") return response.writeHead(302, { location: "http://169.254.169.254/latest" }).end();
    response.writeHead(request.path === "/tea.png" ? 200 : 404).end(pngHeader(640, 480));
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await processes.close();
  workspace.remove();
});

const look = (input: object, options: MediaOptions = {}) =>
  invokerOf(createMediaTools({ root: workspace.root, operations: { processes }, ...options }))("image", input);

describe("image", () => {
  it.skipIf(!hasTesseract)("reads the text in an image of the workspace, and says what was used", async () => {
    expect(await look({ image: "tea.pgm" })).toMatchObject({
      ok: true,
      data: { images: [{ source: "tea.pgm", format: "pnm", width: 176, height: 120, text: "TEA" }], used: ["image-size", "tesseract"] },
      content: expect.stringMatching(/176 × 120 pixels.*Its text:\nTEA[^]*Seen by image-size and tesseract/),
    });
  });

  it.skipIf(!hasTesseract)("tells format and size also where the text cannot be read", async () => {
    expect(await look({ image: "dot.png" })).toMatchObject({
      ok: true,
      data: {
        images: [
          { format: "png", width: 1, height: 1, note: expect.stringContaining("The text was not read. The program tesseract failed") },
        ],
      },
    });
  });

  it("reads an address through the guard, and no private one", async () => {
    const allowed: MediaOptions = { fetch: { allowHosts: [server.host] } };
    expect(await look({ image: `${server.url}/tea.png` }, allowed)).toMatchObject({ data: { images: [{ width: 640, height: 480 }] } });
    expect(await look({ image: `${server.url}/none.png` }, allowed)).toMatchObject({ error: expect.stringContaining("answered 404") });
    for (const image of [`${server.url}/tea.png`, "http://[::1]/a.png"]) {
      expect(await look({ image })).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
    }
    expect(await look({ image: `${server.url}/away.png` }, allowed)).toMatchObject({ ok: false, code: "TOOL_NOT_ALLOWED" });
    for (const image of ["file:///etc/passwd", "data:image/png;base64,AAAA"])
      expect(await look({ image })).toMatchObject({ ok: false, code: "INPUT_INVALID", error: expect.stringContaining("http") });
  });

  it("AH23: an image of 50,000 × 50,000 pixels is refused by its header", async () => {
    workspace.write("bomb.png", pngHeader(50_000, 50_000));
    expect(await look({ image: "bomb.png" })).toMatchObject({
      ok: false,
      code: "INPUT_INVALID",
      error: expect.stringMatching(/50000 × 50000 pixels/),
    });
  });

  it("stays in the workspace, also through a link", async () => {
    symlinkSync(join(workspace.outside, "secret.txt"), join(workspace.root, "link.png"));
    for (const image of ["../work-outside/secret.txt", join(workspace.outside, "secret.txt"), "link.png"]) {
      const result = await look({ image });
      expect(result).toMatchObject({ ok: false, status: 403 });
      expect(JSON.stringify(result)).not.toContain(outsideSecret);
    }
  });

  it("says what is wrong with a file that is no image, too large, missing, or one of too many", async () => {
    expect(await look({ image: "notes.txt" })).toMatchObject({
      ok: false,
      error: expect.stringContaining("not an image of a known format"),
    });
    expect(await look({ image: "tea.pgm", maxBytesMb: 0.001 })).toMatchObject({ ok: false, error: expect.stringContaining("larger than") });
    expect(await look({ image: "tee.pgm" })).toMatchObject({ ok: false, error: expect.stringContaining('Did you mean "tea.pgm"') });
    expect(await look({ image: "x", images: Array.from({ length: 20 }, (_, at) => `${at}.png`) })).toMatchObject({
      error: expect.stringContaining("At most 20"),
    });
    expect(await look({})).toMatchObject({ ok: false, code: "INPUT_INVALID" });
  });

  it("reads no more than 50 MiB of images in one call, and says at which image that was over", async () => {
    const bytes = Buffer.concat([pngHeader(1, 1), Buffer.alloc(18 * 1_048_576)]);
    for (const name of ["a.png", "b.png", "c.png"]) workspace.write(name, bytes);
    const model: ImageModel = { name: "eyes-1", describe: async (images) => `${images.length} images` };
    expect(await look({ images: ["a.png", "b.png"], maxBytesMb: 20 }, { model })).toMatchObject({ ok: true, content: "2 images" });
    expect(await look({ images: ["a.png", "b.png", "c.png"], maxBytesMb: 20 }, { model })).toMatchObject({
      ok: false,
      code: "INPUT_INVALID",
      error: expect.stringMatching(/"c\.png".*more than 50 MiB/),
    });
  });

  it("asks a model behind the chat API of OpenAI, with the image in the request", async () => {
    await using service = await startLoopback((request, response) =>
      request.headers.authorization === "Bearer key-of-the-model"
        ? sendJson(response, { choices: [{ message: { content: "A dot." } }] })
        : sendJson(response, { error: { message: "No key" } }, 401),
    );
    const model = { baseUrl: `${service.url}/v1`, model: "eye-1", secret: "model-key" };
    const registry = createRegistry({ secrets: createMemorySecrets({ "model-key": "key-of-the-model" }), outputValidation: "strict" });
    for (const tool of createMediaTools({ root: workspace.root, model })) if (tool.name === "image") registry.register(tool);
    expect(await registry.invoke("image", { image: "dot.png", prompt: "What is it?" })).toMatchObject({
      ok: true,
      content: "A dot.",
      data: { description: "A dot.", used: ["eye-1"] },
    });
    expect(service.seen[0]!.path).toBe("/v1/chat/completions");
    expect(service.seen[0]!.body).toContain(`data:image/png;base64,${Buffer.from(pngHeader(1, 1)).toString("base64")}`);
  });

  it("asks the model that a host hands in, with the bytes and their type, and gives its words", async () => {
    const asked: unknown[] = [];
    const model: ImageModel = {
      name: "eyes-1",
      async describe(images, prompt) {
        asked.push(
          images.map(({ bytes, mimeType }) => [bytes.length, mimeType]),
          prompt,
        );
        return "Three letters.";
      },
    };
    const result = await look({ images: ["dot.png", "dot.png"], prompt: "How many letters?" }, { model });
    expect(result).toMatchObject({ ok: true, content: "Three letters.", data: { description: "Three letters.", used: ["eyes-1"] } });
    expect(asked).toEqual([[[33, "image/png"]], "How many letters?"]);
  });

  it.skipIf(!hasTesseract)("ends its program with the call", async () => {
    const controller = new AbortController();
    let stopped = 0;
    const own = createScratchProcesses();
    afterThisTest(() => own.close());
    const watching = {
      ...own,
      async start(command: Parameters<typeof own.start>[0]) {
        const started = await own.start({ ...command, program: "sleep", args: ["60"] });
        void started.ended.then(() => stopped++);
        controller.abort();
        return started;
      },
    };
    const [image] = createMediaTools({ root: workspace.root, operations: { processes: watching } });
    expect(await invokerOf([image!])("image", { image: "tea.pgm" }, { signal: controller.signal })).toMatchObject({ code: "ABORTED" });
    await own.close();
    expect(stopped).toBe(1);
  });
});
