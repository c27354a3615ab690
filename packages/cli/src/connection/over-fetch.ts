import { CommandError, type ExitReason } from "../errors.ts";
import type { AskOptions, Connection, Method } from "./connection.ts";
import { readEvents } from "./read-events.ts";

export interface FetchConnectionOptions {
  readonly where: string;
  /** "http://127.0.0.1:7333" */
  readonly url: string;
  readonly fetch: (request: Request) => Response | Promise<Response>;
  readonly key?: string;
  readonly close?: () => Promise<void>;
}

/** The API over anything that answers requests: the network, or an app in this process. */
export function overFetch({ where, url, fetch, key, close }: FetchConnectionOptions): Connection {
  async function send(method: Method, path: string, accept: string, { query = {}, body, headers, signal }: AskOptions): Promise<Response> {
    const address = new URL(`${url}/api/v1${path}`);
    for (const [name, value] of Object.entries(query)) {
      for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) address.searchParams.append(name, String(one));
    }
    const request = new Request(address, {
      method,
      headers: {
        accept,
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    let response: Response;
    try {
      response = await fetch(request);
    } catch (error) {
      if (signal?.aborted) throw error;
      const fact = (error as { cause?: Error }).cause?.message ?? (error as Error).message;
      throw new CommandError("unreachable", `${where} cannot be reached: ${fact}. Is it running? Start one with: toolrack serve`);
    }
    if (response.ok) return response;
    throw await toError(response, where);
  }

  return {
    where,
    async ask(method, path, options = {}) {
      const response = await send(method, path, "application/json", options);
      const text = await response.text();
      if (text === "") return undefined;
      return response.headers.get("content-type")?.includes("json") ? (JSON.parse(text) as unknown) : text;
    },
    async *follow(method, path, options = {}) {
      const response = await send(method, path, "text/event-stream", options);
      if (response.body !== null) yield* readEvents(response.body);
    },
    close: close ?? (() => Promise.resolve()),
  };
}

interface ProblemBody {
  readonly detail?: string;
  readonly code?: string;
  readonly issues?: readonly { readonly path: string; readonly message: string }[];
}

async function toError(response: Response, where: string): Promise<CommandError> {
  const text = await response.text();
  let problem: ProblemBody = {};
  try {
    problem = JSON.parse(text) as ProblemBody;
  } catch {
    return new CommandError("unreachable", `${where} answered ${response.status} with something that is no Toolrack. Check the URL.`);
  }
  const issues = (problem.issues ?? []).map(({ message }) => message).filter((message) => !problem.detail?.includes(message));
  const message = [problem.detail ?? `It answered ${response.status}.`, ...issues.map((issue) => `  - ${issue}`)].join("\n");
  return new CommandError(reasonFor(response.status), message, problem);
}

function reasonFor(status: number): ExitReason {
  if (status === 401 || status === 403) return "refused";
  if (status === 404) return "notFound";
  if (status === 400 || status === 422) return "usage";
  return status >= 502 ? "unreachable" : "failed";
}
