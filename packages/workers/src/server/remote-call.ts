import { randomBytes } from "node:crypto";
import { type CallContext, type HandlerReturn, ToolError } from "@toolrack/core";
import { createExchange, type Exchange } from "../protocol/exchange.ts";
import { fromFault, toFault } from "../protocol/faults.ts";
import type { LogLevel, Question, QuestionAnswer, Task, ToServer, ToWorker } from "../protocol/messages.ts";
import { createStream, type Stream } from "./stream.ts";

/** How an offer was answered, or that it was not. */
export type OfferOutcome = "accepted" | "full" | "draining" | "definition" | "silent" | "lost";

export interface RemoteCallOptions {
  readonly tool: string;
  readonly hash: string;
  readonly context: CallContext;
  readonly task: Task;
  readonly offerMs: number;
  /** Agrees with the worker on the keys of this call; false where its half is none. */
  agree(call: string, own: Exchange, theirs: unknown): boolean;
  /** Sends to the worker; throws if the message is too long. */
  send(message: ToWorker): void;
  /** Messages of the worker for this call. */
  listen(call: string, listener: (message: ToServer) => void): () => void;
  /** Calls the listener when the worker is lost. */
  onLost(listener: () => void): () => void;
}

export interface RemoteCall {
  /** Asks the worker. Nothing runs yet, whatever the answer. */
  offer(): Promise<OfferOutcome>;
  /** Runs it there. Rejects with `WorkerGone` if the worker is lost before the end. */
  run(): Promise<HandlerReturn>;
  /** Tells the worker that nobody waits any more. */
  drop(): void;
}

/** The worker is gone, and nobody knows how far it came. */
export class WorkerGone extends Error {}

/** One call on one worker: offered, accepted, run, ended. */
export function createRemoteCall(options: RemoteCallOptions): RemoteCall {
  const { tool, hash, context, task, offerMs, agree, send, listen, onLost } = options;
  const call = randomBytes(9).toString("hex");
  /** Our half of the agreement, until the worker has accepted. */
  let exchange: Exchange | undefined;
  let onOffer: ((outcome: OfferOutcome) => void) | undefined;
  let onEnd: ((end: Extract<ToServer, { kind: "end" }> | "lost") => void) | undefined;
  let stream: Stream | undefined;

  const stops = [listen(call, take), onLost(() => (onOffer?.("lost"), onEnd?.("lost")))];
  const stop = (): void => stops.forEach((one) => one());

  function take(message: ToServer): void {
    switch (message.kind) {
      case "accept":
        return accepted(message.exchange);
      case "refuse":
        return onOffer?.(message.why === "draining" || message.why === "definition" ? message.why : "full");
      case "progress":
        return isObject(message.update) ? context.progress(message.update) : undefined;
      case "log":
        if (typeof message.message !== "string") return;
        return context.log[levels.has(message.level) ? message.level : "info"](
          message.message,
          isObject(message.fields) ? message.fields : undefined,
        );
      case "item":
        return stream?.push(message.value);
      case "question":
        return onEnd === undefined ? undefined : void answer(message.question, message.about);
      case "end":
        return onEnd?.(message);
    }
  }

  function accepted(theirs: unknown): void {
    if (exchange === undefined || !agree(call, exchange, theirs)) return;
    exchange = undefined;
    onOffer?.("accepted");
  }

  /** Only what a handler at home could ask for, and only while its call runs. */
  async function answer(question: number, about: Question): Promise<void> {
    let reply: { value?: QuestionAnswer; fault?: ReturnType<typeof toFault> };
    try {
      reply = { value: await ask(about) };
    } catch (error) {
      reply = { fault: toFault(error) };
    }
    if (onEnd === undefined) return;
    try {
      send({ kind: "answer", call, question, ...reply });
    } catch (error) {
      send({ kind: "answer", call, question, fault: toFault(error) });
    }
  }

  async function ask(about: Question): Promise<QuestionAnswer> {
    if (about?.of === "secret") return context.secret(String(about.name));
    if (about?.of === "call") return context.call(String(about.tool), about.input);
    if (about?.of === "ask") return context.ask(about.request);
    throw new ToolError(
      "TOOL_FAILED",
      "The worker asked for something that is not known here. Use the same version of Toolrack on both sides.",
    );
  }

  function drop(): void {
    stop();
    send({ kind: "cancel", call });
  }

  return {
    drop,
    offer() {
      return new Promise<OfferOutcome>((resolve, reject) => {
        const finish = (outcome: OfferOutcome): void => {
          clearTimeout(timer);
          context.signal.removeEventListener("abort", leave);
          onOffer = undefined;
          exchange = undefined;
          if (outcome !== "accepted") stop();
          resolve(outcome);
        };
        const leave = (): void => {
          finish("silent");
          reject(context.signal.reason as Error);
        };
        const timer = setTimeout(() => finish("silent"), offerMs);
        onOffer = finish;
        context.signal.addEventListener("abort", leave, { once: true });
        exchange = createExchange();
        send({ kind: "offer", call, tool, hash, exchange: exchange.publicKey });
      });
    },
    run() {
      return new Promise<HandlerReturn>((resolve, reject) => {
        const finish = (): void => {
          context.signal.removeEventListener("abort", leave);
          onEnd = undefined;
          stop();
        };
        const leave = (): void => {
          finish();
          drop();
          stream?.fail(context.signal.reason as Error);
          reject(context.signal.reason as Error);
        };
        stream = createStream({
          onFirst: () => resolve(stream!.items as HandlerReturn),
          onLeft() {
            if (onEnd === undefined) return; // it has ended
            finish();
            drop();
          },
        });
        onEnd = (end) => {
          finish();
          const error = end === "lost" ? new WorkerGone() : end.fault === undefined ? undefined : fromFault(end.fault);
          if (error !== undefined) {
            stream!.fail(error instanceof WorkerGone ? lost(tool) : error);
            return reject(error);
          }
          const { value, streamed } = end as Extract<ToServer, { kind: "end" }>;
          if (streamed === true) {
            stream!.end();
            return resolve(stream!.items as HandlerReturn);
          }
          resolve(value as HandlerReturn);
        };
        context.signal.addEventListener("abort", leave, { once: true });
        try {
          send({ kind: "run", call, task });
        } catch (error) {
          finish();
          drop();
          reject(error as Error);
        }
      });
    },
  };
}

const levels: ReadonlySet<LogLevel> = new Set<LogLevel>(["debug", "info", "warn", "error"]);

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function lost(tool: string): ToolError {
  return new ToolError(
    "WORKER_LOST",
    `The worker that ran "${tool}" is gone, and nobody knows whether the call had an effect. Look, then call again if it had none.`,
  );
}
