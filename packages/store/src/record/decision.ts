import type { Breadcrumb, JsonObject, RecordedDecision } from "./breadcrumb.ts";
import { checksumOf } from "./json.ts";

/**
 * The hash of everything that a tool is made of: the title and the whole context. Fields that only state its lifecycle are left out
 * (`state`, `review`, `deprecated`); tags, visibility and grants are not part of the tool.
 */
export function definitionHash({ title, context }: { readonly title?: string; readonly context: JsonObject }): string {
  const { state: _state, review: _review, deprecated: _deprecated, ...content } = context;
  return checksumOf({ title: title ?? "", content });
}

/** The decision about a definition, while its content is the one that was decided about. */
export function decisionOn(record: Pick<Breadcrumb, "title" | "context" | "decision">): RecordedDecision | undefined {
  const { decision } = record;
  return decision !== undefined && decision.hash === definitionHash(record) ? decision : undefined;
}
