import type { CallContext, InvokeOptions } from "@toolrack/core";
import type { RunContent } from "./run-record.ts";

/** How the call was made that runs a program. */
export type CallFacts = Pick<RunContent, "tool" | "input" | "definition" | "parent" | "labels">;

/** What the context of a running call has besides: how it was called. */
interface RunningContext {
  readonly tool: { readonly name: string };
  readonly input: unknown;
  readonly shownInput: unknown;
  readonly options: Pick<InvokeOptions, "parent" | "labels">;
}

export function callFactsOf(context: CallContext): CallFacts {
  const { tool, input, shownInput, options } = context as CallContext & Partial<RunningContext>;
  const parent = options?.parent && { callId: options.parent.callId, depth: options.parent.depth };
  const labels = options?.labels;
  return { tool: tool?.name ?? "", input: shownInput ?? input ?? {}, ...(parent && { parent }), ...(labels && { labels }) };
}

/** Of all that is stored of a program, how it was called. */
export function callFactsIn({ tool, input, definition, parent, labels }: CallFacts): CallFacts {
  return { tool, input, ...(definition !== undefined && { definition }), ...(parent && { parent }), ...(labels && { labels }) };
}

/** The calls that led to a call, nearest first. */
export function callIdsAbove(context: CallContext): readonly string[] {
  const above: string[] = [];
  for (let at = (context as InnerCall).options?.parent; at !== undefined; at = at.options?.parent) above.push(at.callId!);
  return above;
}

interface InnerCall {
  readonly callId?: string;
  readonly options?: { readonly parent?: InnerCall };
}
