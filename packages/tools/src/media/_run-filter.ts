import { ToolError } from "@toolrack/core";
import { onAbort } from "@toolrack/core/internal";
import { processFaultText } from "@toolrack/core/internal/programs";
import { ProcessFault, type ProcessOperations, type StartedProcess } from "../operations/processes.ts";
import { waitForEnd } from "../workspace/command.ts";
import { environmentFor } from "../workspace/environment.ts";

export interface Filter {
  readonly program: string;
  /** Never what a caller said. */
  readonly args: readonly string[];
  readonly input: Uint8Array;
  /** Longer output is a failure. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The output of a program that gets its input from a pipe. What is too long, too slow or unsuccessful is an error that says so. */
export async function runFilter(processes: ProcessOperations, filter: Filter): Promise<Uint8Array> {
  const { program: name, args, input, maxBytes, timeoutMs, signal } = filter;
  signal.throwIfAborted();
  const parts: Uint8Array[] = [];
  let [length, words] = [0, ""];
  const over = new AbortController();
  const started: StartedProcess = await processes
    .start({
      program: name,
      args,
      // More threads make one short text no faster, and crowd out other calls.
      env: { ...environmentFor({}), OMP_THREAD_LIMIT: "1" },
      takesInput: true,
      onOutput(stream, bytes) {
        if (stream === "stderr") words = (words + new TextDecoder().decode(bytes)).slice(-400);
        else if ((length += bytes.length) <= maxBytes) parts.push(bytes);
        else if (!over.signal.aborted) over.abort();
      },
    })
    .catch((error: unknown) => {
      throw error instanceof ProcessFault ? new ToolError("TOOL_UNAVAILABLE", processFaultText(error), { cause: error }) : error;
    });
  onAbort(over.signal, () => void started.stop());
  void started.write(input).then(
    () => started.endInput(),
    () => {}, // it ended without reading all, which its exit explains
  );
  const { exitCode, timedOut } = await waitForEnd(started, { timeoutMs, signal });
  if (length > maxBytes) throw new ToolError("RESULT_TOO_LARGE", `The output of ${name} has more than ${maxBytes} bytes. Give it less.`);
  if (timedOut) throw new ToolError("TIMEOUT", `The program ${name} was ended after ${timeoutMs} ms, before it was done. Give it less.`);
  if (exitCode !== 0)
    throw new ToolError(
      "TOOL_FAILED",
      `The program ${name} failed: ${words.trim().replace(/\s+/g, " ").replace(/\.+$/, "") || "it said nothing"}.`,
    );
  return Buffer.concat(parts);
}
