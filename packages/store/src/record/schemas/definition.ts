import type { JsonSchema } from "@toolrack/json-schema";

const texts = { type: "array", items: { type: "string" } } as const;

/** The context of a `tool.definition.v1` record. */
export const definitionContextSchema: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "tool.definition.v1",
  type: "object",
  required: ["name", "description", "inputSchema"],
  properties: {
    name: { type: "string", pattern: "^[A-Za-z0-9_.-]{1,128}$" },
    title: { type: "string" },
    version: { type: "string", pattern: "^[0-9A-Za-z.+-]{1,64}$", description: "Semantic version; several may exist side by side." },
    description: { type: "string" },
    category: { type: "string" },
    inputSchema: { type: "object", description: "JSON Schema of the input, an object schema." },
    outputSchema: { type: "object" },
    examples: {
      type: "array",
      items: {
        type: "object",
        required: ["description", "input"],
        properties: {
          description: { type: "string" },
          input: { type: "object" },
          output: {},
          usage: { type: "string", description: "How to read the output, such as result.numbers[0]." },
        },
      },
    },
    implementation: {
      type: "object",
      description: "How the tool runs. Absent means a local handler under the tool's own name.",
      required: ["kind"],
      properties: { kind: { type: "string" } },
    },
    state: { enum: ["draft", "validated", "approved", "deprecated", "archived", "changed"] },
    upstream: {
      type: "object",
      description: "Of a tool that a server serves: where it comes from, and what was seen there. Only the server writes it.",
      required: ["source", "identity", "name", "print", "text", "by"],
    },
    deprecated: {
      type: "object",
      required: ["since"],
      properties: { since: { type: "string" }, successor: { type: "string" } },
    },
    configSchema: { type: "object" },
    secrets: texts,
    requiresCapabilities: texts,
    usageHint: { type: "string" },
    optionality: { enum: ["required", "optional", "conditional"] },
    annotations: { type: "object" },
    limits: { type: "object" },
    needs: {
      type: "object",
      description: "What the tool reaches for: declared, not enforced.",
      properties: {
        memoryMb: { type: "number", exclusiveMinimum: 0 },
        hosts: texts,
        files: { type: "object", properties: { read: texts, write: texts } },
        programs: texts,
        permissions: texts,
      },
    },
  },
};
