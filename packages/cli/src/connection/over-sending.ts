import { isObject, withFetchCause } from "@toolrack/core/internal";
import { createEventReader } from "@toolrack/core/internal/sse";
import type { ApiEvents, ProblemBody } from "@toolrack/server";
import { CommandError, type ExitReason } from "../errors.ts";
import type { AskOptions, Connection } from "./connection.ts";
import type { Answered, Send } from "./send.ts";

export interface SendingConnectionOptions {
  readonly where: string;
  readonly isServer: boolean;
  readonly send: Send;
  readonly close?: () => Promise<void>;
}

/** The API over anything that carries requests. */
export function overSending({ where, isServer, send, close }: SendingConnectionOptions): Connection {
  const answeredOnes = new Set<string>();

  async function exchange(operation: string, accept: string, options: AskOptions): Promise<Answered> {
    const { params = {}, query = {}, body, headers, signal } = options;
    const [method = "", path = ""] = operation.split(" ");
    const answered = await send({
      method,
      path: `/api/v1${fillIn(path, params)}`,
      query: toQuery(query),
      headers: { accept, ...(body !== undefined && { "content-type": "application/json" }), ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      signal,
    }).catch((error: Error) => {
      if (signal?.aborted) throw error;
      const fact = withFetchCause(error.message, error);
      throw new CommandError("unreachable", `${where} cannot be reached: ${fact}. Is it running? Start a server with: toolrack serve`);
    });
    if ([301, 302, 303, 307, 308].includes(answered.status)) throw redirected(where, answered.header("location"));
    if (!answered.isToolrack) throw notToolrack(where, answered.status);
    answeredOnes.add(operation);
    if (answered.status >= 200 && answered.status < 300) return answered;
    throw await toError(answered, where);
  }

  return {
    where,
    isServer,
    async ask(operation, options = {}) {
      const answered = await exchange(operation, "application/json", options);
      const text = await answered.text().catch((error: Error) => Promise.reject(brokenOff(where, error, options.signal)));
      return answered.status === 204 ? undefined : readAnswer(text, where, answered.status);
    },
    async *follow(operation, options = {}) {
      const stream = (await exchange(operation, "text/event-stream", options)).stream();
      const decoder = new TextDecoder();
      const read = createEventReader();
      for await (const chunk of whole(stream, where, options.signal)) {
        for (const { event, data } of read(decoder.decode(chunk, { stream: true }))) {
          const value = JSON.parse(data) as unknown;
          // The server ended the stream, and says why: a key was revoked, or it shuts down.
          if (event === "error" && isObject(value)) throw problemError(value);
          // What a server of this version sends, as its types say; the same holds for the JSON above.
          yield { event, data: value } as ApiEvents[typeof operation];
        }
      }
    },
    async *read(operation, options = {}) {
      const stream = (await exchange(operation, "*/*", options)).stream();
      const decoder = new TextDecoder();
      for await (const chunk of whole(stream, where, options.signal)) yield decoder.decode(chunk, { stream: true });
    },
    answered: () => [...answeredOnes],
    close: close ?? (() => Promise.resolve()),
  };
}

/** "/tools/{name}" with a name that contains anything → a path with that name as one segment. */
function fillIn(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}

function toQuery(query: NonNullable<AskOptions["query"]>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) parameters.append(name, String(one));
  }
  return parameters.toString();
}

async function toError(answered: Answered, where: string): Promise<CommandError> {
  const { status } = answered;
  const text = await answered.text();
  let problem: Partial<ProblemBody>;
  try {
    problem = JSON.parse(text);
  } catch {
    return notToolrack(where, status);
  }
  return isObject(problem) ? problemError(problem, status) : notToolrack(where, status);
}

function problemError(problem: Partial<ProblemBody>, status = problem.status ?? 500): CommandError {
  const { detail: told, issues: all = [] } = problem;
  const detail = typeof told === "string" ? told : `It answered ${status}.`;
  const issues = all.map(({ message }) => message).filter((message) => !detail.includes(message));
  const message = [detail, ...issues.map((issue) => `  - ${issue}`)].join("\n");
  return new CommandError(reasonFor(status), message, problem);
}

/** Typed by who asks: what a server of this version sends, which is always an object that has something in it. */
function readAnswer(text: string, where: string, status: number): any {
  let answer: unknown;
  try {
    answer = text === "" ? undefined : JSON.parse(text);
  } catch {
    throw new CommandError(
      "unreachable",
      `${where} answered ${status} with something that is not JSON. Check the URL, and what is in between.`,
    );
  }
  if (answer !== undefined && !isObject(answer)) throw new TypeError("it is no object");
  if (answer === undefined || Object.keys(answer).length === 0) throw new TypeError("it is empty");
  return answer;
}

/** The pieces of a stream; one that breaks off is told as that, and not as an answer that cannot be read. */
async function* whole(
  stream: AsyncIterable<Uint8Array> | undefined,
  where: string,
  signal: AbortSignal | undefined,
): AsyncIterable<Uint8Array> {
  try {
    yield* stream ?? [];
  } catch (error) {
    throw brokenOff(where, error as Error, signal);
  }
}

/** The server was there, and ended or was ended while it answered. */
function brokenOff(where: string, error: Error, signal: AbortSignal | undefined): Error {
  if (signal?.aborted) return error;
  return new CommandError(
    "unreachable",
    `The connection to ${where} broke while it answered: ${withFetchCause(error.message, error)}. Check that the server still runs: toolrack status. What it was asked may have been done; calls are listed with: toolrack calls`,
  );
}

function redirected(where: string, location = ""): CommandError {
  const place = URL.canParse(location, where) ? new URL(location, where).origin : "null";
  const [target, next] =
    place === "null" ? ["another address", "Check the URL."] : [place, `If that is the server, name it: --url ${place}`];
  return new CommandError("unreachable", `${where} redirects to ${target}, and redirects are not followed. ${next}`);
}

function notToolrack(where: string, status: number): CommandError {
  return new CommandError("unreachable", `${where} answered ${status}, but it is not a Toolrack server. Check the URL.`);
}

function reasonFor(status: number): ExitReason {
  if (status === 401 || status === 403) return "refused";
  if (status === 404) return "notFound";
  if (status === 400 || status === 422) return "usage";
  return status >= 502 ? "unreachable" : "failed";
}
