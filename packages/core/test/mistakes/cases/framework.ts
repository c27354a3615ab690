import { createRegistry, defineTool } from "@toolrack/core";
import { exportForApi, executeTool } from "@toolrack/core/array";
import {
  exportTools,
  fromAiSdk,
  fromLangChain,
  fromOpenAITools,
  toAiSdk,
  toLangChain,
  toMastra,
  toOpenAIAgents,
} from "@toolrack/core/vendors";
import { z } from "zod";
import type { Mistake } from "../mistake.ts";

const registry = createRegistry();
const weather = registry.register(
  defineTool({ name: "weather", description: "…", inputSchema: { type: "object", required: ["city"] }, handler: () => "sunny" }),
);

const call = registry.invoke;
const zodLiteral = { name: "weather", description: "…", inputSchema: z.object({ city: z.string() }), handler: () => "sunny" };

export const framework: readonly Mistake[] = [
  { title: "`toAiSdk` with a registry in place of its list", define: () => toAiSdk(registry, { registry }) },
  { title: "`toAiSdk` without a way to call", define: () => toAiSdk([weather]) },
  { title: "`toLangChain` without a way to call", define: () => toLangChain([weather]) },
  { title: "`toOpenAIAgents` without a way to call", define: () => toOpenAIAgents([weather]) },
  { title: "`toMastra` without a way to call", define: () => toMastra([weather]) },
  { title: "A misspelt option of `toAiSdk`", define: () => toAiSdk([weather], { call, calls: 1 }) },
  { title: "A misspelt option of `toLangChain`", define: () => toLangChain([weather], { call, lanchain: {} }) },
  { title: "LangChain without its parts", define: () => toLangChain([weather], { call, langchain: {} }) },
  { title: "An unknown option of `toOpenAIAgents`", define: () => toOpenAIAgents([weather], { call, strict: true }) },
  { title: "An unknown option of `toMastra`", define: () => toMastra([weather], { call, signal: null }) },
  {
    title: "A `call` that returns nothing",
    define: () => toAiSdk([weather], { call: () => undefined }),
    call: (tools: Record<string, { execute(input: object): unknown }>) => tools["weather"]!.execute({ city: "Oslo" }),
  },
  {
    title: "A `call` that returns a value in place of a result",
    define: () => toMastra([weather], { call: () => "sunny" }),
    call: (tools: Record<string, { execute(input: object): unknown }>) => tools["weather"]!.execute({ city: "Oslo" }),
  },
  {
    title: "A `call` for the Agents SDK that returns a value",
    define: () => toOpenAIAgents([weather], { call: () => ({ city: "Oslo" }) }),
    call: (tools: { invoke(context: unknown, input: string): unknown }[]) => tools[0]!.invoke({}, "{}"),
  },
  { title: "A misspelt option of `fromAiSdk`", define: () => fromAiSdk({ greet: aiTool }, { toolContext: {} }) },
  { title: "A misspelt `needsApproval`", define: () => fromAiSdk({ greet: { ...aiTool, needsAproval: true } }) },
  { title: "Options for `fromLangChain`", define: () => fromLangChain([], { strict: true }) },
  {
    title: "Misspelt `parameters` of an OpenAI tool",
    define: () =>
      fromOpenAITools([{ type: "function", function: { name: "greet", paramters: { type: "object" } } }], { greet: () => "hi" }),
  },
  {
    title: "`parameters` beside the `function` of an OpenAI tool",
    define: () =>
      fromOpenAITools([{ type: "function", function: { name: "greet" }, parameters: { type: "object" } }], { greet: () => "hi" }),
  },
  {
    title: "Two OpenAI tools of one name",
    define: () => fromOpenAITools([openAiTool, openAiTool], { greet: () => "hi" }),
  },
  { title: "A literal with a Zod schema, exported", define: () => exportTools([zodLiteral], "openai") },
  { title: "A literal with a Zod schema, for the AI SDK", define: () => toAiSdk([zodLiteral], { call }) },
  { title: "A literal with a Zod schema, for an API", define: () => exportForApi([zodLiteral]) },
  {
    title: "A literal with a Zod schema, run without a registry",
    define: () => zodLiteral,
    call: (tool: never) => executeTool(tool, { city: 5 }),
  },
];

const aiTool = { description: "Greets.", inputSchema: { type: "object" }, execute: () => "hi" };
const openAiTool = { type: "function", function: { name: "greet", parameters: { type: "object" } } };
