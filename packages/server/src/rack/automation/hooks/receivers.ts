import type { Author } from "../../audit/author.ts";
import type { InputMapping } from "../events/mapping.ts";
import type { HookSecret } from "./hook-secrets.ts";

/** Webhooks that this server takes: POST /hooks/<name>. */
export interface Receivers {
  /** By name. */
  list(): readonly ReceiverInfo[];
  get(name: string): ReceiverInfo | undefined;
  /** Throws CONFIG_INVALID for one that cannot be. The secret is shown only now. */
  add(name: string, spec: unknown, by: Author): Promise<ReceiverInfo & { readonly secret: string }>;
  /** A new secret; until `overlapMs` are over, the old one counts as well. */
  rotate(name: string, overlapMs: number, by: Author): Promise<(ReceiverInfo & { readonly secret: string }) | undefined>;
  remove(name: string, by: Author): Promise<boolean>;
  /** Takes a request. Nothing runs unless it is proven who sent it, and that it is new. */
  receive(name: string, request: ReceivedRequest): Promise<Received>;
}

/** Which requests call which tool, and as whom. */
export interface ReceiverSpec {
  readonly tool: string;
  /** From { id, at, headers, body } to the input of the tool. @default the body is the input */
  readonly input?: InputMapping;
  /** The agent that the calls run as. */
  readonly agent: string;
  /** "signature": Standard Webhooks. "key": the secret itself, as `Authorization: Bearer`. @default "signature" */
  readonly verify?: "signature" | "key";
  /** Names of headers that the mapping may read. @default none */
  readonly headers?: readonly string[];
  /** The largest body. @default 262_144 */
  readonly bodyBytes?: number;
  readonly description?: string;
}

export interface ReceiverInfo {
  readonly name: string;
  readonly spec: ReceiverSpec;
  /** Where senders send it. */
  readonly path: string;
  readonly madeBy: string;
  readonly madeAt: number;
  readonly origin: string;
  readonly secrets: readonly HookSecret[];
}

export interface ReceivedRequest {
  /** By lower-case name. */
  header(name: string): string | undefined;
  readonly body: Uint8Array;
}

/** "refused": it is not proven who sent it, or it came before, or there is no such hook. "large": more bytes than it takes. "wrong": the tool does not take what it says. "full": later. */
export type Received =
  | { readonly ok: true; readonly job: string }
  | { readonly ok: false; readonly code: "refused" | "large" | "wrong" | "full"; readonly message: string };
