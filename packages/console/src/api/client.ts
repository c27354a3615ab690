import type { Issue } from "./types.ts";

/** A problem as the server tells it: `message` is for people, `issues` name the fields. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly issues: readonly Issue[];

  constructor(status: number, body: { readonly detail?: string; readonly code?: string; readonly issues?: ApiError["issues"] }) {
    super(body.detail ?? `The server answered ${status}.`);
    this.status = status;
    this.code = body.code ?? "UNKNOWN";
    this.issues = body.issues ?? [];
  }
}

export interface AskOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

const keyName = "toolrack-key";

/** The API key or the owner's session of this tab; it goes with the tab, and no cookie carries it. */
export const signIn = {
  /** Why the link that the page was opened with did not sign in. */
  problem: undefined as string | undefined,
  get key(): string | null {
    return sessionStorage.getItem(keyName);
  },
  set key(key: string | null) {
    if (key === null) sessionStorage.removeItem(keyName);
    else sessionStorage.setItem(keyName, key);
  },
};

/** "/tools" with a query → the whole address on this server. */
export function addressOf(path: string, query: AskOptions["query"] = {}): string {
  const words = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return `/api/v1${path}${words.length === 0 ? "" : `?${new URLSearchParams(words)}`}`;
}

export function requestOf(method: string, { body, headers, signal }: AskOptions, accept: string): RequestInit {
  const { key } = signIn;
  return {
    method,
    headers: {
      accept,
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  };
}

/** The JSON answer of one operation. Throws ApiError for every problem. */
export async function ask<Answer>(
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  options: AskOptions = {},
): Promise<Answer> {
  const response = await fetch(addressOf(path, options.query), requestOf(method, options, "application/json"));
  const text = await response.text();
  if (!response.ok) throw await toError(response.status, text);
  return (text === "" ? undefined : JSON.parse(text)) as Answer;
}

export async function toError(status: number, text: string): Promise<ApiError> {
  try {
    return new ApiError(status, JSON.parse(text) as { detail?: string });
  } catch {
    return new ApiError(status, {});
  }
}

/** "a/b" → "a%2Fb": any name as one segment of a path. */
export function segment(name: string): string {
  return encodeURIComponent(name);
}

/** The address of a tool's page. One with a dot at its end would be taken for that of a file. */
export function pageOf(tool: string, query = ""): string {
  return `/tools/${segment(tool)}${tool.includes(".") ? "/about" : ""}${query}`;
}
