/**
 * The types of one wire format: what its requests take and what its replies are. They are our own, and fit the types of the vendor's SDK as
 * they are, which is why lists are not readonly. The suite in `bench/types` compiles them against the SDKs.
 */
export interface WireShapes {
  /** One tool as the vendor declares it. */
  readonly declaration: unknown;
  /** An item of the tools in a request: the declaration, or what the vendor wants around it. */
  readonly tool: unknown;
  /** A message or item that answers calls. */
  readonly message: unknown;
  /** The fields of a request that steer the choice of tools. */
  readonly choice: object;
  /** A whole reply, or the list of events or chunks of a streamed one. */
  readonly reply: unknown;
  /** What `allowedCallers` may name. */
  readonly caller: string;
  /** The vendor's own tool search, in a list of deferred tools. */
  readonly search: unknown;
  /** What a search of ours found. */
  readonly found: unknown;
  /** Whether the vendor's JavaScript SDK takes camelCase where its API has snake_case. */
  readonly sdkIsCamelCase: boolean;
}

/** What most vendors have in common: no search, and no distinction between callers. */
export interface PlainShapes extends WireShapes {
  readonly caller: string;
  readonly search: never;
  readonly found: never;
  readonly sdkIsCamelCase: false;
}

/** A JSON Schema with an object at its root, as every rule of ours demands. */
export interface ObjectRootSchema {
  type: "object";
  [keyword: string]: unknown;
}

export type ImageType = "image/jpeg" | "image/png" | "image/gif" | "image/webp";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * A member of an enum that an SDK declares with TypeScript's `enum`. No literal type fits one, so that nothing narrower than this does.
 */
// oxlint-disable-next-line typescript/no-explicit-any
export type SdkEnum = any;

/** { tool_call_id: string } → { toolCallId: string }, all the way down. */
export type CamelCased<Value> = Value extends readonly (infer Item)[]
  ? CamelCased<Item>[]
  : Value extends object
    ? { [Key in keyof Value as CamelKey<Key>]: CamelCased<Value[Key]> }
    : Value;

type CamelKey<Key> = Key extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelKey<Tail>>}` : Key;
