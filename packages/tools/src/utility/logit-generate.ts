import { type CallContext, ToolError, ToolInputError } from "@toolrack/core";
import { validateValue } from "@toolrack/json-schema";
import type { LogitModel } from "./logit-model.ts";

export interface Generated {
  readonly value: unknown;
  readonly model: string;
  /** How many answers it took. */
  readonly attempts: number;
}

/** A value of a schema, by a model. An answer that is none is told to the model once, and then refused. */
export async function generate(
  model: LogitModel,
  request: { readonly prompt: string; readonly schema: object; readonly maxTokens?: number | undefined },
  context: Pick<CallContext, "secret" | "signal">,
): Promise<Generated> {
  const { prompt, schema, maxTokens } = request;
  const instructions = `Answer with JSON for this JSON Schema, and with nothing else: ${JSON.stringify(schema)}`;
  let fault = "";
  for (let attempts = 1; attempts <= maxAttempts; attempts++) {
    context.signal.throwIfAborted();
    const asked = fault === "" ? prompt : `${prompt}\n\nYour last answer was wrong: ${fault}`;
    const read = readAnswer(await model.complete({ instructions, prompt: asked, schema, maxTokens }, context), schema);
    if (read.ok) return { value: read.value, model: model.name, attempts };
    fault = read.fault;
  }
  throw new ToolError("TOOL_FAILED", `The model ${model.name} gave no answer of this shape: ${fault}`, { retryable: true });
}

const maxAttempts = 2;

function readAnswer(
  text: string,
  schema: object,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly fault: string } {
  // Models put JSON into a fence although nobody asked them to.
  const [, fenced = text] = /^\s*```(?:json)?\s*\n([^]*?)\n?```\s*$/.exec(text) ?? [];
  let value: unknown;
  try {
    value = JSON.parse(fenced);
  } catch {
    return { ok: false, fault: "It is not JSON." };
  }
  const checked = validateValue(schema, value);
  return checked.ok
    ? { ok: true, value: checked.value }
    : {
        ok: false,
        fault: checked.issues
          .map(({ message }) => message)
          .join(" ")
          .slice(0, 1_000),
      };
}

/** Texts with their token ids, for a bias by token. */
export async function vocabulary(
  model: LogitModel,
  texts: readonly string[],
  context: Pick<CallContext, "secret" | "signal">,
): Promise<{ readonly model: string; readonly vocabulary: readonly { readonly text: string; readonly tokens: readonly number[] }[] }> {
  if (model.tokens === undefined)
    throw new ToolInputError(`The model ${model.name} does not tell its tokens. Use one of llama.cpp or vLLM for the action "vocabulary".`);
  const tokens = await model.tokens(texts, context);
  return { model: model.name, vocabulary: texts.map((text, index) => ({ text, tokens: tokens[index] ?? [] })) };
}
