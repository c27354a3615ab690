import type { Clock } from "@toolrack/core/node";
import { pause, untilAborted } from "@toolrack/core/internal";
import { messageOf } from "../errors.ts";
import type { Emit } from "../events.ts";
import type { Model, ModelEnd, ModelRequest, StopReason } from "../model.ts";

/** How often a model that failed before it said anything is asked again. */
export const maxRetries = 3;

const firstWaitMs = 500;
const maxWaitMs = 60_000;

export interface AskOptions {
  readonly clock: Clock;
  readonly emit: Emit;
}

/** One reply of the model. Never rejects: what goes wrong is told by `stop` and `failure`. */
export async function askModel(model: Model, request: ModelRequest, { clock, emit }: AskOptions): Promise<ModelEnd> {
  for (let attempt = 1; ; attempt++) {
    const { end, wasHeard } = await askOnce(model, request, emit);
    const { failure } = end;
    if (failure?.retryable !== true || wasHeard || attempt > maxRetries) return end;
    const waitMs = Math.min(failure.retryAfterMs ?? firstWaitMs * 2 ** (attempt - 1), maxWaitMs);
    emit({ type: "retry", attempt, waitMs, reason: failure.message });
    if (!(await pause(clock, waitMs, request.signal))) return endWithout("cancelled");
  }
}

async function askOnce(model: Model, request: ModelRequest, emit: Emit): Promise<{ end: ModelEnd; wasHeard: boolean }> {
  let wasHeard = false;
  try {
    const events = model.stream(request)[Symbol.asyncIterator]();
    for (;;) {
      // A model that does not look at its signal is left alone.
      const next = await untilAborted(Promise.resolve(events.next()), request.signal);
      if (next.done === true) return { end: failedWith(`Model "${model.name}" ended its reply without an end. Try again.`), wasHeard };
      if (next.value.type === "end") return { end: next.value, wasHeard };
      wasHeard = true;
      emit(next.value);
    }
  } catch (error) {
    if (request.signal.aborted) return { end: endWithout("cancelled"), wasHeard };
    return { end: failedWith(`Model "${model.name}" failed: ${messageOf(error)}`), wasHeard };
  }
}

function failedWith(message: string): ModelEnd {
  return { ...endWithout("failed"), failure: { message, retryable: false } };
}

function endWithout(stop: StopReason): ModelEnd {
  const usage = { inputTokens: 0, outputTokens: 0 };
  return { type: "end", message: { role: "assistant", content: "", calls: [] }, stop, usage };
}
