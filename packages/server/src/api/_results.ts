import type { ToolResult, ToolSuccess } from "@toolrack/core";
import type { Answers, SchemaOf } from "../http/route.ts";
import { Problem } from "../http/reply/problem.ts";
import { objectOf } from "./_answers.ts";

const text = { type: "string" } as const;
const texts = { type: "array", items: text } as const;

export const callMetaSchema: SchemaOf<ToolSuccess["meta"]> = objectOf<ToolSuccess["meta"]>(
  {
    callId: text,
    tool: text,
    version: text,
    durationMs: { type: "number", description: "With the time that it waited for people." },
    waitedMs: { type: "number", description: "How long it waited for people." },
    attempts: { type: "integer" },
    repairs: texts,
    warnings: texts,
    parentCallId: text,
  },
  ["version", "waitedMs", "attempts", "repairs", "warnings", "parentCallId"],
);

/** The result of a call that succeeded. */
export const successSchema: SchemaOf<ToolSuccess> = objectOf<ToolSuccess>(
  {
    ok: { const: true },
    content: { ...text, description: "The text for a model." },
    data: { description: "The structured result, if the tool returns one." },
    blocks: { type: "array", items: { type: "object", additionalProperties: true } },
    effects: {
      type: "array",
      items: { type: "object", properties: { kind: text, action: text, target: text }, additionalProperties: true },
    },
    meta: callMetaSchema,
  },
  ["data", "blocks", "effects"],
);

export const resultAnswers: Answers<ToolSuccess> = {
  200: {
    description: "The tool's result. A call that fails is answered with a problem that names the tool and the field.",
    schema: successSchema,
  },
};

/** A result as an answer; a failure as a problem. */
export function answerWith(result: ToolResult): { readonly body: ToolSuccess } {
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
