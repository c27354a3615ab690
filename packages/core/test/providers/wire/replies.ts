import { anthropicReplies } from "./replies/anthropic.ts";
import { bedrockReplies } from "./replies/bedrock.ts";
import { chatReplies } from "./replies/chat.ts";
import { cohereReplies } from "./replies/cohere.ts";
import { geminiReplies } from "./replies/gemini.ts";
import { genericReplies } from "./replies/generic.ts";
import { mistralReplies } from "./replies/mistral.ts";
import { ollamaReplies } from "./replies/ollama.ts";
import type { ReplyFixture } from "./replies/reply.ts";
import { responsesReplies } from "./replies/responses.ts";

/** Every required field of the named typings is there, so that a changed shape shows when they are renewed. */
export const replyFixtures: readonly ReplyFixture[] = [
  ...anthropicReplies,
  ...responsesReplies,
  ...chatReplies,
  ...geminiReplies,
  ...bedrockReplies,
  ...mistralReplies,
  ...cohereReplies,
  ...ollamaReplies,
  ...genericReplies,
];
