import type { ModelClient } from "../../src/models/shared/wire.ts";
import type { ModelOptions } from "../../src/models/shared/options.ts";

/** What a model says, for a stand-in that writes it in its vendor's wire format. */
export interface Reply {
  readonly thinking?: readonly string[];
  readonly text?: readonly string[];
  /** Names as the vendor takes them. */
  readonly calls?: readonly { readonly name: string; readonly input: object }[];
  /** "length" cuts the last call off; "refused" is the vendor's own word for it. @default "finished" */
  readonly stop?: "finished" | "length" | "refused";
}

/** The counts that every stand-in sends. */
export const counts = { input: 1_000, cached: 400, output: 50 };

/** A request as the stand-in understood it, in a form that all vendors share. */
export interface Heard {
  readonly instructions: string;
  readonly turns: readonly HeardTurn[];
  readonly tools: readonly string[];
  readonly maxTokens?: number;
}

export interface HeardTurn {
  readonly role: "user" | "assistant" | "result";
  readonly text?: string;
  readonly images?: readonly string[];
  readonly calls?: readonly { readonly name: string; readonly input: unknown }[];
  readonly failed?: boolean;
}

/** A vendor as its stand-in plays it. */
export interface StandIn {
  readonly name: string;
  open(options: ModelOptions): ModelClient;
  /** What follows the address of the server in `baseUrl`. */
  readonly base: string;
  readonly path: string;
  readonly query?: string;
  readonly contentType: string;
  /** The header that carries the key, and what stands before it. */
  readonly key: readonly [header: string, before: string];
  /** The events of a reply, as bytes on the wire. */
  write(reply: Reply): readonly string[];
  /** After how many events the vendor has told that its reply is complete. */
  endsAfter(events: readonly string[]): number;
  /** An error as an event. @default the vendor has none */
  errorEvent(kind: "overloaded" | "invalid"): string;
  errorBody(message: string): unknown;
  read(body: Readonly<Record<string, unknown>>): Heard;
  /** Any value as an event. */
  event(value: unknown): string;
  /** Whether it tells what was read from its cache, what it thought, and that a result failed. */
  readonly tellsCached: boolean;
  readonly tellsRefusal: boolean;
}

/** A data URL or base64 → base64. */
export function bare(image: string): string {
  return image.replace(/^data:[^,]*,/, "");
}

/** A text in two halves, as pieces of a stream. */
export function halves(text: string): readonly [string, string] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}
