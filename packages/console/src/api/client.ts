import type { ApiAnswers, ApiOperation, Issue, PathParameter, ProblemBody } from "./types.ts";

/** A problem document of the server: `message` is for people, `issues` name the fields. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly issues: readonly Issue[];

  constructor(status: number, body: Partial<Pick<ProblemBody, "detail" | "code" | "issues">>) {
    super(body.detail ?? `The server answered ${status}.`);
    this.status = status;
    this.code = body.code ?? "UNKNOWN";
    this.issues = body.issues ?? [];
  }
}

export interface AskOptions {
  /** The values of a path's parameters: each is sent as one segment, whatever it contains. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Options can be left out unless the path has parameters. */
export type AskArguments<Operation extends string, Options = AskOptions> = [PathParameter<Operation>] extends [never]
  ? [options?: Options]
  : [options: Options & { readonly params: Readonly<Record<PathParameter<Operation>, string>> }];

const keyName = "toolrack-key";

/** The API key or the owner's session of this tab; it is lost when the tab is closed, and never a cookie. */
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

/** "/tools/{name}" with the name "a/b" → "/tools/a%2Fb" */
export function pathOf(path: string, params: AskOptions["params"] = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}

/** "/tools" with a query → the path on this server. */
export function addressOf(path: string, { params, query = {} }: Pick<AskOptions, "params" | "query"> = {}): string {
  const words = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return `/api/v1${pathOf(path, params)}${words.length === 0 ? "" : `?${new URLSearchParams(words)}`}`;
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
export async function ask<Operation extends ApiOperation>(
  operation: Operation,
  ...[options = {}]: AskArguments<Operation>
): Promise<ApiAnswers[Operation]> {
  return request(operation, options);
}

/** The same for an operation that is known by its text alone. */
export async function request<Answer>(operation: string, options: AskOptions): Promise<Answer> {
  const [method = "", path = ""] = operation.split(" ");
  const response = await fetch(addressOf(path, options), requestOf(method, options, "application/json"));
  const text = await response.text();
  if (!response.ok) throw toError(response.status, text);
  return text === "" ? (undefined as Answer) : JSON.parse(text);
}

export function toError(status: number, text: string): ApiError {
  try {
    return new ApiError(status, JSON.parse(text));
  } catch {
    return new ApiError(status, {});
  }
}

/** The address of a tool's page. One with a dot at its end would be taken for that of a file. */
export function pageOf(tool: string, query = ""): string {
  return `/tools/${encodeURIComponent(tool)}${tool.includes(".") ? "/about" : ""}${query}`;
}
