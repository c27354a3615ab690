import type { CallContext, HandlerReturn } from "@toolrack/core";
import type { Breadcrumb, JsonObject } from "../../record/breadcrumb.ts";

export type Handler = (input: JsonObject, context: CallContext) => HandlerReturn | Promise<HandlerReturn>;

/**
 * A way in which a stored definition can run. More of them may be added; a definition says by `implementation.kind` which one it means.
 * Contract: `createHandler` throws, with the reason, for a reference that cannot run; it opens nothing before the first call.
 */
export interface ImplementationKind {
  readonly kind: string;
  createHandler(implementation: JsonObject, definition: Breadcrumb): Handler;
  /** Secrets that the reference itself needs, beside those that the definition declares. */
  secrets?(implementation: JsonObject): readonly string[];
  close?(): Promise<void>;
}
