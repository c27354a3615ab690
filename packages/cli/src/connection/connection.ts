/** One Toolrack, on this machine or behind a URL: every command talks to the API, so that both answer the same. */
export interface Connection {
  /** "http://127.0.0.1:7333", or the store that was opened: for sentences. */
  readonly where: string;
  /** Whether this is a server that runs, and not a store opened by this command. */
  readonly isServer: boolean;
  /** The JSON answer of one operation. Throws CommandError for every problem. */
  ask(method: Method, path: string, options?: AskOptions): Promise<unknown>;
  /** The server-sent events of one operation, as they come. */
  follow(method: Method, path: string, options?: AskOptions): AsyncIterable<{ readonly event: string; readonly data: unknown }>;
  close(): Promise<void>;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface AskOptions {
  /** Undefined values are left out; lists come several times. */
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** "/tools/{name}" with a name that holds anything → a path with that name as one segment. */
export function path(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return parts.reduce((done, part, index) => done + encodeURIComponent(values[index - 1] ?? "") + part);
}
