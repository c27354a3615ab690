import { randomBytes } from "node:crypto";

/** Results that are too long to be sent at once: stored for the caller, and read page by page. */
export interface ResultHandles {
  /** The part that is sent, and where the rest is read; undefined: the text is short enough. */
  keep(principal: string, text: string, tool: string): { readonly shown: string; readonly uri: string; readonly pages: number } | undefined;
  /** A page, counted from 1; undefined: not stored (any more), or not for this principal. */
  read(principal: string, id: string, page: number): ResultPage | undefined;
}

export interface ResultPage {
  readonly text: string;
  /** The tool that returned it: only callers who may still use the tool can read it. */
  readonly tool: string;
  /** Where the next page is. */
  readonly next?: string;
}

export interface HandleOptions {
  /** How long a text may be, in characters, before it becomes pages of this length. */
  readonly pageLength: number;
  /** How much is stored at once, in characters; the oldest is dropped first. @default 32 Mi */
  readonly maxLength?: number;
  /** How much of that one principal's results may take; what is its oldest goes first. @default 8 Mi */
  readonly maxLengthPerPrincipal?: number;
  /** @default 900_000 */
  readonly maxAgeMs?: number;
  /** A name that cannot be guessed. @default random */
  readonly makeId?: (principal: string) => string;
}

/** Shorter texts are never cut. */
export const minPageLength = 1024;

export const handleTemplate = "toolrack://results/{id}/{page}";

export function createResultHandles({
  pageLength,
  maxLength = 32 * 1024 * 1024,
  maxLengthPerPrincipal = maxLength / 4,
  maxAgeMs = 900_000,
  makeId = () => randomBytes(18).toString("base64url"),
}: HandleOptions): ResultHandles {
  const kept = new Map<string, Kept>();
  let length = 0;

  function drop(id: string): void {
    length -= kept.get(id)?.text.length ?? 0;
    kept.delete(id);
  }

  /** The oldest stands first. */
  function makeRoom(needed: number, now: number): void {
    for (const [id, { until }] of kept) {
      if (until > now && length + needed <= maxLength) return;
      drop(id);
    }
  }

  /** Removes results of the same principal only, so that one principal cannot push out those of others. */
  function makeRoomFor(principal: string, needed: number): void {
    const own = [...kept].filter(([, one]) => one.principal === principal);
    let left = own.reduce((sum, [, { text }]) => sum + text.length, 0) + needed;
    for (const [id, { text }] of own) {
      if (left <= maxLengthPerPrincipal) return;
      left -= text.length;
      drop(id);
    }
  }

  return {
    keep(principal, text, tool) {
      if (text.length <= pageLength || text.length > maxLengthPerPrincipal) return undefined;
      const now = Date.now();
      makeRoomFor(principal, text.length);
      makeRoom(text.length, now);
      const id = makeId(principal);
      const starts = pageStarts(text, pageLength);
      kept.set(id, { principal, text, tool, starts, until: now + maxAgeMs });
      length += text.length;
      return { shown: text.slice(0, starts[1]), uri: uriOf(id, 2), pages: starts.length };
    },
    read(principal, id, page) {
      const found = kept.get(id);
      if (found === undefined || found.principal !== principal || found.until <= Date.now()) return undefined;
      const start = found.starts[page - 1];
      if (start === undefined) return undefined;
      const text = found.text.slice(start, found.starts[page]);
      const { tool } = found;
      return page < found.starts.length ? { text, tool, next: uriOf(id, page + 1) } : { text, tool };
    },
  };
}

interface Kept {
  readonly principal: string;
  readonly text: string;
  /** The tool that returned it: only callers who may still use the tool can read it. */
  readonly tool: string;
  readonly starts: readonly number[];
  readonly until: number;
}

function uriOf(id: string, page: number): string {
  return `toolrack://results/${id}/${page}`;
}

/** Never splits a surrogate pair. */
function pageStarts(text: string, pageLength: number): number[] {
  const starts = [0];
  for (let at = pageLength; at < text.length; at += pageLength) {
    const code = text.charCodeAt(at);
    if (code >= 0xdc00 && code <= 0xdfff) at--;
    starts.push(at);
  }
  return starts;
}
