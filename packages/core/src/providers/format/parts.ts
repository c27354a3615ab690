import { isObject, type JsonObject } from "@toolrack/json-schema/internal";
import { type ContentBlock, textOfBlocks, type ToolResult, type ToolSuccess } from "../../tool/result.ts";
import { unshownData } from "../../tool/unshown-data.ts";
import type { WireCall } from "../provider.ts";
import type { ImageType } from "../shapes/shapes.ts";

/**
 * Arguments as vendors send them: JSON text, or an object already. Nothing at all means no arguments, unless the reply was `cut` off:
 * then nothing and broken JSON are arguments that did not arrive.
 */
export function readArguments(given: unknown, cut?: string): Pick<WireCall, "input" | "error"> {
  if (given === undefined || given === null || (typeof given === "string" && given.trim() === ""))
    return cut === undefined ? { input: {} } : incomplete(given, cut);
  if (typeof given !== "string")
    return isObject(given) ? { input: given } : { input: given, error: `The arguments are ${kindOf(given)}, not an object.` };
  try {
    const input: unknown = JSON.parse(given);
    return isObject(input) ? { input } : { input, error: `The arguments are ${kindOf(input)}, not an object.` };
  } catch (error) {
    if (cut !== undefined) return incomplete(given, cut);
    return { input: given, error: `The arguments are not valid JSON: ${(error as Error).message}. Send them again as one JSON object.` };
  }
}

/** Arguments of which a part may be missing, and why. They stay text that no tool accepts, also where the vendor closed the object: { a: 1 } → '{"a":1'. */
export function incomplete(given: unknown, cut: string): Pick<WireCall, "input" | "error"> {
  const input = typeof given === "string" ? given : (JSON.stringify(given ?? undefined) ?? "").slice(0, -1);
  return { input, error: `The arguments are incomplete: ${cut}` };
}

function kindOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "a list" : `a ${typeof value}`;
}

/** A value at a path of own properties: at(reply, "output", "message", "content"). */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string | number, unknown>)[key];
  }
  return found;
}

/** The first of several spellings: SDKs write camelCase where the wire has snake_case. */
export function either(value: unknown, ...keys: readonly string[]): unknown {
  return keys.map((key) => at(value, key)).find((found) => found !== undefined);
}

export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : isObject(value) ? [value] : [];
}

/** The calls that a message has beside its content, as Chat Completions write them: each names its function. */
export function chatCallsIn(message: unknown): readonly JsonObject[] {
  const calls = objectsIn(either(message, "tool_calls", "toolCalls"));
  return calls.some((call) => isObject(call["function"]) || isObject(call["custom"])) ? calls : [];
}

/** Whether a value is a list that is empty, as a stream that has not begun, or has such an item. */
export function isListWith(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && (value.length === 0 || value.some(isItem));
}

export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** The text of a result, for vendors without a flag for errors. */
export function plainText(result: ToolResult): string {
  if (!result.ok) return `Error: ${result.error}`;
  const blocks = blocksOf(result);
  return blocks === result.blocks ? result.content : `${result.content}\n${textOfBlocks(blocks!.slice(-1))}`;
}

/** The blocks of a result, with its details as the last one: no vendor has a field for them. The same list where nothing is missing. */
export function blocksOf(result: ToolSuccess): readonly ContentBlock[] | undefined {
  const details = result.blocks && unshownData(result);
  return details === undefined ? result.blocks : [...result.blocks!, { type: "json", data: details }];
}

export interface ImageBlock {
  readonly data: string;
  readonly mimeType: ImageType;
}

const imageTypes: ReadonlySet<string> = new Set<ImageType>(["image/jpeg", "image/png", "image/gif", "image/webp"]);

/** An image of a type that vendors take; with another type the vendor would refuse the whole request. "image/jpg" is meant as "image/jpeg". */
export function asImage(block: ContentBlock): ImageBlock | undefined {
  if (block.type !== "image") return undefined;
  const mimeType = block.mimeType === "image/jpg" ? "image/jpeg" : block.mimeType;
  return imageTypes.has(mimeType) ? { data: block.data, mimeType: mimeType as ImageType } : undefined;
}

/** The images of a result, and the text beside them, which names what cannot be shown. */
export function splitImages(result: ToolResult): { readonly text: string; readonly images: readonly ImageBlock[] } {
  if (!result.ok || result.blocks === undefined) return { text: plainText(result), images: [] };
  const blocks = blocksOf(result)!;
  const images = blocks.map(asImage).filter((image) => image !== undefined);
  if (images.length === 0) return { text: plainText(result), images };
  return { text: textOfBlocks(blocks.filter((block) => asImage(block) === undefined)), images };
}

export function dataUrl(image: ImageBlock): string {
  return `data:${image.mimeType};base64,${image.data}`;
}

/** { tool_call_id: "1" } → { toolCallId: "1" }, all the way down: for messages whose keys are all the vendor's own. */
export function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased);
  if (!isObject(value)) return value;
  const camel = (key: string): string => key.replace(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [camel(key), camelCased(inner)]));
}

/** Joins the pieces of streamed calls by the index or id that the vendor gives them. */
export interface Fragments {
  add(
    key: unknown,
    piece: { readonly id?: unknown; readonly name?: unknown; readonly arguments?: unknown; readonly whole?: boolean },
  ): void;
  /** The call at this key is complete. */
  end(key: unknown): void;
  /** Given why the stream stopped early, only what was ended may be without arguments. */
  calls(cut?: string): WireCall[];
}

export function createFragments(): Fragments {
  const parts = new Map<unknown, { id: string; name: string; text: string; whole?: unknown; ended?: true }>();
  return {
    add(key, piece) {
      const part = parts.get(key) ?? { id: "", name: "", text: "" };
      if (typeof piece.id === "string" && piece.id !== "") part.id = piece.id;
      if (typeof piece.name === "string" && piece.name !== "") part.name = piece.name;
      if (piece.whole === true || isObject(piece.arguments)) part.whole = piece.arguments;
      else part.text += text(piece.arguments);
      parts.set(key, part);
    },
    end(key) {
      const part = parts.get(key);
      if (part !== undefined) part.ended = true;
    },
    calls: (cut) =>
      [...parts.values()].map((part, index) => ({
        id: part.id || `call_${index}`,
        name: part.name,
        ...readArguments(part.text === "" || part.whole !== undefined ? part.whole : part.text, part.ended ? undefined : cut),
      })),
  };
}
