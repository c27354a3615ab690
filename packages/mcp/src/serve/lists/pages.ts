import { createHash } from "node:crypto";
import { McpError } from "../../errors.ts";
import type { Era, JsonObject } from "../../wire/protocol.ts";
import { PreparedResult } from "../../wire/reply.ts";
import type { CacheScope, Results } from "../results.ts";

/** A list cut into pages, each serialized once. */
export interface Pages {
  /** Throws an McpError for a cursor that does not belong to this list as it is now. */
  page(era: Era, cursor: unknown): PreparedResult;
}

export interface PagesOptions {
  /** "tools", "prompts" … */
  readonly field: string;
  readonly items: (era: Era) => readonly JsonObject[];
  readonly scope: CacheScope;
  readonly pageSize: number;
  readonly results: Results;
}

export function createPages({ field, items, scope, pageSize, results }: PagesOptions): Pages {
  const known: Record<Era, Written | undefined> = { modern: undefined, legacy: undefined };

  function write(era: Era): Written {
    const texts = items(era).map((item) => JSON.stringify(item));
    // A hash of the content, so that every server of a deployment accepts the cursors of the others.
    const stamp = createHash("sha256").update(texts.join("\n")).digest("base64url").slice(0, 16);
    return (known[era] = { texts, stamp, pages: new Map() });
  }

  return {
    page(era, cursor) {
      const written = known[era] ?? write(era);
      const from = cursor === undefined ? 0 : readCursor(cursor, written.stamp);
      if (from > 0 && from >= written.texts.length) throw staleCursor();
      let page = written.pages.get(from);
      if (page === undefined) {
        const end = from + pageSize;
        const next = end < written.texts.length ? { nextCursor: writeCursor(end, written.stamp) } : {};
        const rest = results.complete(era, { ...next, ...results.cacheFields(era, scope) }).slice(1);
        const list = `{"${field}":[${written.texts.slice(from, end).join(",")}]`;
        page = new PreparedResult(rest === "}" ? `${list}}` : `${list},${rest}`);
        if (from % pageSize === 0) written.pages.set(from, page);
      }
      return page;
    },
  };
}

interface Written {
  readonly texts: readonly string[];
  readonly stamp: string;
  readonly pages: Map<number, PreparedResult>;
}

function writeCursor(from: number, stamp: string): string {
  return Buffer.from(`${from}.${stamp}`).toString("base64url");
}

function readCursor(cursor: unknown, stamp: string): number {
  const [from, of] = typeof cursor === "string" ? Buffer.from(cursor, "base64url").toString().split(".") : [];
  if (of !== stamp || from === undefined || !/^\d{1,9}$/.test(from)) throw staleCursor();
  return Number(from);
}

function staleCursor(): McpError {
  return new McpError("invalidParams", "The cursor belongs to no list, or the list has changed since. Start again without a cursor.");
}
