import { isObject } from "@toolrack/core/internal";
import { at, countAt, parseJson, textAt } from "./shared/json.ts";
import type { TokenCount } from "./shared/prices.ts";
import type { ModelWire, WireEnd } from "./shared/wire.ts";

type Block = Record<string, unknown>;

/** What an event of Anthropic's stream adds to what a person sees. */
export function deltasOf(event: unknown): ReturnType<ModelWire["deltas"]> {
  const part = at(event, "type") === "content_block_start" ? at(event, "content_block") : at(event, "delta");
  if (/^text(?:_delta)?$/.test(textAt(part, "type"))) return [{ type: "text", text: textAt(part, "text") }];
  return /^thinking(?:_delta)?$/.test(textAt(part, "type")) ? [{ type: "thinking", text: textAt(part, "thinking") }] : [];
}

/** What the events of a reply say together. */
export function endOf(events: readonly unknown[]): WireEnd {
  const reason = events.map((event) => textAt(event, "delta", "stop_reason")).findLast((word) => word !== "");
  const blocks = blocksOf(events);
  const isSigned = blocks.some(({ type }) => type === "thinking" || type === "redacted_thinking");
  return {
    stop:
      reason === undefined
        ? undefined
        : reason === "refusal"
          ? "refused"
          : /^max_tokens$|context_window/.test(reason)
            ? "length"
            : "finished",
    count: countOf(events),
    ...(isSigned && { raw: blocks }),
  };
}

/** The blocks of the message, put together from their pieces. */
function blocksOf(events: readonly unknown[]): readonly Block[] {
  const blocks = new Map<unknown, { block: Block; input: string }>();
  for (const event of events) {
    const started = at(event, "content_block");
    if (at(event, "type") === "content_block_start" && isObject(started))
      blocks.set(at(event, "index"), { block: { ...started }, input: "" });
    const open = blocks.get(at(event, "index"));
    if (open === undefined || at(event, "type") !== "content_block_delta") continue;
    open.input += textAt(event, "delta", "partial_json");
    for (const name of ["text", "thinking", "signature"])
      if (textAt(event, "delta", name) !== "") open.block[name] = textAt(open.block, name) + textAt(event, "delta", name);
  }
  return [...blocks.values()]
    .map(({ block, input }) => (block["type"] === "tool_use" && input !== "" ? { ...block, input: objectIn(input) } : block))
    .filter(({ type, text }) => type !== "text" || text !== "");
}

/** Arguments that were cut off are not sent back. */
function objectIn(json: string): object {
  const value = parseJson(json);
  return isObject(value) ? value : {};
}

/** The counts grow from event to event. Those of the cache stand beside the others. */
function countOf(events: readonly unknown[]): TokenCount {
  const usages = events.flatMap((event) => [at(event, "message", "usage"), at(event, "usage")]).filter(isObject);
  const newest = (name: string): number => usages.map((usage) => countAt(usage, name)).findLast((count) => count !== undefined) ?? 0;
  const [read, written] = [newest("cache_read_input_tokens"), newest("cache_creation_input_tokens")];
  return {
    inputTokens: newest("input_tokens") + read + written,
    outputTokens: newest("output_tokens"),
    ...(read > 0 && { cachedTokens: read }),
    ...(written > 0 && { cacheWriteTokens: written }),
  };
}
