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
  /** Loads what `createHandler` needs, such as a parser. Called before the first definition of this kind is read; may be called again. */
  load?(): Promise<void>;
  /** Why a definition that could run should not be approved as things are: it names a tool that does not exist. `sees` says which tools exist for whoever asks. */
  problemOf?(implementation: JsonObject, definition: Breadcrumb, sees?: (tool: string) => boolean): string | undefined;
  /** Secrets that the reference itself needs, beside those that the definition declares. */
  secrets?(implementation: JsonObject): readonly string[];
  close?(): Promise<void>;
}
