import type { ToolResult } from "@toolrack/core";
import type { JsonSchema } from "@toolrack/json-schema";
import { Problem } from "../http/reply/problem.ts";
import type { AnswerShape } from "../http/route.ts";

const text = { type: "string" } as const;
const texts = { type: "array", items: text } as const;

export const callMetaSchema: JsonSchema = {
  type: "object",
  properties: {
    callId: text,
    tool: text,
    version: text,
    durationMs: { type: "number" },
    attempts: { type: "integer" },
    repairs: texts,
    warnings: texts,
    parentCallId: text,
  },
  required: ["callId", "tool", "durationMs"],
  additionalProperties: false,
};

/** What a call gave, where it went well. */
export const successSchema: JsonSchema = {
  type: "object",
  properties: {
    ok: { const: true },
    content: { ...text, description: "What a model reads." },
    data: { description: "The same as data, where the tool gives any." },
    blocks: { type: "array", items: { type: "object", additionalProperties: true } },
    effects: {
      type: "array",
      items: { type: "object", properties: { kind: text, action: text, target: text }, additionalProperties: true },
    },
    meta: callMetaSchema,
  },
  required: ["ok", "content", "meta"],
  additionalProperties: false,
};

export const resultAnswers: Readonly<Record<number, AnswerShape>> = {
  200: {
    description: "The tool's result. A call that fails is answered with a problem that names the tool and the field.",
    schema: successSchema,
  },
};

/** A result as an answer; a failure as the problem that it is. */
export function answerWith(result: ToolResult): { readonly body: ToolResult } {
  if (result.ok) return { body: result };
  const { status, code, error, issues, retryable, retryAfterMs, meta } = result;
  throw new Problem(status, code, error, {
    tool: meta.tool,
    callId: meta.callId,
    ...(issues !== undefined && { issues }),
    ...(retryable && { retryable }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}
