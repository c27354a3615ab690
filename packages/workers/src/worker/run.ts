import {
  type Answer,
  type AskRequest,
  type CallContext,
  type HandlerReturn,
  type Logger,
  type ToolDefinition,
  ToolError,
  type ToolResult,
} from "@toolrack/core";
import { fromFault, toFault } from "../protocol/faults.ts";
import type { LogLevel, Question, Task, ToServer, ToWorker } from "../protocol/messages.ts";

/** A call that runs here. */
export interface Run {
  cancel(): void;
  answer(message: Extract<ToWorker, { kind: "answer" }>): void;
  /** Resolves when the handler has ended, and the server was told. Never rejects. */
  readonly ended: Promise<void>;
}

type WithoutCall<Message> = Message extends { readonly call: string } ? Omit<Message, "call"> : never;

export interface RunOptions {
  readonly tool: ToolDefinition;
  readonly task: Task;
  /** Sends to the server of the call; throws if the message is too long. */
  send(message: WithoutCall<ToServer> & { readonly kind: ToServer["kind"] }): void;
}

/** Runs a handler with a context whose every question is answered by the server. */
export function createRun({ tool, task, send }: RunOptions): Run {
  const controller = new AbortController();
  const questions = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const timer = task.timeoutMs === undefined ? undefined : setTimeout(() => cancel("timeout"), task.timeoutMs);

  function cancel(why: "cancelled" | "timeout"): void {
    if (controller.signal.aborted) return;
    controller.abort(why === "timeout" ? new ToolError("TIMEOUT", `Tool "${tool.name}" ran longer than ${task.timeoutMs} ms.`) : undefined);
    for (const { reject } of questions.values()) reject(controller.signal.reason as Error);
    questions.clear();
  }

  let asked = 0;
  function question(about: Question): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (controller.signal.aborted) return reject(controller.signal.reason as Error);
      const number = (asked += 1);
      questions.set(number, { resolve, reject });
      send({ kind: "question", question: number, about });
    });
  }

  const write =
    (level: LogLevel): Logger["info"] =>
    (message, fields) => {
      send({ kind: "log", level, message: String(message), ...(fields !== undefined && { fields }) });
    };
  const context: CallContext = {
    callId: task.callId,
    caller: task.caller,
    signal: controller.signal,
    services: undefined,
    config: task.config,
    ...(task.trace !== undefined && { trace: task.trace }),
    secret: (name) => question({ of: "secret", name }) as Promise<string>,
    call: (name, input) => question({ of: "call", tool: name, input }) as Promise<ToolResult>,
    ask: (request: AskRequest) => question({ of: "ask", request }) as Promise<Answer>,
    progress: (update) => send({ kind: "progress", update }),
    log: { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") },
  };

  async function run(): Promise<void> {
    try {
      const returned = (await tool.handler(task.input as never, context)) as HandlerReturn;
      if (returned instanceof Error) throw returned;
      if (isStream(returned)) {
        for await (const value of returned) {
          controller.signal.throwIfAborted();
          send({ kind: "item", value });
        }
        return send({ kind: "end", streamed: true });
      }
      send({ kind: "end", ...(returned !== undefined && { value: returned }) });
    } catch (error) {
      send({ kind: "end", fault: toFault(error) });
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    cancel: () => cancel("cancelled"),
    answer({ question: number, value, fault }) {
      const waiting = questions.get(number);
      questions.delete(number);
      if (fault === undefined) waiting?.resolve(value);
      else waiting?.reject(fromFault(fault));
    },
    ended: run().catch(() => undefined),
  };
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
