import { defineTool, type HandlerResult, type ToolDefinition } from "@toolrack/core";
import type { ProcessSignal } from "../operations/processes.ts";
import { actionSchema } from "../workspace/actions.ts";
import { waitUpTo } from "../workspace/wait.ts";
import { showOutput, toContent } from "./_show.ts";
import type { ProcessRecord } from "./_table.ts";
import type { RuntimePack } from "./options.ts";

interface ProcessInput {
  readonly action: "list" | "poll" | "log" | "write" | "kill";
  readonly handle: string;
  readonly wait_ms?: number;
  readonly stream?: "stdout" | "stderr";
  readonly offset?: number;
  readonly limit?: number;
  readonly text?: string;
  readonly end?: boolean;
  readonly signal?: ProcessSignal;
}

export function createProcess({ table, maxOutputChars }: RuntimePack): ToolDefinition {
  return defineTool({
    name: "process",
    title: "Background programs",
    description:
      "Manages programs that exec started: list them, poll one for new output and its state, read its log, write to it, kill it with everything it started.",
    inputSchema: actionSchema({
      description: "What to do.",
      actions: {
        list: {},
        poll: { needs: ["handle"], takes: ["wait_ms"] },
        log: { needs: ["handle"], takes: ["stream", "offset", "limit"] },
        write: { needs: ["handle", "text"], takes: ["end"] },
        kill: { needs: ["handle"], takes: ["signal"] },
      },
      properties: {
        handle: { type: "string", minLength: 1, description: "The program, by the handle that exec gave." },
        wait_ms: { type: "integer", minimum: 0, maximum: 30_000, description: "poll: how long to wait for something new. By default 0." },
        stream: { type: "string", enum: ["stdout", "stderr"], description: "log: which output. By default stdout." },
        offset: { type: "integer", minimum: 0, description: "log: the first character. By default the end of the log is shown." },
        limit: { type: "integer", minimum: 1, maximum: 100_000, description: "log: how many characters. By default 10,000." },
        text: {
          type: "string",
          maxLength: 1_000_000,
          description: "write: text for the standard input of the program, with a newline at the end of each line.",
        },
        end: { type: "boolean", description: "write: whether the input ends with it." },
        signal: {
          type: "string",
          enum: ["SIGTERM", "SIGINT", "SIGHUP", "SIGKILL"],
          description: "kill: only send this signal. By default it is ended for sure.",
        },
      },
    }),
    outputSchema: {
      type: "object",
      properties: {
        processes: {
          type: "array",
          items: {
            type: "object",
            properties: {
              handle: { type: "string" },
              command: { type: "string" },
              state: { type: "string" },
              exitCode: { type: "integer" },
            },
            required: ["handle", "command", "state"],
          },
        },
        handle: { type: "string" },
        state: { type: "string", enum: ["running", "ended"] },
        exitCode: { type: "integer" },
        signal: { type: "string", description: "What ended it, where a signal did." },
        stdout: { type: "string", description: "poll: what is new." },
        stderr: { type: "string", description: "poll: what is new." },
        text: { type: "string", description: "log: the characters asked for." },
        offset: { type: "integer", description: "log: the offset of the first returned character." },
        total: { type: "integer", description: "log: how many there have been." },
      },
    },
    metadata: {
      category: "build",
      optionality: "optional",
      usageHint: "Use after exec with background, or when exec says that output was left out. Poll with wait_ms instead of polling often.",
      examples: [{ description: "See what runs", input: { action: "list" }, usage: "result.processes" }],
      paths: [],
      aliases: { id: "handle", session_id: "handle", type: "action" },
      annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
      limits: { timeoutMs: 60_000, maxResultBytes: 1024 * 1024 },
    },
    handler(input: ProcessInput, { caller, signal }): HandlerResult<ProcessOutput> | Promise<HandlerResult<ProcessOutput>> {
      if (input.action === "list") return list(table.list(caller));
      const record = table.get(input.handle, caller);
      switch (input.action) {
        case "poll":
          return poll(record, input.wait_ms ?? 0, signal, maxOutputChars);
        case "log":
          return log(record, input);
        case "write":
          return write(record, input, signal);
        case "kill":
          return kill(record, input.signal);
      }
    },
  });
}

interface ProcessOutput {
  readonly processes?: readonly ({ readonly handle: string; readonly command: string } & ProcessState)[];
  readonly handle?: string;
  readonly state?: "running" | "ended";
  readonly exitCode?: number;
  readonly signal?: string;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly text?: string;
  readonly offset?: number;
  readonly total?: number;
}

interface ProcessState {
  readonly state: "running" | "ended";
  readonly exitCode?: number;
  readonly signal?: string;
}

function list(records: readonly ProcessRecord[]): HandlerResult<ProcessOutput> {
  const processes = records.map((record) => ({ handle: record.handle, command: record.label, ...stateOf(record) }));
  const lines = processes.map(({ handle, command, state }) => `${handle}  ${state}  ${command}`);
  return { ok: true, content: lines.join("\n") || "No programs.", data: { processes } };
}

function stateOf({ end }: ProcessRecord): ProcessState {
  if (end === undefined) return { state: "running" };
  return { state: "ended", ...(end.exitCode !== null && { exitCode: end.exitCode }), ...(end.signal !== null && { signal: end.signal }) };
}

function describe(record: ProcessRecord): string {
  const { state, exitCode, signal } = stateOf(record);
  return `[${state}${exitCode === undefined ? "" : `, exit code ${exitCode}`}${signal === undefined ? "" : `, by ${signal}`}]`;
}

async function poll(record: ProcessRecord, waitMs: number, signal: AbortSignal, maxChars: number): Promise<HandlerResult<ProcessOutput>> {
  const hasNews = (): boolean =>
    record.end !== undefined || record.stdout.length > record.polled.stdout || record.stderr.length > record.polled.stderr;
  if (waitMs > 0 && !hasNews()) await waitUpTo(record.change(), waitMs, signal);
  signal.throwIfAborted();
  const news = { stdout: takeNews(record, "stdout", maxChars), stderr: takeNews(record, "stderr", maxChars) };
  return { ok: true, content: toContent(describe(record), news), data: { handle: record.handle, ...stateOf(record), ...news } };
}

function takeNews(record: ProcessRecord, stream: "stdout" | "stderr", maxChars: number): string {
  const [from, to] = [record.polled[stream], record[stream].length];
  record.polled[stream] = to;
  const start = Math.max(from, to - maxChars);
  const text = record[stream].slice(start, to);
  return start === from ? text : `[… ${start - from} characters left out; action log, offset ${from} shows them …]\n${text}`;
}

function log(record: ProcessRecord, { stream = "stdout", offset, limit = 10_000 }: ProcessInput): HandlerResult<ProcessOutput> {
  const { length: total, start } = record[stream];
  const from = Math.max(start, offset ?? total - limit);
  const text = record[stream].slice(from, from + limit);
  const next = from + text.length;
  const notes = [
    offset !== undefined && offset < start ? `[The first ${start} characters are no longer stored.]\n` : "",
    next < total ? `\n[Characters ${from} to ${next} of ${total}. Go on with offset ${next}.]` : "",
  ];
  return { ok: true, content: notes[0] + text + notes[1], data: { handle: record.handle, ...stateOf(record), text, offset: from, total } };
}

async function write(
  record: ProcessRecord,
  { text = "", end = false }: ProcessInput,
  signal: AbortSignal,
): Promise<HandlerResult<ProcessOutput>> {
  if (record.end !== undefined)
    return { ok: false, code: "INPUT_INVALID", error: `The program has ended ${describe(record)}; nothing was written.` };
  const written = record.started.write(text).then(() => true);
  const isWritten = await waitUpTo(written, maxWriteMs, signal);
  signal.throwIfAborted();
  if (!isWritten)
    return {
      ok: false,
      code: "TIMEOUT",
      error: `The program did not read its input within ${maxWriteMs} ms. The input is delivered when it reads.`,
    };
  if (end) record.started.endInput();
  return {
    ok: true,
    content: `Wrote ${text.length} characters${end ? " and ended the input" : ""}.`,
    data: { handle: record.handle, ...stateOf(record) },
  };
}

const maxWriteMs = 10_000;

async function kill(record: ProcessRecord, signal: ProcessSignal | undefined): Promise<HandlerResult<ProcessOutput>> {
  if (record.end === undefined) {
    if (signal === undefined) await record.started.stop();
    else record.started.signal(signal);
  }
  const shown = signal === undefined ? showOutput(record, 2_000) : { stdout: "", stderr: "" };
  return {
    ok: true,
    content: toContent(signal === undefined ? describe(record) : `Sent ${signal}.`, shown),
    data: { handle: record.handle, ...stateOf(record) },
    effects: [{ kind: "process", action: "kill", target: record.label }],
  };
}
