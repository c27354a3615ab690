import { compileSource } from "./prepare.ts";
import { isTracked, Session } from "./session.ts";
import type { CallAnswer, PendingCall, ProgramResult, RunOptions, ToolFunction } from "./types.ts";
import type { Diagnostic } from "../diagnostic.ts";

/** Steps after which other work of the process gets its turn. */
const slice = 100_000;

/** Runs a program to its end. */
export async function runProgram(source: string, options: RunOptions): Promise<ProgramResult> {
  const unit = compileSource(source, isTracked(options));
  if (Array.isArray(unit)) return refused(unit);
  const session = new Session(
    { unit, tools: Object.keys(options.tools), labelNames: [], seed: options.seed ?? Math.floor(Math.random() * 2 ** 31) },
    options,
  );
  session.begin();
  const answers: CallAnswer[] = [];
  let wake = (): void => {};
  const stop = (): void => wake();
  options.signal?.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      if (options.signal?.aborted === true) session.stop("The program was ended from outside.");
      const status = session.advance(slice);
      if (status === "done") return session.result;
      if (status === "paused") {
        await new Promise<void>((resolve) => setTimeout(resolve, 0));
        continue;
      }
      for (const call of session.takeCalls()) {
        void callTool(options.tools, call).then((answer) => {
          answers.push(answer);
          wake();
        });
      }
      if (answers.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (options.signal?.aborted === true) resolve();
        });
      }
      for (const answer of answers.splice(0)) session.answer(answer);
    }
  } finally {
    options.signal?.removeEventListener("abort", stop);
  }
}

/** The result of a program that is refused before it runs. */
export function refused(diagnostics: readonly Diagnostic[]): ProgramResult {
  const [first] = diagnostics as readonly [Diagnostic];
  const message = diagnostics.map((diagnostic) => diagnostic.message).join("\n");
  return {
    ok: false,
    error: { kind: first.kind, message, line: first.line, column: first.column },
    calls: [],
    labels: [],
    logs: [],
    steps: 0,
    warnings: [],
  };
}

async function callTool(tools: RunOptions["tools"], call: PendingCall): Promise<CallAnswer> {
  const { callId, tool } = call;
  try {
    const run = tools[tool] as ToolFunction;
    return { callId, result: await run(call.input as never) };
  } catch (error) {
    return { callId, error: readFailure(error) };
  }
}

/** What a program may know of what a tool threw: own data properties, no stack, nothing else. */
export function readFailure(error: unknown): { message: string; code?: string; retryable?: boolean } {
  const message = ownText(error, "message") ?? (typeof error === "string" ? error : "The tool failed.");
  const code = ownText(error, "code");
  let retryable = false;
  try {
    retryable = typeof error === "object" && error !== null && Object.getOwnPropertyDescriptor(error, "retryable")?.value === true;
  } catch {
    retryable = false;
  }
  return { message: message.slice(0, 4_000), retryable, ...(code === undefined ? {} : { code: code.slice(0, 100) }) };
}

function ownText(error: unknown, key: string): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  try {
    const value: unknown = Object.getOwnPropertyDescriptor(error, key)?.value;
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
