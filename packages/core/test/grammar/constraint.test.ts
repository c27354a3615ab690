import { describe, expect, it } from "vitest";
import { validatorFor } from "@toolrack/json-schema";
import { backends, resolveConstraint } from "../../src/grammar/constraint.ts";
import { toolCallSchema } from "../../src/grammar/tool-call-schema.ts";
import { readGbnf } from "./gbnf-recogniser.ts";

const node = { type: "object", properties: { next: { $ref: "#/$defs/Node" }, value: { type: "integer" } }, required: ["value"] };
const tools = [
  { name: "read", inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] } },
  { name: "chain", inputSchema: { type: "object", properties: { node: { $ref: "#/$defs/Node" } }, $defs: { Node: node } } },
  { name: "broken", inputSchema: { $ref: "#/$defs/none" } },
];

describe("the constraint of a request", () => {
  it("is a grammar where the backend takes one, in the notation it likes best", () => {
    for (const mode of ["grammar", "hybrid"] as const) {
      const { constraint, fallback } = resolveConstraint(tools, mode, backends["llama.cpp"]);
      expect(fallback).toBeUndefined();
      if (constraint.kind !== "gbnf") throw new Error(constraint.kind);
      expect(readGbnf(constraint.grammar).accepts('{"name":"read","arguments":{"path":"a"}}')).toBe(true);
    }
    expect(resolveConstraint(tools, "grammar", backends.vllm).constraint.kind).toBe("structural-tag");
    expect(resolveConstraint(tools, "grammar", backends.openai).constraint.kind).toBe("lark");
  });

  // row: G20
  it("falls back in hybrid mode, says why, and is an error in grammar mode", () => {
    const { constraint, fallback } = resolveConstraint(tools, "hybrid", backends.ollama);
    expect(constraint.kind).toBe("json-schema");
    expect(fallback).toBe("ollama takes no grammar; a JSON Schema is used instead.");
    expect(resolveConstraint(tools, "hybrid", backends.text)).toEqual({
      constraint: { kind: "none" },
      fallback: "text takes no grammar and takes no JSON Schema; nothing holds the model.",
    });
    expect(() => resolveConstraint(tools, "grammar", backends.ollama)).toThrow(/"ollama" does not take a grammar/);
    expect(() => resolveConstraint(tools, "schema", backends.text)).toThrow(/"text" does not take a JSON Schema/);
  });

  it("goes on to the next best when the backend has refused something", () => {
    const kinds = [
      [],
      ["structural-tag"],
      ["structural-tag", "gbnf"],
      ["structural-tag", "gbnf", "lark"],
      ["structural-tag", "gbnf", "lark", "json-schema"],
    ] as const;
    expect(kinds.map((failed) => resolveConstraint(tools, "hybrid", backends.vllm, { failed }).constraint.kind)).toEqual([
      "structural-tag",
      "gbnf",
      "lark",
      "json-schema",
      "none",
    ]);
  });

  it("is nothing when nothing is asked for, or there are no tools", () => {
    expect(resolveConstraint(tools, "unconstrained", backends.vllm)).toEqual({ constraint: { kind: "none" } });
    expect(resolveConstraint([], "grammar", backends.text)).toEqual({ constraint: { kind: "none" } });
  });
});

describe("the schema of tool calls", () => {
  it("accepts calls of the tools, recursive arguments included, and no others", () => {
    const { check } = validatorFor(toolCallSchema(tools));
    expect(check({ name: "read", arguments: { path: "a" } })).toBe(true);
    expect(check({ name: "read", arguments: {} })).toBe(false);
    expect(check({ name: "chain", arguments: { node: { value: 1, next: { value: 2 } } } })).toBe(true);
    expect(check({ name: "chain", arguments: { node: { value: 1, next: {} } } })).toBe(false);
    expect(check({ name: "broken", arguments: { any: 1 } })).toBe(true);
    expect(check({ name: "other", arguments: {} })).toBe(false);
  });

  it("follows the form, and lists parallel calls", () => {
    const { check } = validatorFor(toolCallSchema(tools, { form: "tool", parallel: true }));
    expect(check([{ tool: "read", args: { path: "a" } }])).toBe(true);
    expect(check([])).toBe(false);
  });
});
