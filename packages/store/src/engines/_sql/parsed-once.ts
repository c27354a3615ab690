import type { Breadcrumb } from "../../record/breadcrumb.ts";

export interface BodyReader {
  /** The record of a change. */
  read(sequence: number, body: string): Breadcrumb;
  /** A change that was written here, perhaps in a transaction that is taken back, needs no reading. */
  note(sequence: number, body: string, record: Breadcrumb): void;
}

/** Parses the bodies of changes. Everybody who follows a store reads the same new changes at about the same time: each is parsed once. */
export function createBodyReader(): BodyReader {
  const known = new Map<number, { readonly body: string; readonly record: Breadcrumb }>();
  let kept = 0;

  function note(sequence: number, body: string, record: Breadcrumb): void {
    const before = known.get(sequence);
    if (before !== undefined) kept -= before.body.length;
    known.delete(sequence);
    known.set(sequence, { body, record });
    kept += body.length;
    for (const [oldest, { body: old }] of known) {
      if (kept <= maxKept) break;
      known.delete(oldest);
      kept -= old.length;
    }
  }

  return {
    note,
    read(sequence, body) {
      const before = known.get(sequence);
      // A number that was taken back is given to another change.
      if (before?.body === body) return before.record;
      const record = JSON.parse(body) as Breadcrumb;
      note(sequence, body, record);
      return record;
    },
  };
}

/** In characters of JSON: two pages of the feed with records of a usual size. */
const maxKept = 2_000_000;
