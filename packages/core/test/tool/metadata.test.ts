import { describe, expect, it } from "vitest";
import { standardCategories } from "../../src/tool/categories.ts";
import type { ToolMetadata } from "../../src/tool/metadata.ts";
import { defineTool } from "../../src/tool/tool.ts";

const everything: Required<Omit<ToolMetadata, "when">> = {
  category: "code",
  optionality: "conditional",
  usageHint: "When a file has to be read.",
  examples: [{ description: "Random numbers", input: { count: 2 }, output: { numbers: [4, 2] }, usage: "result.numbers[0]" }],
  requiresCapabilities: ["git"],
  tags: ["category:general"],
  ownerOnly: true,
  pluginId: "acme",
  groups: ["fs"],
  profiles: ["coding"],
  models: ["gpt-*"],
  paths: ["path"],
  produces: ["outline"],
  consumes: ["topic"],
  configSchema: { type: "object", properties: { region: { type: "string" } } },
  secrets: ["API_KEY"],
  optionalSecrets: ["API_KEY"],
  needsOneSecret: true,
  secretUses: { API_KEY: "the channel team" },
  services: ["db"],
  annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  deliver: "both",
  limits: { timeoutMs: 1_000, maxResultBytes: 10_000, concurrency: 2 },
  aliases: { file_path: "path" },
  labels: ["untrusted", "private"],
  needs: { memoryMb: 64, hosts: ["example.com"], files: { read: ["data"], write: ["out"] }, programs: ["git"], permissions: ["mail.send"] },
  deprecated: { since: "1.1.0", successor: "read" },
};

function readMetadata(metadata: unknown, name: string): ToolMetadata {
  return defineTool({ name, description: "", inputSchema: {}, handler: () => "", metadata: metadata as ToolMetadata }).metadata!;
}

describe("metadata", () => {
  // row: A8
  it("goes through JSON and back unchanged, every field of it", () => {
    const tool = defineTool({
      name: "t",
      description: "",
      inputSchema: {},
      handler: () => "",
      metadata: { ...everything, when: () => true },
    });
    expect(typeof tool.metadata?.when).toBe("function");
    expect(JSON.parse(JSON.stringify(tool)).metadata).toEqual(everything);
  });

  it("is absent where none was given, and has only the fields that were", () => {
    const tool = defineTool({ name: "t", description: "", inputSchema: {}, handler: () => "" });
    expect(tool).not.toHaveProperty("metadata");
    expect(readMetadata({ category: "code", tags: undefined }, "t")).toEqual({ category: "code" });
    expect(readMetadata({ category: "code", tags: undefined }, "t")).not.toHaveProperty("tags");
  });

  it("carries the flag that a tool is for its owner alone", () => {
    expect(readMetadata({ ownerOnly: true }, "t").ownerOnly).toBe(true);
    expect(() => readMetadata({ ownerOnly: "yes" }, "t")).toThrow(/"metadata\.ownerOnly" must be true or false, not a text/);
  });

  it("allows categories of one's own beside the standard ones", () => {
    expect(readMetadata({ category: "cooking" }, "t").category).toBe("cooking");
  });

  it.each<[field: string, wrong: unknown, expected: RegExp, metadata?: Record<string, unknown>]>([
    ["category", 5, /must be a text/],
    ["optionality", "maybe", /"required", "optional" or "conditional"/],
    ["when", true, /must be a function/],
    ["examples", "none", /a list of \{ description, input \}/],
    ["tags", "a", /must be a list of tags of 1 to 256 characters without spaces/],
    ["groups", [1], /must be a list of texts/],
    ["aliases", { a: 1 }, /must be an object of texts/],
    ["configSchema", "object", /must be a JSON Schema/],
    ["examples[0].input", undefined, /must be an object, and is missing/, { examples: [{ description: "no input" }] }],
    ["annotations.readOnly", "yes", /must be true or false, not a text/, { annotations: { readOnly: "yes" } }],
    ["limits.timeoutMs", "1s", /must be a number above 0, or false, not a text/, { limits: { timeoutMs: "1s" } }],
    ["limits.timeoutMs", 0, /must be a number above 0, or false, not 0/, { limits: { timeoutMs: 0 } }],
    ["needs", ["network"], /must be an object with memoryMb, hosts, files, programs, permissions, not a list/],
    ["needs.memoryMb", "256", /must be a number above 0, not a text/, { needs: { memoryMb: "256" } }],
    ["needs.hosts", "api.example.com", /must be a list of texts, not a text/, { needs: { hosts: "api.example.com" } }],
    ["needs.files.write", "out", /must be a list of texts, not a text/, { needs: { files: { write: "out" } } }],
    ["deprecated.since", undefined, /must be a text, and is missing/, { deprecated: {} }],
  ])("with a wrong %s is refused with what belongs there", (field, wrong, expected, metadata = { [field]: wrong }) => {
    expect(() => readMetadata(metadata, "search")).toThrow(
      expect.objectContaining({ code: "DEFINITION_INVALID", message: expect.stringMatching(expected) }),
    );
    expect(() => readMetadata(metadata, "search")).toThrow(`Tool "search": "metadata.${field}" `);
  });

  it("with an unknown field is refused with the nearest one", () => {
    expect(() => readMetadata({ ownerOnley: true }, "t")).toThrow(
      'Tool "t" has the unknown field "metadata.ownerOnley". Did you mean "metadata.ownerOnly"?',
    );
    expect(() => readMetadata({ annotations: { readonly: true } }, "t")).toThrow(
      'the unknown field "metadata.annotations.readonly". Did you mean "metadata.annotations.readOnly"?',
    );
    expect(() => readMetadata({ limits: { timeout: 5 } }, "t")).toThrow('Did you mean "metadata.limits.timeoutMs"?');
    expect(() => readMetadata({ needs: { memory: 5 } }, "t")).toThrow('Did you mean "metadata.needs.memoryMb"?');
    expect(() => readMetadata({ timeoutMs: 5 }, "t")).toThrow('Did you mean "metadata.limits.timeoutMs"?');
    expect(() => readMetadata({ constructor: "x" }, "t")).toThrow(/has the unknown field "metadata.constructor". Known fields: category/);
    expect(() => readMetadata("code", "t")).toThrow(/must be a plain object/);
  });

  it("that contains itself is refused, and a key named __proto__ does no harm", () => {
    const circle: Record<string, unknown> = {};
    circle["circle"] = circle;
    expect(() => readMetadata({ examples: [{ description: "", input: circle }] }, "t")).toThrow(/circular, or nested more than 64 deep/);
    const read = readMetadata({ examples: [{ description: "", input: JSON.parse('{"__proto__":{"polluted":true}}') }] }, "t");
    expect(read.examples?.[0]?.input["polluted"]).toBeUndefined();
  });
});

describe("the standard categories", () => {
  // row: A10
  it("are the six, each with a description, and cannot be changed", () => {
    expect(standardCategories.map((category) => category.name)).toEqual(["code", "vcs", "build", "research", "publish", "utility"]);
    expect(standardCategories.every((category) => category.description.length > 0 && Object.isFrozen(category))).toBe(true);
    expect(Object.isFrozen(standardCategories)).toBe(true);
  });
});
