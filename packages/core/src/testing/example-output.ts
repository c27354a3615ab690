import { jsonEquals, validatorFor } from "@toolrack/json-schema";
import type { ToolExample } from "../tool/metadata.ts";
import type { ToolSuccess } from "../tool/result.ts";
import type { ToolDefinition } from "../tool/tool.ts";

/** What is wrong with the output of an example that was run, in sentences; what is right is absent. */
export interface OutputProblems {
  /** It does not match the output schema. */
  readonly schema?: string;
  /** It is not what the example shows. */
  readonly shown?: string;
  /** The example's usage leads to no part of it. */
  readonly usage?: string;
}

/** Compares what came out of a run with what the tool and its example promise. */
export function compareOutput(
  { outputSchema }: Pick<ToolDefinition, "outputSchema">,
  example: ToolExample,
  result: Pick<ToolSuccess, "content" | "data">,
): OutputProblems {
  const output = result.data ?? result.content;
  const schema = outputSchema === undefined ? undefined : misfit(outputSchema, output);
  const isAsShown = example.output === undefined || jsonEquals(output, example.output) || result.content === example.output;
  return {
    ...(schema !== undefined && { schema }),
    ...(!isAsShown && { shown: `It shows ${shown(example.output)}, but ${shown(output)} came out.` }),
    ...(example.usage !== undefined && leadsNowhere(example.usage, output) && { usage: `${example.usage} is not in ${shown(output)}.` }),
  };
}

export function misfit(schema: unknown, value: unknown): string | undefined {
  const validator = validatorFor(schema);
  return validator.check(value)
    ? undefined
    : `${shown(value)} does not match: ${validator
        .explain(value)
        .map((issue) => issue.message)
        .join(" ")}`;
}

/** "result.numbers[0]" of an output without numbers; a usage that is more than a path says nothing here. */
function leadsNowhere(usage: string, output: unknown): boolean {
  if (!/^result(\.\w+|\[\d+\])+$/.test(usage)) return false;
  let part = output;
  for (const [key] of usage.slice("result".length).matchAll(/\w+/g)) {
    if (typeof part !== "object" || part === null || !Object.hasOwn(part, key)) return true;
    part = (part as Record<string, unknown>)[key];
  }
  return false;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
