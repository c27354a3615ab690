import { documentOptions } from "./_openapi-options.ts";
import type { Command, CommandInput } from "./command.ts";

export const openapiPlan: Command = {
  name: "openapi plan",
  summary: "Show what the tools of an OpenAPI document would be: counts, names, tokens, credentials, and what is refused. Imports nothing.",
  arguments: [{ form: "<document>", description: "URL or file of the document, JSON or YAML" }],
  options: [
    { flags: "--id <id>", description: "id of the source, which begins the names of its tools", default: "api" },
    ...documentOptions,
    {
      flags: "--allow-host <host>",
      description: "host, or host:port, that may be reached although its address is private; can be repeated",
      isList: true,
    },
    { flags: "--all", description: "show all tools (default: the first 20)" },
  ],
  usesTools: false,
  examples: [
    "toolrack openapi plan https://api.example.com/openapi.json --include tag:pets",
    "toolrack openapi plan ./petstore.yaml --exclude 'DELETE'",
  ],
  async run(input: CommandInput<[document: string]>) {
    const { printPlan } = await import("./_openapi-plan.ts");
    return printPlan(input);
  },
};
