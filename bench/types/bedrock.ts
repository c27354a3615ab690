import type {
  BedrockRuntimeClient,
  ConverseStreamOutput,
  Message,
  Tool,
  ToolChoice,
  ToolConfiguration,
} from "@aws-sdk/client-bedrock-runtime";
import { ConverseCommand, ConverseStreamCommand } from "@aws-sdk/client-bedrock-runtime";
import { exportTools, readCalls, writeChoice, writeResults } from "@toolrack/core/vendors";
import { results, tools } from "./setting.ts";

declare const client: BedrockRuntimeClient;
declare const messages: Message[];

const exported = exportTools(tools, "bedrock");
export const list: Tool[] = exported.tools;
export const choice: ToolChoice | undefined = writeChoice({ tool: "read" }, "bedrock").toolChoice;

const toolConfig: ToolConfiguration = { tools: exported.tools, ...writeChoice("required", exported) };
const reply = await client.send(new ConverseCommand({ modelId: "m", messages, toolConfig }));
const calls = readCalls(reply, exported);
messages.push(reply.output!.message!, ...writeResults(calls, results, exported));
// The message alone is a reply as well, as a conversation keeps it.
readCalls(reply.output!.message!, "bedrock");

const events: ConverseStreamOutput[] = [];
for await (const event of (await client.send(new ConverseStreamCommand({ modelId: "m", messages, toolConfig }))).stream!)
  events.push(event);
readCalls(events, "bedrock");

// @ts-expect-error tools of Anthropic are not those of Bedrock
export const foreign: Tool[] = exportTools(tools, "anthropic").tools;
// @ts-expect-error nor are the messages
export const foreignAnswer: Message[] = writeResults(calls, results, "anthropic");
// @ts-expect-error a reply of Bedrock is not one of OpenAI
readCalls(reply, "openai-chat");
// @ts-expect-error nor of Gemini
readCalls(reply, "gemini");
