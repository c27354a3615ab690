import type { ContentBlock, ToolResult } from "@toolrack/core";
import { freeWireName, isObject } from "@toolrack/core/internal";
import { providerFor, type ProviderTarget, type ToolCall } from "@toolrack/core/vendors";
import type { AssistantMessage, UserMessage } from "../../message.ts";
import type { ModelRequest } from "../../model.ts";

/** A message as clients write it: what vendors have in common, with the names of tools as this vendor takes them. */
export type WireTurn =
  | { readonly kind: "user"; readonly text: string; readonly images: readonly WireImage[] }
  | {
      readonly kind: "assistant";
      readonly text: string;
      readonly calls: readonly ToolCall[];
      /** The same as the vendor itself sent it: goes back unchanged, in the place of text and calls. */
      readonly raw?: readonly unknown[];
    }
  | { readonly kind: "results"; readonly calls: readonly ToolCall[]; readonly results: readonly ToolResult[] };

export interface WireImage {
  readonly mimeType: string;
  /** In base64. */
  readonly data: string;
}

/**
 * The conversation of a request. Every call is followed by its answer, because vendors insist on one: a call without a result is answered as
 * failed. Messages without any content are left out, because vendors refuse them. `owner` is whose raw items go back.
 */
export function toTurns({ messages, tools }: ModelRequest, target: ProviderTarget, owner?: string): readonly WireTurn[] {
  const { limits } = providerFor(target);
  const exported = new Map(Object.entries(tools?.names ?? {}).map(([wire, own]) => [own, wire]));
  const rename = (call: ToolCall): ToolCall => ({
    ...call,
    wireName: exported.get(call.name) ?? freeWireName(call.name, limits, () => false),
  });
  return messages.flatMap((message, index): readonly WireTurn[] => {
    switch (message.role) {
      case "user":
        return userTurn(message);
      case "summary":
        return [{ kind: "user", text: `Summary of the conversation so far:\n${message.content}`, images: [] }];
      case "assistant": {
        const calls = message.calls.map(rename);
        const raw = message.raw !== undefined && message.raw.vendor === owner ? message.raw.items : undefined;
        if (message.content === "" && calls.length === 0 && raw === undefined) return [];
        const turn: WireTurn = { kind: "assistant", text: message.content, calls, ...(raw !== undefined && { raw }) };
        return calls.length === 0 ? [turn] : [turn, { kind: "results", calls, results: resultsOf(message, messages[index + 1]) }];
      }
      case "tool":
        return [];
    }
  });
}

function resultsOf({ calls }: AssistantMessage, next: ModelRequest["messages"][number] | undefined): readonly ToolResult[] {
  return next?.role === "tool" ? next.results.slice(0, calls.length) : [];
}

function userTurn({ content, blocks = [] }: UserMessage): readonly WireTurn[] {
  const images = blocks.flatMap((block) => imageOf(block) ?? []);
  const words = blocks.filter((block) => imageOf(block) === undefined).map(wordsOf);
  const text = [content, ...words.filter((one) => !content.includes(one))].filter((one) => one !== "").join("\n");
  return text === "" && images.length === 0 ? [] : [{ kind: "user", text, images }];
}

const imageTypes: ReadonlySet<string> = new Set(["image/jpeg", "image/png", "image/gif", "image/webp"]);

/** An image of a type that vendors take: another would fail the whole request. */
function imageOf(block: ContentBlock): WireImage | undefined {
  if (block.type !== "image") return undefined;
  const mimeType = block.mimeType === "image/jpg" ? "image/jpeg" : block.mimeType;
  return imageTypes.has(mimeType) ? { mimeType, data: block.data } : undefined;
}

function wordsOf(block: ContentBlock): string {
  if (block.type === "text") return block.text;
  if (block.type === "json") return JSON.stringify(block.data) ?? "";
  return block.type === "resource_link" ? `[${block.name}](${block.uri})` : `[${block.type} ${block.mimeType}, which cannot be shown]`;
}

/** The arguments of a call for a history. What could not be read when it came is left out: vendors want an object. */
export function argumentsOf({ input, error }: ToolCall): Readonly<Record<string, unknown>> {
  return error === undefined && isObject(input) ? input : {};
}
