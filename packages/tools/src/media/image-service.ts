import type { HttpOperations } from "../operations/http.ts";
import { callService } from "../operations/service.ts";
import type { ImageModel } from "./image-model.ts";

/** A service with the chat API of OpenAI whose model sees images. */
export interface ImageServiceOptions {
  /** What comes before "/chat/completions" in its address: "https://api.openai.com/v1". Its host may be a private one. */
  readonly baseUrl: string;
  readonly model: string;
  /** The secret that holds its key. @default no key is sent */
  readonly secret?: string;
}

export function createServiceImageModel(http: HttpOperations, { baseUrl, model, secret }: ImageServiceOptions): ImageModel {
  return {
    name: model,
    ...(secret !== undefined && { secrets: [secret] }),
    async describe(images, prompt, { secret: read, signal }) {
      const key = secret === undefined ? undefined : await read(secret);
      const shown = images.map(({ bytes, mimeType }) => ({
        type: "image_url",
        image_url: { url: `data:${mimeType};base64,${Buffer.from(bytes).toString("base64")}` },
      }));
      const service = { name: "The model", defaultUrl: baseUrl, baseUrl, http, signal };
      const reply = (await callService(service, "/chat/completions", {
        method: "POST",
        headers: { "content-type": "application/json", ...(key !== undefined && { authorization: `Bearer ${key}` }) },
        body: JSON.stringify({ model, messages: [{ role: "user", content: [{ type: "text", text: prompt }, ...shown] }] }),
        timeoutMs: 110_000,
      })) as { readonly choices?: readonly { readonly message?: { readonly content?: unknown } }[] } | null;
      const content = reply?.choices?.[0]?.message?.content;
      return typeof content === "string" ? content : "";
    },
  };
}
