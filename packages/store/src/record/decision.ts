import { canonicalJson } from "@toolrack/core/internal";
import type { Breadcrumb, JsonObject, RecordedDecision } from "./breadcrumb.ts";
import { contextText, isSettled } from "./context-text.ts";
import { hashText } from "./json.ts";

/**
 * The hash of everything that a tool is made of: the title and the whole context. Fields that only state its lifecycle are left out
 * (`state`, `review`, `deprecated`); tags, visibility and grants are not part of the tool.
 */
export function definitionHash({ title = "", context }: { readonly title?: string; readonly context: JsonObject }): string {
  if (!isSettled(context)) return hashOf(title, context);
  const known = hashes.get(context);
  if (known?.title === title) return known.hash;
  const hash = hashOf(title, context);
  hashes.set(context, { title, hash });
  return hash;
}

/** Of contexts that nobody can change any more: what is written is decided about and listed by the same hash. */
const hashes = new WeakMap<JsonObject, { readonly title: string; readonly hash: string }>();

function hashOf(title: string, context: JsonObject): string {
  const text = lifecycleFields.some((field) => Object.hasOwn(context, field))
    ? canonicalJson(withoutLifecycle(context))
    : contextText(context);
  return hashText(`{"content":${text},"title":${JSON.stringify(title)}}`);
}

const lifecycleFields = ["state", "review", "deprecated"] as const;

function withoutLifecycle({ state: _state, review: _review, deprecated: _deprecated, ...content }: JsonObject): JsonObject {
  return content;
}

/** The decision about a definition, while its content is the one that was decided about. */
export function decisionOn(record: Pick<Breadcrumb, "title" | "context" | "decision">): RecordedDecision | undefined {
  const { decision } = record;
  return decision !== undefined && decision.hash === definitionHash(record) ? decision : undefined;
}
