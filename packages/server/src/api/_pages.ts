import { setImmediate as nextTurn } from "node:timers/promises";
import type { JsonSchema } from "@toolrack/json-schema";

/** The approximate size of a page; a larger item is a page of its own. */
export const pageBytes = 1_048_576;

export interface SliceOptions<Item> {
  /** How many items the page may have. */
  readonly limit: number;
  /** How many items are read at once. @default 25 */
  readonly atOnce?: number;
  /** The items that follow `last`, or the first ones. */
  read(last: Item | undefined, count: number): Promise<readonly Item[]>;
}

export interface Slices<Item> {
  readonly items: readonly Item[];
  /** More may follow the last item. */
  readonly hasMore: boolean;
}

/** Reads a page a few items at a time, until it has enough items, enough bytes, or all there are. */
export async function readSlices<Item>({ limit, atOnce = 25, read }: SliceOptions<Item>): Promise<Slices<Item>> {
  const items: Item[] = [];
  let bytes = 0;
  while (items.length < limit) {
    const wanted = Math.min(atOnce, limit - items.length);
    const slice = await read(items.at(-1), wanted);
    for (const item of slice) {
      bytes += JSON.stringify(item).length;
      if (bytes > pageBytes && items.length > 0) return { items, hasMore: true };
      items.push(item);
    }
    if (slice.length < wanted) return { items, hasMore: false };
    await nextTurn(); // others are answered between two slices
  }
  return { items, hasMore: true };
}

/** The query parameters for lists in memory. */
export const pageQuery: { readonly limit: JsonSchema; readonly offset: JsonSchema } = {
  limit: { type: "integer", minimum: 1, maximum: 1_000, default: 1_000 },
  offset: { type: "integer", minimum: 0, default: 0, description: "How many items to skip; see `next`." },
};

export const nextOffset: JsonSchema = { type: "integer", description: "The `offset` of the next page; absent on the last one." };

/** Defaults are filled in. */
export interface PageQuery {
  readonly limit: number;
  readonly offset: number;
}

/** A page of a list in memory. */
export function pageOf<Item>(
  all: readonly Item[],
  { limit, offset }: PageQuery,
): { readonly items: readonly Item[]; readonly next?: number } {
  const items: Item[] = [];
  let bytes = 0;
  for (const item of all.slice(offset, offset + limit)) {
    bytes += JSON.stringify(item).length;
    if (bytes > pageBytes && items.length > 0) break;
    items.push(item);
  }
  const next = offset + items.length;
  return { items, ...(next < all.length && { next }) };
}
