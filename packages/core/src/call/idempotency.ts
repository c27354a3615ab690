import type { ToolResult } from "../tool/result.ts";
import { contentHash } from "../util/hash.ts";
import type { InvokeOptions } from "./host.ts";

/** Makes a call at most once per key: the first answer, or the promise of it, is given to everyone who comes with the key again. */
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
      const key = JSON.stringify([caller.tenant, caller.agent, name, idempotencyKey]);
      const digest = contentHash(input);
      const known = answers.get(key);
      if (known !== undefined && known.digest !== digest) {
        return Promise.resolve(
          refuse(`The idempotency key "${idempotencyKey}" was used for tool "${name}" with other arguments. Use a new key.`),
        );
      }
      if (known !== undefined) return known.answer;
      const answer = make();
      answers.set(key, { digest, answer });
      // The oldest key goes first: a Map keeps the order of insertion.
      if (answers.size > maxKeys) answers.delete(answers.keys().next().value!);
      return answer;
    },
  };
}
