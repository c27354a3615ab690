import { type CallContext, ToolError } from "@toolrack/core";
import type { HttpOperations } from "../operations/http.ts";
import { readService } from "../operations/service.ts";
import { maxSpeechBytes, type Speaker } from "./speaker.ts";

/** A service with the speech API of OpenAI. */
export interface SpeechServiceOptions {
  /** What comes before "/audio/speech" in its address: "https://api.openai.com/v1". Its host may be a private one. */
  readonly baseUrl: string;
  readonly model: string;
  /** @default "alloy" */
  readonly voice?: string;
  /** The secret that holds its key. @default no key is sent */
  readonly secret?: string;
}

export function createServiceSpeaker(http: HttpOperations, options: SpeechServiceOptions, secret: CallContext["secret"]): Speaker {
  const { baseUrl, model } = options;
  return {
    used: model,
    async speak({ text, voice = options.voice ?? "alloy", channel, signal, timeoutMs }) {
      const format = channel !== undefined && voiceNotes.has(channel.toLowerCase()) ? "opus" : "mp3";
      const key = options.secret === undefined ? undefined : await secret(options.secret);
      const { bytes, headers } = await readService(
        { name: "The speech service", defaultUrl: baseUrl, baseUrl, http, signal },
        "/audio/speech",
        {
          method: "POST",
          headers: { "content-type": "application/json", ...(key !== undefined && { authorization: `Bearer ${key}` }) },
          body: JSON.stringify({ model, voice, input: text, response_format: format }),
          maxBytes: maxSpeechBytes,
          timeoutMs,
        },
      );
      demandSound(headers["content-type"]);
      return { bytes, mimeType: format === "opus" ? "audio/ogg" : "audio/mpeg" };
    },
  };
}

/** Some services tell what went wrong in an answer that says "200". */
function demandSound(type = ""): void {
  const [kind = ""] = type.split(";");
  if (/^text\/|[/+](?:json|xml)$/i.test(kind.trim()))
    throw new ToolError(
      "TOOL_FAILED",
      `The speech service answered with ${kind.trim().slice(0, 60)} instead of a sound. Check its address and model.`,
    );
}

/** Channels that play voice messages only in this format. */
const voiceNotes: ReadonlySet<string> = new Set(["telegram", "whatsapp"]);
