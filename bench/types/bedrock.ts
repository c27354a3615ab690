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
import { caller, registry, tools } from "./setting.ts";

declare const client: BedrockRuntimeClient;
declare const messages: Message[];

// #region turn
const exported = exportTools(registry.view(caller).tools, "bedrock");
const toolConfig = { tools: exported.tools, ...writeChoice("auto", exported) };
const reply = await client.send(new ConverseCommand({ modelId: "amazon.nova-pro-v1:0", messages, toolConfig }));
const calls = readCalls(reply, exported);
const results = await registry.callAll(calls, { caller });
messages.push(reply.output!.message!, ...writeResults(calls, results, exported));
// #endregion

export const configuration: ToolConfiguration = toolConfig;
export const list: Tool[] = exported.tools;
export const choice: ToolChoice | undefined = writeChoice({ tool: "read" }, "bedrock").toolChoice;

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
