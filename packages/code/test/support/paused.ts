import {
  resumeProgram,
  startProgram,
  type CallAnswer,
  type ProgramOptions,
  type ProgramResult,
  type ToolFunction,
} from "../../src/index.ts";
import { readFailure } from "../../src/program/run.ts";

/** Runs a program through its stored form: written as JSON and read again at every call, and after every `pauseAfter` steps. */
export async function runPaused(
  source: string,
  tools: Readonly<Record<string, ToolFunction>>,
  options: ProgramOptions,
  pauseAfter?: number,
): Promise<ProgramResult & { readonly pauses: number; readonly largest: number }> {
  const pausing = pauseAfter === undefined ? {} : { pauseAfter };
  let status = startProgram(source, { ...options, ...pausing, tools: Object.keys(tools) });
  let pauses = 0;
  let largest = 0;
  const answered = new Set<string>();
  while (status.status === "waiting") {
    pauses++;
    const text = JSON.stringify(status.state);
    largest = Math.max(largest, text.length);
    const answers: CallAnswer[] = [];
    for (const { callId, tool, input } of status.calls) {
      if (answered.has(callId)) throw new Error(`Call ${callId} was handed out after it was answered.`);
      answered.add(callId);
      try {
        answers.push({ callId, result: await (tools[tool] as (given: unknown) => unknown)(input) });
      } catch (error) {
        answers.push({ callId, error: readFailure(error) });
      }
    }
    status = resumeProgram(JSON.parse(text) as typeof status.state, answers, { ...options, ...pausing });
  }
  return { ...status, pauses, largest };
}
