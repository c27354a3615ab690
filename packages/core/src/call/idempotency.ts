import { leavesKeyFree, type ToolResult } from "../tool/result.ts";
import { callerFields } from "../tool/check-caller.ts";
import type { Caller } from "../tool/context.ts";
import { pinsOf, type ToolDefinition } from "../tool/tool.ts";
import { contentHash } from "../util/hash.ts";
import type { InvokeOptions } from "./host.ts";

/**
 * Makes a call at most once for each key, tool and caller: a repeated call gets the first result, or the promise of it. A result that
 * says that nothing was done is not kept, so the key can be used again.
 */
export interface IdempotentCalls {
  once(
    name: string,
    input: unknown,
    options: InvokeOptions,
    make: () => Promise<ToolResult>,
    refuse: (error: string) => ToolResult,
  ): Promise<ToolResult>;
}

export function createIdempotentCalls(maxKeys = 10_000): IdempotentCalls {
  const answers = new Map<string, { readonly digest: string; readonly answer: Promise<ToolResult> }>();
  return {
    once(name, input, options, make, refuse) {
      const { caller = {}, idempotencyKey } = options;
      const key = digestOf([factsOf(caller), name, idempotencyKey]);
      const digest = digestOf(input);
      if (key === undefined || digest === undefined) {
        return Promise.resolve(refuse(`The input of "${name}", or its caller, is not JSON and cannot go with an idempotency key.`));
      }
      const known = answers.get(key);
      if (known !== undefined && known.digest !== digest) {
        return Promise.resolve(
          refuse(`The idempotency key "${idempotencyKey}" was used for tool "${name}" with other arguments. Use a new key.`),
        );
      }
      if (known !== undefined) return known.answer;
      const answer = make();
      const entry = { digest, answer };
      answers.set(key, entry);
      void answer.then((result) => {
        if (leavesKeyFree(result) && answers.get(key) === entry) answers.delete(key);
      });
      // Drops the oldest key: a Map keeps the order of insertion.
      if (answers.size > maxKeys) answers.delete(answers.keys().next().value!);
      return answer;
    },
  };
}

/** The arguments that a key is bound to: with what is pinned, so that no answer of a call with other pins is given again. */
export function keyedInput(tool: ToolDefinition | undefined, input: unknown): unknown {
  const { values = {} } = (tool && pinsOf(tool)) ?? {};
  return Object.keys(values).length === 0 ? input : { input: input ?? {}, pinned: values };
}

/** Every fact of a caller, also of one that inherits them: the hash of an object has only what is its own. */
function factsOf(caller: Caller): Caller {
  const facts = Object.keys(callerFields).map((fact) => [fact, caller[fact as keyof Caller]] as const);
  return Object.fromEntries(facts.filter(([, value]) => value !== undefined));
}

function digestOf(value: unknown): string | undefined {
  try {
    return contentHash(value);
  } catch {
    return undefined;
  }
}
