import { createEventReader } from "@toolrack/core/internal/sse";
import { CommandError, type ExitReason } from "../errors.ts";
import type { AskOptions, Connection, Method } from "./connection.ts";
import type { Answered, Send } from "./send.ts";

export interface SendingConnectionOptions {
  readonly where: string;
  readonly isServer: boolean;
  readonly send: Send;
  readonly close?: () => Promise<void>;
}

/** The API over anything that carries requests. */
export function overSending({ where, isServer, send, close }: SendingConnectionOptions): Connection {
  async function exchange(method: Method, path: string, accept: string, options: AskOptions): Promise<Answered> {
    const { query = {}, body, headers, signal } = options;
    const answered = await send({
      method,
      path: `/api/v1${path}`,
      query: toQuery(query),
      headers: { accept, ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    }).catch((error: Error & { readonly cause?: Error }) => {
      if (signal?.aborted) throw error;
      const fact = error.cause?.message ?? error.message;
      throw new CommandError("unreachable", `${where} cannot be reached: ${fact}. Is it running? Start one with: toolrack serve`);
    });
    if (!answered.isToolrack) throw notToolrack(where, answered.status);
    if (answered.status >= 200 && answered.status < 300) return answered;
    throw await toError(answered, where);
  }

  return {
    where,
    isServer,
    async ask(method, path, options = {}) {
      const answered = await exchange(method, path, "application/json", options);
      const text = await answered.text();
      if (text === "") return undefined;
      return answered.contentType.includes("json") ? (JSON.parse(text) as unknown) : text;
    },
    async *follow(method, path, options = {}) {
      const stream = (await exchange(method, path, "text/event-stream", options)).stream();
      const decoder = new TextDecoder();
      const read = createEventReader();
      for await (const chunk of stream ?? []) {
        for (const { event, data } of read(decoder.decode(chunk, { stream: true }))) yield { event, data: JSON.parse(data) as unknown };
      }
    },
    close: close ?? (() => Promise.resolve()),
  };
}

function toQuery(query: NonNullable<AskOptions["query"]>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) parameters.append(name, String(one));
  }
  return parameters.toString();
}

interface ProblemBody {
  readonly detail?: string;
  readonly code?: string;
  readonly issues?: readonly { readonly path: string; readonly message: string }[];
}

async function toError(answered: Answered, where: string): Promise<CommandError> {
  const { status } = answered;
  const text = await answered.text();
  let problem: ProblemBody = {};
  try {
    problem = JSON.parse(text) as ProblemBody;
  } catch {
    return notToolrack(where, status);
  }
  const issues = (problem.issues ?? []).map(({ message }) => message).filter((message) => !problem.detail?.includes(message));
  const message = [problem.detail ?? `It answered ${status}.`, ...issues.map((issue) => `  - ${issue}`)].join("\n");
  return new CommandError(reasonFor(status), message, problem);
}

function notToolrack(where: string, status: number): CommandError {
  return new CommandError("unreachable", `${where} answered ${status}, but it is no Toolrack. Check the URL.`);
}

function reasonFor(status: number): ExitReason {
  if (status === 401 || status === 403) return "refused";
  if (status === 404) return "notFound";
  if (status === 400 || status === 422) return "usage";
  return status >= 502 ? "unreachable" : "failed";
}
