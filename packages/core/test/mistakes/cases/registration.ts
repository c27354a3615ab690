import { codeSource, createRegistry, defineBundle, defineTool } from "@toolrack/core";
import { findTool } from "@toolrack/core/array";
import type { Mistake } from "../mistake.ts";

const parameters = { type: "object", properties: { city: { type: "string" } } } as const;
const weather = defineTool({ name: "weather", description: "The weather of a city.", inputSchema: parameters, handler: () => "sunny" });

export const registration: readonly Mistake[] = [
  { title: "A list given to `register`", define: () => createRegistry().register([weather]) },
  {
    title: "OpenAI's declaration of a function (Chat Completions)",
    define: () => createRegistry().register({ type: "function", function: { name: "weather", parameters } }),
  },
  {
    title: "OpenAI's declaration of a function (Responses)",
    define: () => createRegistry().register({ type: "function", name: "weather", description: "…", parameters, strict: true }),
  },
  {
    title: "Anthropic's declaration of a tool",
    define: () => createRegistry().register({ name: "weather", description: "…", input_schema: parameters }),
  },
  {
    title: "A tool of the AI SDK",
    define: () => createRegistry().register({ description: "…", inputSchema: parameters, execute: async () => "sunny" }),
  },
  {
    title: "A set of tools of the AI SDK",
    define: () => createRegistry().register({ weather: { description: "…", inputSchema: parameters, execute: async () => "sunny" } }),
  },
  {
    title: "`execute(args, { abortSignal })` of the AI SDK, with a name",
    define: () =>
      createRegistry().register({
        name: "weather",
        description: "…",
        parameters,
        execute: async (args: { city: string }, options: { abortSignal: AbortSignal }) => `${args.city} ${options.abortSignal.aborted}`,
      }),
  },
  {
    title: "A tool of LangChain",
    define: () =>
      createRegistry().register({ lc_namespace: [], name: "weather", description: "…", schema: parameters, invoke: async () => "sunny" }),
  },
  {
    title: "A misspelt schema beside `execute`: `paramters`",
    define: () => createRegistry().register({ name: "weather", description: "…", paramters: parameters, execute: () => "sunny" }),
  },
  {
    title: "A misspelt restriction beside `execute`: `ownerOnyl`",
    define: () => createRegistry().register({ name: "weather", description: "…", parameters, ownerOnyl: true, execute: () => "sunny" }),
  },
  {
    title: "A name that is taken",
    define: () => {
      const registry = createRegistry();
      registry.register(weather);
      registry.register({ ...weather, handler: () => "rainy" });
    },
  },
  { title: "A misspelt option of `register`", define: () => createRegistry().register(weather, { onConflit: "replace" }) },
  { title: "A mode that `register` does not have", define: () => createRegistry().register(weather, { onConflict: "overwrite" }) },
  {
    title: "A capability that nobody checks",
    define: () => createRegistry().register({ ...weather, metadata: { requiresCapabilities: ["gti"] } }),
  },
  { title: "A list given to `addSource`", define: () => createRegistry().addSource([weather]) },
  { title: "A source without its tools", define: () => codeSource("mine") },
  { title: "A source without its id", define: () => codeSource([weather]) },
  { title: "A tool sought in what is no list", define: () => findTool({}, "weather") },
  { title: "A list given to `merge`", define: () => createRegistry().merge([weather]) },
  { title: "An option given to `list`", define: () => createRegistry().list({ category: "web" }) },
  { title: "A bundle with a misspelt field", define: () => defineBundle({ name: "mine", description: "…", reqired: [], optional: [] }) },
  {
    title: "A wrong tool in a source",
    define: async () => {
      const status = await createRegistry().addSource(codeSource("mine", [{ ...weather, hander: 1 }]));
      return { ok: false, error: status.problems[0] };
    },
    call: (report: unknown) => report,
  },
];
