import type { InferSchema, JsonSchema } from "@toolrack/json-schema";
import type { Rack } from "../rack/rack.ts";
import type { Identity, ServerRole } from "./sign-in/identity.ts";
import type { ServerParts } from "./request/server-parts.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * One operation of the API: input, roles, answers and handler. The HTTP app, the OpenAPI document and the clients are all generated from
 * the list of routes.
 */
export interface Route<Verb extends Method = Method, Path extends string = string, Answer = unknown> {
  readonly method: Verb;
  /** Below /api/v1, parameters in braces as OpenAPI writes them: "/tools/{name}". */
  readonly path: Path;
  /** Whether the path begins at the root of the server instead: "/metrics". @default false */
  readonly atRoot?: boolean;
  /** The name of the operation in generated clients: "listTools". */
  readonly id: string;
  readonly summary: string;
  /** The tag in the OpenAPI document: "tools". */
  readonly group: string;
  /** The roles, of which one is needed; "anyone" needs sign-in only, "public" not even that. @default "anyone" */
  readonly needs?: "public" | "anyone" | readonly ServerRole[];
  /** Each an object schema; unknown query keys are refused. Query and path values arrive as text and are read as the schema's types. */
  readonly params?: JsonSchema;
  readonly query?: JsonSchema;
  readonly body?: JsonSchema;
  /**
   * The body is handed over as the bytes that were sent, at most so many, of any type: for what has a signature over them. Not with `body`.
   * @default the body is JSON, checked against `body`
   */
  readonly rawBodyBytes?: number;
  /** The answers, by status. */
  readonly answers: Answers<Answer>;
  /**
   * It may take tens of milliseconds: one such request runs per turn of the event loop, and few of one caller may wait.
   * @default false
   */
  readonly isHeavy?: boolean;
  /** Balancers and supervisors ask for it all the time: it opens no span. @default false */
  readonly isProbe?: boolean;
  /** Sent compressed to clients that take it. Only for lists that hold no secret and no inputs or results of calls. @default false */
  readonly isCompressed?: boolean;
  /** May be asked for as server-sent events. */
  readonly streams?: boolean;
  /**
   * The route handles Idempotency-Key itself, or ignores it: an answer with a secret must not be stored.
   * @default false: the server stores the first answer and returns it again
   */
  readonly keepsIdempotency?: boolean;
  run(request: RouteRequest): RouteAnswer | Promise<RouteAnswer>;
}

/** The routes of one subject: a map from "GET /tools/{name}" to the type of the answer gives the type of their list. */
export type RoutesOf<AnswerTypes> = readonly {
  [Operation in keyof AnswerTypes]: Operation extends `${infer Verb extends Method} ${infer Path}`
    ? Route<Verb, Path, AnswerTypes[Operation]>
    : never;
}[keyof AnswerTypes][];

/** By status. */
export type Answers<Answer = unknown> = Readonly<Record<number, AnswerShape<Answer>>>;

export interface AnswerShape<Answer = unknown> {
  readonly description: string;
  /** The schema of the JSON body; absent if there is none. */
  readonly schema?: SchemaOf<Answer>;
  /** Another type of content than JSON. */
  readonly contentType?: string;
  /** Further types of content, which a request may ask for, and which are streamed as text. */
  readonly streamedAs?: readonly string[];
}

declare const valueType: unique symbol;

/** The JSON schema of a value whose type only the compiler knows: a route's schema, handler and clients cannot differ. */
export type SchemaOf<Value> = JsonSchema & { readonly [valueType]?: Value };

/** A request that was signed in, limited and validated. */
export interface RouteRequest<Params = unknown, Query = unknown, Body = unknown> {
  readonly rack: Rack;
  readonly server: ServerParts;
  readonly identity: Identity;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** This server as its clients address it: `server.publicUrl`, else the host of the request. */
  readonly origin: string;
  /** By lower-case name. */
  header(name: string): string | undefined;
  /** The client asked for server-sent events. */
  readonly wantsEvents: boolean;
  /** Aborted when the client disconnects or the server closes. */
  readonly signal: AbortSignal;
  /** The same as the signal, but cheaper: for the most frequent routes. */
  onGone(listener: (reason: Error) => void): void;
  /** From the traceparent header; passed to calls. */
  readonly trace: unknown;
}

export type RouteAnswer<Answer = unknown> =
  | { readonly status?: number; readonly body?: Answer; readonly headers?: Readonly<Record<string, string>> }
  | { readonly status?: number; readonly text: string; readonly contentType: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly pieces: AsyncIterable<string>; readonly contentType: string; readonly headers?: Readonly<Record<string, string>> }
  | { readonly events: AsyncIterable<StreamEvent> };

/** One server-sent event. Without an id, it is not replayed when a stream resumes. */
export interface StreamEvent {
  readonly id?: string;
  readonly event: string;
  readonly data: unknown;
}

interface TypedRoute<Verb extends Method, Path extends string, Params, Query, Body, Answer> extends Omit<
  Route<Verb, Path, Answer>,
  "params" | "query" | "body" | "run"
> {
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  run(
    request: RouteRequest<InferSchema<Params>, InferSchema<Query>, InferSchema<Body>>,
  ): RouteAnswer<NoInfer<Answer>> | Promise<RouteAnswer<NoInfer<Answer>>>;
}

/** Types the handler of a route by its schemas, and checks what it returns against the type of its answers. */
export function defineRoute<
  Verb extends Method,
  Path extends string,
  const Params extends JsonSchema = JsonSchema,
  const Query extends JsonSchema = JsonSchema,
  const Body extends JsonSchema = JsonSchema,
  Answer = unknown,
>(route: TypedRoute<Verb, Path, Params, Query, Body, Answer>): Route<Verb, Path, Answer> {
  return Object.freeze(route) as Route<Verb, Path, Answer>;
}
