import { defineTool, type HandlerResult, type ToolDefinition, ToolInputError } from "@toolrack/core";
import type { JsonSchema } from "@toolrack/json-schema";
import { waitForEnd } from "../workspace/command.ts";
import { environmentFor } from "../workspace/environment.ts";
import { showOutput, toContent } from "./_show.ts";
import type { ProcessRecord } from "./_table.ts";
import type { RuntimePack } from "./options.ts";

interface ExecInput {
  readonly argv?: readonly [string, ...string[]];
  readonly command?: string;
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly timeout_ms: number;
  readonly background: boolean;
}

export function createExec(pack: RuntimePack): ToolDefinition {
  const { table, environment, maxOutputChars, maxTimeoutMs } = pack;
  return defineTool({
    name: "exec",
    title: "Run a program",
    description:
      `Runs a program in the workspace and gives its output and exit code. ${pack.shell === undefined ? "argv is the program and its arguments; there is no shell." : "Give argv, the program and its arguments, or command, a line for a shell."} ` +
      "A background program keeps running; use the process tool to read its output, write to its input or stop it." +
      (pack.note === undefined ? "" : ` ${pack.note}`),
    inputSchema: inputSchemaFor(pack),
    outputSchema: {
      type: "object",
      properties: {
        state: { type: "string", enum: ["ended", "running"] },
        exitCode: { type: "integer", description: "Of a program that ended; 0 means success." },
        stdout: { type: "string" },
        stderr: { type: "string" },
        truncated: { type: "boolean", description: "Whether output was left out; process shows it by the handle." },
        handle: { type: "string", description: "For process; given where the program still runs or output was left out." },
      },
      required: ["state", "stdout", "stderr", "truncated"],
    },
    metadata: {
      category: "build",
      optionality: "optional",
      usageHint: "Use for builds, tests and other programs. Check exitCode: a failed program still returns a result.",
      examples: [
        {
          description: "Ask for a version",
          input: { argv: ["node", "--version"] },
          usage: "result.stdout",
        },
        ...(pack.shell === undefined
          ? []
          : [{ description: "Use a pipe", input: { command: "echo one two | wc -w" }, usage: "result.exitCode" }]),
      ],
      paths: ["cwd"],
      aliases: { workdir: "cwd", timeout: "timeout_ms", stdin: "input" },
      annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
      // The program is ended first; this covers any further failure.
      limits: { timeoutMs: maxTimeoutMs + 15_000, maxResultBytes: 1024 * 1024 },
      ...(pack.shell !== undefined && { requiresCapabilities: [`binary:${pack.shell.slice(pack.shell.lastIndexOf("/") + 1)}`] }),
    },
    async handler(input: ExecInput, { caller, signal }): Promise<HandlerResult<ExecOutput>> {
      const { argv, label } = toArgv(input, pack.shell);
      signal.throwIfAborted();
      const record = await table.start(
        {
          program: argv[0],
          args: argv.slice(1),
          label,
          cwd: input.cwd,
          env: environmentFor(environment, input.env),
          takesInput: input.background || input.input !== undefined,
          isBackground: input.background,
        },
        caller,
      );
      if (input.background) return await inBackground(record, input.input);
      try {
        const end = await waitForEnd(record.started, { timeoutMs: input.timeout_ms, signal, input: input.input });
        const result = finished(record, end, input.timeout_ms, maxOutputChars);
        if (!result.truncated) table.forget(record);
        return result;
      } catch (error) {
        table.forget(record);
        throw error;
      }
    },
  });
}

function inputSchemaFor({ shell, timeoutMs, maxTimeoutMs }: RuntimePack): JsonSchema {
  const plain = "^[^\\u0000]*$"; // no argument of a program can hold a NUL
  const argv = {
    type: "array",
    items: { type: "string", pattern: plain, maxLength: 100_000 },
    minItems: 1,
    maxItems: 1_000,
    description: 'The program and its arguments, each by itself: ["git", "log", "-1"].',
  };
  const command = { type: "string", minLength: 1, maxLength: 100_000, pattern: plain, description: "A line for the shell." };
  return {
    type: "object",
    properties: {
      argv,
      ...(shell !== undefined && { command }),
      cwd: { type: "string", minLength: 1, default: ".", description: "The folder to run in, relative to the workspace." },
      env: {
        type: "object",
        additionalProperties: { type: "string", pattern: plain },
        description: "Variables to set, of those that are allowed.",
      },
      input: { type: "string", maxLength: 1_000_000, description: "What the program reads from its standard input." },
      timeout_ms: {
        type: "integer",
        minimum: 1,
        maximum: maxTimeoutMs,
        default: timeoutMs,
        description: "After how many milliseconds it is ended, unless it runs in the background.",
      },
      background: { type: "boolean", default: false, description: "Whether it runs in the background; the call then returns at once." },
    },
    ...(shell === undefined
      ? { required: ["argv"] }
      : { if: { required: ["argv"] }, then: { not: { required: ["command"] } }, else: { required: ["command"] } }),
    additionalProperties: false,
  };
}

function toArgv(
  { argv, command }: ExecInput,
  shell: string | undefined,
): { readonly argv: readonly [string, ...string[]]; readonly label: string } {
  if (argv !== undefined) {
    if (argv[0] === "") throw new ToolInputError("argv[0] is empty. It must name a program.");
    return { argv, label: argv.join(" ").slice(0, 500) };
  }
  return { argv: [shell!, "-c", command!], label: command!.slice(0, 500) };
}

async function inBackground(record: ProcessRecord, input: string | undefined): Promise<HandlerResult<ExecOutput>> {
  if (input !== undefined) await record.started.write(input);
  const { handle, label } = record;
  return {
    ok: true,
    content: `Started in the background: ${label}\nThe handle for process is ${handle}.`,
    data: { state: "running", stdout: "", stderr: "", truncated: false, handle },
    effects: [{ kind: "process", action: "start", target: label }],
  };
}

interface ExecOutput {
  readonly state: "ended" | "running";
  readonly exitCode?: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  readonly handle?: string;
}

type Finished = HandlerResult<ExecOutput> & { readonly truncated: boolean };

function finished(record: ProcessRecord, end: Awaited<ReturnType<typeof waitForEnd>>, timeoutMs: number, maxChars: number): Finished {
  const shown = showOutput(record, maxChars);
  const { stdout, stderr, truncated } = shown;
  if (end.timedOut) {
    const error = `It timed out after ${timeoutMs} ms: ${record.label}. Do less at once, raise timeout_ms, or run it in the background.`;
    return { ok: false, code: "TIMEOUT", retryable: false, error: toContent(error, shorter(record)), truncated };
  }
  if (end.exitCode === null) {
    return { ok: false, error: toContent(`It was ended by ${end.signal}: ${record.label}.`, shorter(record)), truncated };
  }
  const { exitCode } = end;
  return {
    ok: true,
    content: toContent(exitCode === 0 ? "" : `[exit code ${exitCode}]`, shown),
    data: { state: "ended", exitCode, stdout, stderr, truncated, ...(truncated && { handle: record.handle }) },
    effects: [{ kind: "process", action: "run", target: record.label }],
    truncated,
  };
}

/** Failures are short. */
function shorter(record: ProcessRecord): { readonly stdout: string; readonly stderr: string } {
  return showOutput(record, 4_000);
}
