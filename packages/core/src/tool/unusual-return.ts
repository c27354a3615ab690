import { toBlockResult } from "./block-result.ts";
import { isPlainData } from "./plain-data.ts";
import { describeThrown, failure, toFailure, toResult, type ToolResult } from "./result.ts";
import type { ReturningCall } from "./returning-call.ts";
import { collectStream, isAsyncIterable } from "./stream-return.ts";
import { isError, NotJson, toPlainData } from "./to-plain-data.ts";

/** Reads what is neither text nor plain data: a stream, an error, content blocks, or a value that has to be converted. */
export function readUnusual(returned: unknown, call: ReturningCall): ToolResult | Promise<ToolResult> {
  try {
    if (!isAsyncIterable(returned)) return readValue(returned, call);
    return collectStream(returned, call).then(
      (collected) => readValue(collected, call),
      (thrown: unknown) => (thrown instanceof NotJson ? refuse(thrown.message, call) : fail(thrown, call)),
    );
  } catch (thrown) {
    return fail(thrown, call);
  }
}

function readValue(returned: unknown, call: ReturningCall): ToolResult {
  try {
    if (isError(returned)) return fail(returned, call);
    const plain = isPlain(returned) ? returned : toPlainData(returned, "result");
    const meta = call.meta();
    return toBlockResult(plain, meta) ?? toResult(plain, meta);
  } catch (thrown) {
    return refuse(thrown instanceof NotJson ? thrown.message : `it cannot be read: ${describeThrown(thrown)}`, call);
  }
}

function isPlain(value: unknown): boolean {
  try {
    return isPlainData(value);
  } catch {
    return false;
  }
}

/** An error that was returned, or thrown by a stream, fails the call as an error that a handler throws. */
function fail(error: unknown, call: ReturningCall): ToolResult {
  call.noteThrown?.(error);
  return toFailure(error, call.meta());
}

function refuse(fact: string, call: ReturningCall): ToolResult {
  const meta = call.meta();
  return failure("RESULT_INVALID", `Tool "${meta.tool}" returned something that is not JSON: ${fact}.`, meta);
}
