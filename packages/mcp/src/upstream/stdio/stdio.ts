import { type ChildProcess, spawn } from "node:child_process";
import { ToolError } from "@toolrack/core";
import { createLineReader, type Line } from "./lines.ts";
import { findAmbiguity } from "../../wire/single-reading.ts";
import { killGroup, untrackChild, trackChild } from "./processes.ts";
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

/** No shell reads the command or its arguments, and only the variables that are listed are inherited. */
export function createStdioTransport(options: StdioUpstream, settings: StdioSettings): StdioTransport {
  let child: ChildProcess | undefined;
  let ended: Promise<void> = Promise.resolve();
  let tail = "";

  const transport: StdioTransport = {
    get pid() {
      return child?.pid ?? null;
    },
    stderr: null,
    start,
    send,
    close,
    stderrTail: () => tail,
  };

  function start(): Promise<void> {
    const started = (child = spawn(options.command, [...(options.args ?? [])], {
      shell: false,
      detached: process.platform !== "win32",
      windowsHide: true,
      stdio: ["pipe", "pipe", "pipe"],
      env: childEnvironment(options, settings.env),
      ...(options.cwd !== undefined && { cwd: options.cwd }),
    }));
    trackChild(started);
    started.stdin!.on("error", (error) => transport.onerror?.(error));
    started.stdout!.on("data", createLineReader(settings.maxMessageBytes, receive));
    started.stderr!.on("data", (chunk: Buffer) => (tail = (tail + chunk.toString("utf8")).slice(-maxTail)));
    return new Promise((resolve, reject) => {
      ended = new Promise((end) => {
        const finish = (): void => {
          for (const stream of [started.stdin, started.stdout, started.stderr]) stream?.destroy();
          end();
          const { onclose } = transport;
          transport.onclose = undefined;
          onclose?.();
        };
        started.once("error", (error) => {
          untrackChild(started);
          reject(notStarted(options, error));
          finish();
        });
        started.once("exit", () => {
          killGroup(started, "SIGKILL"); // what the child started, and left
          untrackChild(started);
          // Its last lines may still be on the way; somebody who left the group may hold the pipe open for ever.
          const timer = setTimeout(finish, settings.exitMs);
          started.once("close", () => {
            clearTimeout(timer);
            finish();
          });
        });
      });
      started.once("spawn", resolve);
    });
  }

  function receive(line: Line): void {
    try {
      transport.onmessage?.(readLine(line, settings.maxMessageBytes) as never);
    } catch (error) {
      transport.onerror?.(error as Error);
    }
  }

  function send(message: unknown): Promise<void> {
    const stdin = child?.stdin;
    if (stdin === undefined || stdin === null || !stdin.writable) return Promise.reject(new Error("The server's process has ended."));
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** First its input ends, as the protocol says; then it is asked to end; then it is ended. */
  async function close(): Promise<void> {
    const closing = child;
    if (closing === undefined) return;
    closing.stdin?.end();
    if (await within(ended, settings.exitMs)) return;
    killGroup(closing, "SIGTERM");
    if (await within(ended, settings.exitMs)) return;
    killGroup(closing, "SIGKILL");
    await within(ended, 5_000);
  }

  return transport;
}

const maxTail = 2_000;

/** What a program needs to run at all; everything else may be a secret of ours. */
const inherited = ["PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "TZ", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "APPDATA", "PATHEXT"];

function childEnvironment(options: StdioUpstream, own: Readonly<Record<string, string>>): Record<string, string> {
  const environment: [string, string][] = [];
  for (const name of [...inherited, ...(options.inheritEnv ?? [])]) {
    const value = process.env[name];
    if (value !== undefined) environment.push([name, value]);
  }
  if (fetchesPackages.test(options.command)) environment.push(["npm_config_ignore_scripts", "true"]);
  return Object.fromEntries([...environment, ...Object.entries(own)]);
}

/** What these fetch may bring scripts that run when it is installed, of packages that nobody named. `env` can allow them. */
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

function notStarted({ name, command }: StdioUpstream, error: Error): ToolError {
  return new ToolError(
    "SOURCE_FAILED",
    `MCP server "${name}" cannot be started: ${error.message}. Check the command ${JSON.stringify(command)} and the working directory.`,
    { cause: error },
  );
}

async function within(ended: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), ms)));
  const inTime = await Promise.race([ended.then(() => true as const), late]);
  clearTimeout(timer);
  return inTime;
}
