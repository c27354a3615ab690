import type { ProviderTarget } from "@toolrack/core/vendors";
import type { Model, ModelEvent, ModelRequest, StopReason } from "../../model.ts";
import type { StreamFormat } from "./read-stream.ts";
import type { TokenCount } from "./prices.ts";

/** A model behind HTTP: it also takes fields that are the vendor's own. */
export interface ModelClient extends Model {
  stream(request: ClientRequest): AsyncIterable<ModelEvent>;
}

export interface ClientRequest extends ModelRequest {
  /** Further fields of this request's body, as the vendor spells them. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** What differs between vendors. Everything but the request is read from the list of events, so that nothing has to be kept beside it. */
export interface ModelWire {
  readonly target: ProviderTarget;
  /** Whose items `raw` are: "anthropic". @default the vendor has none */
  readonly vendor?: string;
  readonly format: StreamFormat;
  /** Whether `thinking` of a request is part of its body. @default false */
  readonly canThink?: boolean;
  /** What follows the base URL. */
  readonly path: string;
  headers(key: string | undefined): Readonly<Record<string, string>>;
  body(request: ClientRequest): Readonly<Record<string, unknown>>;
  /** What an event adds to what a person sees. */
  deltas(event: unknown): readonly Exclude<ModelEvent, { readonly type: "end" }>[];
  /** Whether nothing of use follows. @default the end of the stream tells */
  isLast?(event: unknown): boolean;
  /** What all events together say; also called for a stream that was cut off. */
  end(events: readonly unknown[]): WireEnd;
}

export interface WireEnd {
  /** Undefined: the vendor has not said that the reply is complete. "finished" stands for "calls", too. */
  readonly stop: Exclude<StopReason, "calls" | "cancelled" | "failed"> | undefined;
  readonly count: TokenCount;
  /** The whole reply in the vendor's form, where it holds what has to go back unchanged. */
  readonly raw?: readonly unknown[];
  /** Why it was refused, in the vendor's words. */
  readonly reason?: string;
}
