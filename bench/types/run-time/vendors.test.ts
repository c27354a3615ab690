import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttp2Server, type Http2ServerRequest, type Http2ServerResponse } from "node:http2";
import type { AddressInfo, Server } from "node:net";
import Anthropic from "@anthropic-ai/sdk";
import { BedrockRuntimeClient, ConverseCommand } from "@aws-sdk/client-bedrock-runtime";
import { GoogleGenAI } from "@google/genai";
import { Mistral } from "@mistralai/mistralai";
import { CohereClientV2 } from "cohere-ai";
import { Ollama } from "ollama";
import OpenAI from "openai";
import { createRegistry, defineTool } from "@toolrack/core";
import { exportTools, readCalls, type ToolCall, writeChoice, writeResults } from "@toolrack/core/vendors";
import { afterAll, expect, it } from "vitest";
import { vendorAnswers } from "./vendor-answers.ts";

type Vendor = keyof typeof vendorAnswers;

const registry = createRegistry();
registry.register(
  defineTool({
    name: "weather",
    description: "Tells the weather of a city.",
    inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    handler: ({ city }) => `clear in ${city}`,
  }),
);
const { tools } = registry.view({});
const run = (calls: readonly ToolCall[]) => registry.callAll(calls);

/** Answers as the vendor, in the order of the requests, and keeps what it was asked. */
const asked: string[] = [];
let answers: object[] = [];
async function answer(request: IncomingMessage | Http2ServerRequest, response: ServerResponse | Http2ServerResponse): Promise<void> {
  let body = "";
  for await (const chunk of request) body += chunk;
  asked.push(body);
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(answers.shift()));
}

const server = createServer(answer);
const http2Server = createHttp2Server(answer); // the SDK of Bedrock speaks nothing else
const [url, http2Url] = (await Promise.all([server, http2Server].map(listen))) as [string, string];
afterAll(() => {
  server.close().closeAllConnections();
  http2Server.close();
});

async function listen(one: Server): Promise<string> {
  await once(one.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(one.address() as AddressInfo).port}`;
}

/** A turn with each vendor's SDK: the calls of its first reply, and its second reply, to a request with their results. */
const turns: Record<Vendor, () => Promise<{ calls: readonly ToolCall[]; last: unknown }>> = {
  async anthropic() {
    const client = new Anthropic({ apiKey: "none", baseURL: url });
    const exported = exportTools(tools, "anthropic");
    const request = { model: "m", max_tokens: 100, tools: exported.tools, ...writeChoice("auto", exported) };
    const reply = await client.messages.create({ ...request, messages: [{ role: "user", content: "?" }] });
    const calls = readCalls(reply, exported);
    return { calls, last: await client.messages.create({ ...request, messages: writeResults(calls, await run(calls), exported) }) };
  },
  async "openai-responses"() {
    const client = new OpenAI({ apiKey: "none", baseURL: url });
    const exported = exportTools(tools, "openai-responses");
    const request = { model: "m", tools: exported.tools, ...writeChoice("auto", exported) };
    const calls = readCalls(await client.responses.create({ ...request, input: "?" }), exported);
    return { calls, last: await client.responses.create({ ...request, input: writeResults(calls, await run(calls), exported) }) };
  },
  async "openai-chat"() {
    const client = new OpenAI({ apiKey: "none", baseURL: url });
    const exported = exportTools(tools, "openai-chat");
    const request = { model: "m", tools: exported.tools, ...writeChoice("auto", exported) };
    const calls = readCalls(await client.chat.completions.create({ ...request, messages: [{ role: "user", content: "?" }] }), exported);
    const messages = writeResults(calls, await run(calls), exported);
    return { calls, last: await client.chat.completions.create({ ...request, messages }) };
  },
  async gemini() {
    const { models } = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: url } });
    const exported = exportTools(tools, "gemini");
    const request = { model: "m", config: { tools: exported.tools, ...writeChoice("auto", exported) } };
    const calls = readCalls(await models.generateContent({ ...request, contents: "?" }), exported);
    return { calls, last: await models.generateContent({ ...request, contents: writeResults(calls, await run(calls), exported) }) };
  },
  async bedrock() {
    const credentials = { accessKeyId: "none", secretAccessKey: "none" };
    const client = new BedrockRuntimeClient({ region: "eu-west-1", endpoint: http2Url, credentials });
    const exported = exportTools(tools, "bedrock");
    const request = { modelId: "m", toolConfig: { tools: exported.tools, ...writeChoice("auto", exported) } };
    const calls = readCalls(await client.send(new ConverseCommand({ ...request, messages: [] })), exported);
    const messages = writeResults(calls, await run(calls), exported);
    const last = await client.send(new ConverseCommand({ ...request, messages }));
    client.destroy();
    return { calls, last };
  },
  async mistral() {
    const { chat } = new Mistral({ apiKey: "none", serverURL: url });
    const exported = exportTools(tools, "mistral");
    const request = { model: "m", tools: exported.tools, ...writeChoice("auto", exported, { spelling: "sdk" }) };
    const calls = readCalls(await chat.complete({ ...request, messages: [{ role: "user", content: "?" }] }), exported);
    const messages = writeResults(calls, await run(calls), exported, { spelling: "sdk" });
    return { calls, last: await chat.complete({ ...request, messages }) };
  },
  async cohere() {
    const client = new CohereClientV2({ token: "none", environment: url });
    const exported = exportTools(tools, "cohere");
    const request = { model: "m", tools: exported.tools, ...writeChoice("required", exported, { spelling: "sdk" }) };
    const calls = readCalls(await client.chat({ ...request, messages: [{ role: "user", content: "?" }] }), exported);
    const messages = writeResults(calls, await run(calls), exported, { spelling: "sdk" });
    return { calls, last: await client.chat({ ...request, messages }) };
  },
  async ollama() {
    const client = new Ollama({ host: url });
    const exported = exportTools(tools, "ollama");
    const calls = readCalls(await client.chat({ model: "m", tools: exported.tools, messages: [] }), exported);
    const messages = writeResults(calls, await run(calls), exported);
    return { calls, last: await client.chat({ model: "m", tools: exported.tools, messages }) };
  },
};

/** The fields that tie a result to its call, as the API has to receive them. */
const tied: Record<Vendor, string> = {
  anthropic: '"tool_use_id":"toolu_1"',
  "openai-responses": '"call_id":"call_abcd"',
  "openai-chat": '"tool_call_id":"call_abcd"',
  gemini: '"name":"weather"',
  bedrock: '"toolUseId":"tooluse_1"',
  mistral: '"tool_call_id":"call_abcd"',
  cohere: '"tool_call_id":"call_abcd"',
  ollama: '"tool_name":"weather"',
};

it.each(Object.keys(vendorAnswers) as Vendor[])(
  "the SDK of %s sends our tools, its replies are read, and our results arrive",
  async (vendor) => {
    answers = [...vendorAnswers[vendor]];
    asked.length = 0;
    const { calls, last } = await turns[vendor]();
    expect(calls).toMatchObject([{ name: "weather", input: { city: "Oslo" } }]);
    expect(asked[0]).toContain("Tells the weather of a city.");
    expect(asked[1]).toContain("clear in Oslo");
    expect(asked[1]).toContain(tied[vendor]);
    expect(readCalls(last, vendor)).toEqual([]);
  },
);

it("a reply as an SDK gives it is refused for a vendor with another format", async () => {
  answers = [...vendorAnswers.gemini];
  const { last } = await turns.gemini();
  expect(() => readCalls(last, "anthropic")).toThrow('looks like one of "gemini"');
});
