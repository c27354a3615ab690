import { type CallContext, defineTool, type HandlerResult, type ToolDefinition, ToolError } from "@toolrack/core";
import { createEspeakSpeaker } from "./espeak.ts";
import type { MediaOperations } from "./operations.ts";
import type { Speaker } from "./speaker.ts";
import { createServiceSpeaker, type SpeechServiceOptions } from "./speech-service.ts";

export interface SpeechOptions {
  /** A service that speaks. @default the program espeak-ng of this machine */
  readonly service?: SpeechServiceOptions;
  /** The voice of espeak-ng: "en", "de", "en-us+f3". @default "en" */
  readonly voice?: string;
}

interface Spoken {
  readonly mimeType: string;
  readonly bytes: number;
  readonly seconds?: number;
  readonly used: string;
}

const timeoutMs = 30_000;

/** Throws CONFIG_INVALID for a voice that no voice can be called. */
export function createTts(operations: MediaOperations, options: SpeechOptions = {}): ToolDefinition {
  const { service, voice } = options;
  if (voice !== undefined && !isVoice.test(voice))
    throw new ToolError("CONFIG_INVALID", `The voice ${JSON.stringify(voice)} must be the name of one, such as "en-us" or "de".`);
  return defineTool({
    name: "tts",
    title: "Speak a text",
    description: "Turns text into speech and gives the sound itself, as an audio block.",
    inputSchema: {
      type: "object",
      properties: {
        text: { type: "string", minLength: 1, maxLength: 4_096, pattern: "\\S", description: "What is spoken, as plain text." },
        voice: { type: "string", maxLength: 40, pattern: isVoice.source, description: "Whose voice; the configured one if absent." },
        channel: { type: "string", minLength: 1, maxLength: 60, description: "Where it will be played, for a format that fits." },
      },
      required: ["text"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: {
        mimeType: { type: "string" },
        bytes: { type: "integer" },
        seconds: { type: "number", description: "How long it plays, where that is known." },
        used: { type: "string", description: "What spoke: a program, or a model." },
      },
      required: ["mimeType", "bytes", "used"],
    },
    metadata: {
      category: "media",
      optionality: "optional",
      usageHint: "When somebody wants to hear an answer. The sound is part of the result; no file is written.",
      examples: [{ description: "Say hello", input: { text: "Hello. The kettle is on." }, usage: "result.seconds" }],
      annotations: { readOnly: true, idempotent: true, openWorld: service !== undefined },
      limits: { timeoutMs: timeoutMs + 5_000, concurrency: 2 },
      groups: ["media"],
      requiresCapabilities: service === undefined ? ["binary:espeak-ng"] : ["network"],
      ...(service?.secret !== undefined && { secrets: [service.secret] }),
    },
    async handler({ text, voice: asked, channel }, context): Promise<HandlerResult<Spoken>> {
      const speaker = speakerOf(operations, options, context);
      const { bytes, mimeType, seconds } = await speaker.speak({ text, voice: asked, channel, timeoutMs, signal: context.signal });
      if (bytes.length === 0) throw new ToolError("TOOL_FAILED", `${speaker.used} answered without a sound.`, { retryable: true });
      const { used } = speaker;
      const content = `Spoken by ${used}${seconds === undefined ? "" : `, ${seconds} s`} (${mimeType}, ${bytes.length} bytes).`;
      return {
        ok: true,
        content,
        blocks: [
          { type: "text", text: content },
          { type: "audio", data: Buffer.from(bytes).toString("base64"), mimeType },
        ],
        data: { mimeType, bytes: bytes.length, ...(seconds !== undefined && { seconds }), used },
      };
    },
  });
}

/** Begins with a letter, so that it cannot be read as an option. */
const isVoice = /^[A-Za-z][A-Za-z0-9_-]*(?:\+[A-Za-z0-9_-]+)?$/;

function speakerOf({ http, processes }: MediaOperations, { service, voice }: SpeechOptions, context: CallContext): Speaker {
  return service === undefined
    ? createEspeakSpeaker(processes, voice)
    : createServiceSpeaker(http, service, (name) => context.secret(name));
}
