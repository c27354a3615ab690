import type { Model, ModelEnd, Thinking } from "@toolrack/agent";

export interface CheckedModelOptions {
  /** Why the run may not go on, as a sentence. Asked before each turn. */
  whyNot(): Promise<string | undefined>;
  /** Ends the run. */
  stop(reason: string): void;
  /** How much the model thinks, where that was asked for. */
  readonly thinking?: Thinking | undefined;
}

/** A model that is not asked any more once whoever began the run has lost the right to. */
export function createCheckedModel(model: Model, { whyNot, stop, thinking }: CheckedModelOptions): Model {
  return {
    ...model,
    async *stream(request) {
      const reason = await whyNot();
      if (reason === undefined) return yield* model.stream(thinking === undefined ? request : { ...request, thinking });
      stop(reason);
      yield cancelled;
    },
  };
}

const usage = { inputTokens: 0, outputTokens: 0 };
const cancelled: ModelEnd = { type: "end", message: { role: "assistant", content: "", calls: [] }, stop: "cancelled", usage };
