import { afterAll, beforeAll } from "vitest";
import { describeModel } from "./_contract.ts";
import { type ModelServer, startModelServer } from "./_server.ts";
import { anthropic } from "./_vendors/anthropic.ts";
import { chat } from "./_vendors/chat.ts";
import { gemini } from "./_vendors/gemini.ts";
import { ollama } from "./_vendors/ollama.ts";
import { openai } from "./_vendors/openai.ts";

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server[Symbol.asyncDispose]());

for (const standIn of [anthropic, openai, chat, gemini, ollama]) describeModel(standIn, () => server);
