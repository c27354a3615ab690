import { CommandError, type ExitReason } from "../errors.ts";
import type { HttpToolOptions } from "./_http-definition.ts";
import { storeOptions } from "./_store-options.ts";
import type { Command, CommandInput, CommandOption } from "./command.ts";

export const toolsAddHttp: Command = {
  name: "tools add-http",
  summary:
    "Add an HTTP endpoint as a tool, without code: a stored definition. The owner approves it by adding it; otherwise it waits for approval.",
  arguments: [
    { form: "<name>", description: "name of the tool" },
    { form: "<url>", description: "address, with {parameters} in its path: https://api.example.com/users/{id}" },
  ],
  options: [
    { flags: "--description <text>", description: "what the tool does; models select tools by this text" },
    { flags: "--method <method>", description: "GET, POST, PUT, PATCH or DELETE (default: GET; POST if a parameter is in the body)" },
    {
      flags: "--param <parameter>",
      description: "name, name:type or name:type=description; a ? after the name makes it optional; can be repeated",
      isList: true,
    },
    { flags: "--in <place>", description: "where a parameter goes: name=query, name=body or name=header; can be repeated", isList: true },
    { flags: "--header <header>", description: 'fixed header, "Name: value"; not for credentials; can be repeated', isList: true },
    { flags: "--secret <name>", description: "secret that is sent with each request; its value is set with: toolrack secrets set <name>" },
    { flags: "--auth <way>", description: "how the secret is sent: bearer, basic, header:<name> or query:<name>", default: "bearer" },
    ...storeOptions,
  ],
  examples: [
    'toolrack tools add-http forecast "https://api.example.com/forecast/{city}" --description "Tells the weather in a city." --param "days?:integer=Number of days" --secret weather-key',
    'toolrack tools add-http create_note https://notes.example.com/notes --method POST --description "Saves a note." --param text --approve',
  ],
  async run(input: CommandInput<[name: string, url: string]>): Promise<ExitReason> {
    const [name, url] = input.arguments;
    const options = readOptions(input, url);
    const { toHttpDefinition } = await import("./_http-definition.ts");
    const context = toHttpDefinition(name, options);
    const { storeDefinition } = await import("./_store-definition.ts");
    return storeDefinition(input, name, context, { secret: options.secret });
  },
};

const definitionOptions: readonly CommandOption[] = [
  { flags: "--name <name>", description: "name of the tool (default: that of the file)" },
  { flags: "--description <text>", description: "what the tool does; models select tools by this text" },
  {
    flags: "--param <parameter>",
    description: "name, name:type or name:type=description; a ? after the name makes it optional; can be repeated",
    isList: true,
  },
  { flags: "--input-schema <file>", description: "file with a JSON Schema of the input, instead of --param" },
  { flags: "--output-schema <file>", description: "file with a JSON Schema of the result" },
];

export const toolsAddCode: Command = {
  name: "tools add-code",
  summary:
    "Add a program as a tool: its source becomes a stored definition. It can compute, and call the tools that you name; files, network and secrets do not exist in it.",
  arguments: [{ form: "<file>", description: "TypeScript or JavaScript: `input` holds the parameters, `return` gives the result" }],
  options: [
    ...definitionOptions,
    { flags: "--tool <name>", description: "tool that the program may call, as `await tools.name({ … })`; can be repeated", isList: true },
    ...storeOptions,
  ],
  examples: [
    'toolrack tools add-code to_fahrenheit.ts --description "Converts degrees Celsius to Fahrenheit." --param celsius:number',
    'toolrack tools add-code dice.ts --description "Throws two dice." --tool random --output-schema dice.schema.json',
  ],
  async run(input: CommandInput<[file: string]>): Promise<ExitReason> {
    const { readCodeDefinition } = await import("./_program-definition.ts");
    const { storeDefinition } = await import("./_store-definition.ts");
    const { name, context } = await readCodeDefinition(input);
    return storeDefinition(input, name, context, { file: input.arguments[0] });
  },
};

export const toolsAddChain: Command = {
  name: "tools add-chain",
  summary: "Add a chain as a tool: calls of other tools, each with values of earlier ones, become a stored definition.",
  arguments: [
    { form: "<file>", description: 'JSON: { "steps": [{ "id", "tool", "input" }] }; may also hold name, description and schemas' },
  ],
  options: [...definitionOptions, ...storeOptions],
  examples: ['toolrack tools add-chain random_sum.json --description "Adds two random numbers."'],
  async run(input: CommandInput<[file: string]>): Promise<ExitReason> {
    const { readChainDefinition } = await import("./_program-definition.ts");
    const { storeDefinition } = await import("./_store-definition.ts");
    const { name, context } = await readChainDefinition(input);
    return storeDefinition(input, name, context);
  },
};

function readOptions({ options, lists }: CommandInput, url: string): HttpToolOptions {
  const text = (name: string): string | undefined => (typeof options[name] === "string" ? options[name] : undefined);
  const description = text("description");
  if (description === undefined || description.trim() === "")
    throw new CommandError(
      "usage",
      'Say what the tool does, because models choose it by that: --description "Tells the weather in a city."',
    );
  return {
    url,
    description,
    method: text("method"),
    parameters: lists("param"),
    places: lists("in"),
    headers: lists("header"),
    secret: text("secret"),
    auth: text("auth") ?? "bearer",
  };
}
