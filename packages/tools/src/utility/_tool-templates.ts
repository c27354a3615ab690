import { ToolInputError } from "@toolrack/core";

/** One parameter of a tool that is made from a template. */
export interface TemplateParameter {
  readonly name: string;
  readonly type?: "string" | "integer" | "number" | "boolean" | "array" | "object";
  readonly description?: string;
  readonly optional?: boolean;
}

export const parametersSchema = {
  type: "array",
  maxItems: 50,
  description: "For template: the parameters; those in the path of the url are always required.",
  items: {
    type: "object",
    properties: {
      name: { type: "string", pattern: "^[A-Za-z_][A-Za-z0-9_-]{0,63}$" },
      type: { enum: ["string", "integer", "number", "boolean", "array", "object"], default: "string" },
      description: { type: "string", maxLength: 1_000 },
      optional: { type: "boolean", default: false },
    },
    required: ["name"],
    additionalProperties: false,
  },
} as const;

/** The method of the requests, for those that make one. Parameters outside of the path go into the query, or into a JSON body. */
export const templates = {
  "http-get": "GET",
  "http-post": "POST",
  "http-put": "PUT",
  "http-delete": "DELETE",
  code: undefined,
  chain: undefined,
} as const;

/** What a template is filled with. */
export interface TemplateContent {
  readonly url?: string;
  readonly source?: string;
  readonly tools?: readonly string[];
  readonly steps?: readonly object[];
  readonly returnStep?: string;
}

/** The part of a definition that a template makes. */
export function fromTemplate(
  template: keyof typeof templates,
  content: TemplateContent,
  parameters: readonly TemplateParameter[],
): { readonly inputSchema: object; readonly implementation: object } {
  const inPath = [...(content.url ?? "").matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name!);
  const given = new Map(parameters.map((one) => [one.name, one]));
  if (given.size < parameters.length) throw new ToolInputError("A parameter is given twice. Name each once.");
  const all = [...inPath.filter((name) => !given.has(name)).map((name): TemplateParameter => ({ name })), ...parameters];
  return {
    inputSchema: {
      type: "object",
      properties: Object.fromEntries(
        all.map(({ name, type = "string", description }) => [name, { type, ...(description !== undefined && { description }) }]),
      ),
      required: all.filter(({ name, optional }) => optional !== true || inPath.includes(name)).map(({ name }) => name),
      additionalProperties: false,
    },
    implementation: implementationOf(template, content),
  };
}

function implementationOf(template: keyof typeof templates, { url, source, tools = [], steps, returnStep }: TemplateContent): object {
  if (template === "code") {
    if (source === undefined) throw new ToolInputError('With the template "code", give the program: source.');
    return { kind: "code", source, tools };
  }
  if (template === "chain") {
    if (steps === undefined) throw new ToolInputError('With the template "chain", give the steps.');
    return { kind: "chain", steps, ...(returnStep !== undefined && { returnStep }) };
  }
  if (url === undefined) throw new ToolInputError('With from "template", say which template, and the url.');
  return { kind: "http", endpoint: url, method: templates[template] };
}
