import type { ApiAnswers, ApiEvents, ApiOperation, PathParameter } from "@toolrack/server";

/** One Toolrack, on this machine or behind a URL: every command talks to the API, so that both answer the same. */
export interface Connection {
  /** "http://127.0.0.1:7333", or "the local store": for messages. */
  readonly where: string;
  /** Whether this is a running server, and not a store opened by this command. */
  readonly isServer: boolean;
  /** The JSON answer of one operation. Throws CommandError for every problem. */
  ask<Operation extends ApiOperation>(operation: Operation, ...options: AskArguments<Operation>): Promise<ApiAnswers[Operation]>;
  /** The server-sent events of one operation, as they come. */
  follow<Operation extends keyof ApiEvents>(operation: Operation, ...options: AskArguments<Operation>): AsyncIterable<ApiEvents[Operation]>;
  /** The answer of one operation as text, as it comes: for what is no JSON document. */
  read<Operation extends ApiOperation>(operation: Operation, ...options: AskArguments<Operation>): AsyncIterable<string>;
  /** The operations that were answered: "GET /tools". */
  answered(): readonly string[];
  close(): Promise<void>;
}

/** Options can be left out unless the path has parameters. */
export type AskArguments<Operation extends string> = [PathParameter<Operation>] extends [never]
  ? [options?: AskOptions]
  : [options: AskOptions & { readonly params: Readonly<Record<PathParameter<Operation>, string>> }];

export interface AskOptions {
  /** The values of a path's parameters: each is sent as one segment, whatever it contains. */
  readonly params?: Readonly<Record<string, string>>;
  /** Undefined values are left out; each item of a list is sent as a parameter of its own. */
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}
