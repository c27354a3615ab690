import { ToolError } from "@toolrack/core";
import { within } from "@toolrack/core/internal";
import {
  createProcessGuard,
  outputRead,
  ProcessFault,
  processFaultText,
  programVariables,
  type RunningProgram,
  signalGroup,
  startProgram,
  variablesOf,
} from "@toolrack/core/internal/programs";
import { createLineReader, type Line } from "./lines.ts";
import { findAmbiguity } from "../../wire/single-reading.ts";
import type { StdioUpstream } from "../upstream.ts";

/** A child that is spoken to by lines of JSON: the transport that the client takes, with `pid` and `stderr` by which it knows stdio. */
export interface StdioTransport {
  readonly pid: number | null;
  readonly stderr: null;
  start(): Promise<void>;
  send(message: unknown): Promise<void>;
  /** Resolves when nothing of the process group is left. */
  close(): Promise<void>;
  /** What the child wrote on stderr last. */
  stderrTail(): string;
  onmessage?: ((message: never) => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onclose?: (() => void) | undefined;
}

export interface StdioSettings {
  readonly env: Readonly<Record<string, string>>;
  readonly maxMessageBytes: number;
  /** How long a child may take to end by itself before it is made to. */
  readonly exitMs: number;
}

/** One for all servers of this process. */
const guard = createProcessGuard({ endsWhenIdle: true });

export function createStdioTransport(options: StdioUpstream, settings: StdioSettings): StdioTransport {
  let starting: Promise<unknown> = Promise.resolve();
  let running: RunningProgram | undefined;
  let ended: Promise<void> = Promise.resolve();
  let tail = "";

  const transport: StdioTransport = {
    get pid() {
      return running?.pid ?? null;
    },
    stderr: null,
    start,
    send,
    close,
    stderrTail: () => tail,
  };

  function start(): Promise<void> {
    const started = startNow();
    starting = started.catch(() => undefined);
    return started;
  }

  async function startNow(): Promise<void> {
    const started = await startProgram({
      program: options.command,
      args: options.args ?? [],
      cwd: options.cwd,
      env: childEnvironment(options, settings.env),
      stdio: ["pipe", "pipe", "pipe"],
      guard,
    }).catch((error: unknown) => {
      closed();
      throw notStarted(options, error);
    });
    running = started;
    const { child, exited } = started;
    child.stdin!.on("error", (error) => transport.onerror?.(error));
    child.stdout!.on("data", createLineReader(settings.maxMessageBytes, receive));
    child.stderr!.on("data", (chunk: Buffer) => (tail = (tail + chunk.toString("utf8")).slice(-maxTail)));
    ended = exited.then(async () => {
      // Its last lines may not have been read yet; a process that left the group may hold the pipe open for ever.
      await outputRead(started, settings.exitMs);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
      closed();
    });
  }

  function closed(): void {
    const { onclose } = transport;
    transport.onclose = undefined;
    onclose?.();
  }

  function receive(line: Line): void {
    try {
      transport.onmessage?.(readLine(line, settings.maxMessageBytes) as never);
    } catch (error) {
      transport.onerror?.(error as Error);
    }
  }

  function send(message: unknown): Promise<void> {
    const stdin = running?.child.stdin;
    if (stdin === undefined || stdin === null || !stdin.writable) return Promise.reject(new Error("The server's process has ended."));
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** First its input ends, as the protocol says; then it is asked to end; then it is ended. */
  async function close(): Promise<void> {
    await starting;
    if (running === undefined) return;
    const { child, pid } = running;
    child.stdin?.end();
    if ((await within(ended, settings.exitMs)).ok) return;
    signalGroup(pid, "SIGTERM");
    if ((await within(ended, settings.exitMs)).ok) return;
    signalGroup(pid, "SIGKILL");
    await within(ended, 5_000);
  }

  return transport;
}

const maxTail = 2_000;

function childEnvironment(options: StdioUpstream, own: Readonly<Record<string, string>>): Record<string, string> {
  const inherited = variablesOf([...programVariables, ...(options.inheritEnv ?? [])]);
  return { ...inherited, ...(fetchesPackages.test(options.command) && { npm_config_ignore_scripts: "true" }), ...own };
}

/** Packages that these programs download can have install scripts, also packages that are only dependencies. `env` can allow them. */
const fetchesPackages = /(?:^|[\\/])(?:npx|npm|pnpx|pnpm|yarn)(?:\.cmd|\.exe)?$/i;

/** An answer that is too long becomes an error of the call that it belongs to, where its id can be seen. */
function readLine(line: Line, maxBytes: number): unknown {
  if (line.kind === "line") {
    const refusal = findAmbiguity(line.bytes);
    if (refusal !== undefined && refusal.answer === undefined) throw new Error(refusal.message);
    const message: unknown = refusal?.answer ?? JSON.parse(line.bytes.toString("utf8"));
    if (typeof message === "object" && message !== null && (message as { jsonrpc?: unknown }).jsonrpc === "2.0") return message;
    throw new Error("The server sent JSON that is no message.");
  }
  const text = `The server sent a message of ${line.bytes} bytes, and at most ${maxBytes} are read.`;
  const id = /"id"\s*:\s*(\d{1,15})/.exec(line.head) ?? /"id"\s*:\s*(\d{1,15})\s*\}?\s*$/.exec(line.tail);
  if (id === null) throw new Error(text);
  return { jsonrpc: "2.0", id: Number(id[1]), error: { code: tooLarge, message: text } };
}

/** Our own code for an answer that was not read. */
export const tooLarge = -32_090;

function notStarted({ name, cwd }: StdioUpstream, error: unknown): ToolError {
  const text = error instanceof ProcessFault ? processFaultText(error, cwd) : String(error);
  return new ToolError("SOURCE_FAILED", `MCP server "${name}" cannot be started. ${text}`, { cause: error });
}
