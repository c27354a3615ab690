// Speech and images: the pack "media", with a speech service on this machine and a model that is handed in.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
// #region imports
import { createRegistry } from "@toolrack/core";
import { createMediaTools } from "@toolrack/tools";
// #endregion

const picture = Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==", "base64");
const server = createServer((request, response) => {
  request.resume();
  response.end(request.url === "/dot.png" ? picture : "…the sound…");
}).listen(0, "127.0.0.1");
await new Promise((resolve) => server.once("listening", resolve));
const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
const eyes = async (images: readonly { readonly mimeType: string }[], prompt: string): Promise<string> =>
  `${prompt} ${images.length} image of the type ${images[0]!.mimeType}.`;

// #region media
const registry = createRegistry();
const tools = createMediaTools({
  root: ".", // images of this folder, and addresses
  speech: { service: { baseUrl: `http://${host}/v1`, model: "voice-1" } }, // without it, espeak-ng speaks
  model: { name: "eyes-1", describe: eyes }, // without it, tesseract reads
  fetch: { allowHosts: [host] }, // hosts that are not on the public internet are named
});
for (const tool of tools) registry.register(tool);

const spoken = await registry.invoke("tts", { text: "The kettle is on." });
const seen = await registry.invoke("image", { image: `http://${host}/dot.png`, prompt: "What is it?" });
for (const result of [spoken, seen]) console.log(result.ok ? result.content : result.error);
// #endregion
assert.ok(spoken.ok && spoken.blocks?.some(({ type }) => type === "audio"));
assert.ok(seen.ok && seen.content === "What is it? 1 image of the type image/png.");
server.close();
