import type {
  Content,
  FunctionDeclaration,
  GenerateContentParameters,
  GenerateContentResponse,
  GoogleGenAI,
  ToolConfig,
} from "@google/genai";
import type { Tool, ToolListUnion } from "@google/genai";
import { exportTools, readCalls, writeChoice, writeResults } from "@toolrack/core/vendors";
import { caller, registry, tools } from "./setting.ts";

declare const client: GoogleGenAI;
declare const contents: Content[];

// #region turn
const exported = exportTools(registry.view(caller).tools, "gemini");
const request = { model: "gemini-3-pro", contents, config: { tools: exported.tools, ...writeChoice("auto", exported) } };
const reply = await client.models.generateContent(request);
const calls = readCalls(reply, exported);
const results = await registry.callAll(calls, { caller });
contents.push(reply.candidates![0]!.content!, ...writeResults(calls, results, exported));
// #endregion

export const asked: GenerateContentParameters = request;
export const list: Tool[] = exported.tools;
export const full: Tool[] = exportTools(tools, "gemini", { outputSchemas: true }).tools;
export const union: ToolListUnion = exported.tools;
export const declarations: FunctionDeclaration[] = exported.tools.flatMap((tool) => tool.functionDeclarations);
export const openApi: Tool[] = exportTools(tools, "gemini-openapi").tools;
export const choice: ToolConfig = writeChoice({ tools: ["read"], mode: "auto" }, "gemini").toolConfig;

// The content alone is a reply as well, as a conversation keeps it.
readCalls(reply.candidates![0]!.content!, "gemini");

const chunks: GenerateContentResponse[] = [];
for await (const chunk of await client.models.generateContentStream(request)) chunks.push(chunk);
readCalls(chunks, "gemini-openapi");

// @ts-expect-error tools of OpenAI are not declarations in a frame
export const foreign: Tool[] = exportTools(tools, "openai").tools;
// @ts-expect-error items of Responses are no contents
export const foreignAnswer: Content[] = writeResults(calls, results, "openai");
// @ts-expect-error a reply of Gemini is not one of Anthropic
readCalls(reply, "anthropic");
// @ts-expect-error nor of OpenAI
readCalls(reply, "openai-chat");
