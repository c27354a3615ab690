import { shellWord } from "@toolrack/core/internal/shell-word";
import { type CallContext, defineTool, type ToolDefinition, ToolInputError } from "@toolrack/core";
import { isObject, mergeJson } from "@toolrack/core/internal";
import { type BreadcrumbClient, withRecords } from "../operations/breadcrumbs.ts";
import { changedRecord, shownRecordSchema, tagsSchema } from "./_records.ts";
import { fromTemplate, parametersSchema, type TemplateContent, templates } from "./_tool-templates.ts";
import type { UtilityOperations } from "./operations.ts";

type Data = Readonly<Record<string, unknown>>;

/** What the host says about definitions that are not served yet. */
export interface DefinitionHost {
  /** The kinds of stored tools that can run: "http". */
  readonly kinds: readonly string[];
  /** Why nothing could run a definition, as far as the caller may know; undefined if it can run. */
  problemOf(
    definition: { readonly title: string; readonly context: Data },
    context: Pick<CallContext, "caller">,
  ): string | undefined | Promise<string | undefined>;
  /** The source of the tool that has this name now. */
  holderOf(name: string): string | undefined;
}

/** A tool that makes tools. What it makes is a draft: nobody can call it before a person has approved it. */
export function createToolCreate(operations: UtilityOperations, host: DefinitionHost): ToolDefinition {
  const kinds = host.kinds.join(", ");
  return defineTool({
    name: "tool_create",
    title: "Create a tool",
    description: `Writes the definition of a new tool as a draft: from scratch, as a copy of a stored tool, or from a template. A person has to approve it before it can be called. Kinds of tools that run here: ${kinds}.`,
    inputSchema: {
      type: "object",
      properties: {
        name: { type: "string", pattern: "^[A-Za-z][A-Za-z0-9_-]{0,63}$", description: "The name of the new tool, in snake_case." },
        description: {
          type: "string",
          minLength: 10,
          maxLength: 2_000,
          description: "The description of the tool, used for tool selection.",
        },
        from: { enum: ["new", "clone", "template"], default: "new", description: "What to begin with." },
        clone: { type: "string", minLength: 1, maxLength: 128, description: "For clone: the name of a stored tool." },
        template: { enum: Object.keys(templates), description: "For template." },
        url: { type: "string", maxLength: 2_000, description: "For the http templates: the address, with {parameters} in its path." },
        source: {
          type: "string",
          maxLength: 100_000,
          description: "For the template code: a TypeScript program. `input` holds the parameters; `return` gives the result.",
        },
        tools: {
          type: "array",
          maxItems: 100,
          items: { type: "string", maxLength: 128 },
          description: "For the template code: the tools that it calls, as `await tools.name({ … })`.",
        },
        steps: {
          type: "array",
          maxItems: 50,
          items: { type: "object" },
          description:
            'For the template chain: calls such as { "id": "b", "tool": "echo", "input": { "text": "${a.field} of ${input.name}" } }.',
        },
        returnStep: { type: "string", maxLength: 64, description: "For the template chain: the step whose result counts; else the last." },
        parameters: parametersSchema,
        inputSchema: { type: "object", description: "For new: a JSON Schema of type object." },
        outputSchema: { type: "object", description: "A JSON Schema of the result." },
        implementation: {
          type: "object",
          description: 'For new: how it runs, such as { "kind": "http", "endpoint": "https://api.example.com/{id}", "method": "GET" }.',
        },
        changes: { type: "object", description: "For clone: fields that replace those of the copied definition; null removes one." },
        tags: { ...tagsSchema, default: [], description: "Words to find it by." },
      },
      required: ["name", "description"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: { record: shownRecordSchema, next: { type: "string", description: "The next step, for a person." } },
      required: ["record", "next"],
    },
    metadata: {
      category: "utility",
      optionality: "optional",
      usageHint:
        "When no tool does what is needed and a short program, a chain of calls or an HTTP endpoint would. Look with search_tools first.",
      examples: [
        {
          description: "A tool that is a program",
          input: {
            name: "to_fahrenheit",
            description: "Converts degrees Celsius to degrees Fahrenheit.",
            from: "template",
            template: "code",
            source: "return { fahrenheit: input.celsius * 1.8 + 32 };",
            parameters: [{ name: "celsius", type: "number", description: "Degrees Celsius." }],
          },
          usage: "result.next",
        },
        {
          description: "A tool for an endpoint",
          input: {
            name: "forecast",
            description: "Tells the weather of the next days in a city.",
            from: "template",
            template: "http-get",
            url: "https://weather.example.com/cities/{city}",
            parameters: [{ name: "days", type: "integer", description: "Number of days.", optional: true }],
          },
          usage: "result.next",
        },
      ],
      annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
      limits: { timeoutMs: 15_000, maxResultBytes: 262_144 },
      groups: ["utility"],
      tags: ["records"],
    },
    handler: (input, context) =>
      withRecords(async () => {
        const { name, description, tags } = input;
        const holder = host.holderOf(name);
        if (holder !== undefined) throw new ToolInputError(`The source "${holder}" has a tool "${name}" already. Choose another name.`);
        const client = await operations.breadcrumbs(context as CallContext);
        const { outputSchema } = input;
        const definition = { ...(await contentOf(input as Wanted, client)), ...(outputSchema && { outputSchema }), name, description };
        const problem = await host.problemOf({ title: name, context: definition }, context);
        if (problem !== undefined) throw new ToolInputError(`Nothing here could run this tool: ${problem} Kinds that run here: ${kinds}.`);
        const draft = {
          id: `tool-def-${name}`,
          schema_name: "tool.definition.v1",
          title: name,
          tags: ["tool:definition", ...tags],
          context: definition,
        };
        const written = await client.put(draft, { undecided: true });
        if (!written.ok) throw new ToolInputError(`The tool was not written: ${written.message}`);
        const next = `It is a draft. A person reviews and approves it with: toolrack approve ${shellWord(name)}`;
        const changed = await changedRecord(operations, written.record, "create");
        if (!changed.ok) return changed;
        const data = { ...changed.data!, next };
        return { ...changed, content: JSON.stringify(data), data };
      }),
  });
}

interface Wanted extends TemplateContent {
  readonly from: "new" | "clone" | "template";
  readonly clone?: string;
  readonly template?: keyof typeof templates;
  readonly parameters?: Parameters<typeof fromTemplate>[2];
  readonly inputSchema?: Data;
  readonly implementation?: Data;
  readonly changes?: Data;
}

async function contentOf(wanted: Wanted, client: BreadcrumbClient): Promise<Data> {
  const { from, clone, template, parameters = [], inputSchema, implementation, changes = {} } = wanted;
  if (from === "template") {
    if (template === undefined) throw new ToolInputError(`With from "template", say which template: ${Object.keys(templates).join(", ")}.`);
    return fromTemplate(template, wanted, parameters);
  }
  if (from === "new") {
    if (inputSchema === undefined || implementation === undefined)
      throw new ToolInputError('With from "new", give inputSchema and implementation. A template makes both: from "template".');
    return { inputSchema, implementation };
  }
  if (clone === undefined) throw new ToolInputError('With from "clone", say which stored tool: clone.');
  const record = await client.get(`tool-def-${clone}`);
  if (record?.schema_name !== "tool.definition.v1" || !isObject(record.context["implementation"]))
    throw new ToolInputError(`There is no stored tool "${clone}" that you can read. Only tools that are stored as records can be copied.`);
  // What was decided about the other one does not hold for the copy.
  const { state: _state, review: _review, deprecated: _deprecated, version: _version, ...copied } = record.context;
  return mergeJson(copied as never, changes as never) as Data;
}
