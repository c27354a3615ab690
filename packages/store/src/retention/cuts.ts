import type { Engine } from "../engine/engine.ts";

/** Up to which change records that were removed or expired may go. */
export interface Cuts {
  readonly others: number;
  readonly bySchema: ReadonlyMap<string, number>;
}

/** The cuts of a plan: for each schema of `endedMs`, and for all others. None lies behind `limit`. */
export async function readCuts(
  engine: Engine,
  { deletedMs, endedMs = {} }: { readonly deletedMs: number; readonly endedMs?: Readonly<Record<string, number>> },
  now: number,
  limit: number,
): Promise<Cuts> {
  const cut = async (keptMs: number): Promise<number> => Math.min(limit, await lastBefore(engine, now - keptMs));
  const bySchema = new Map<string, number>();
  for (const [schema, keptMs] of Object.entries(endedMs)) bySchema.set(schema, await cut(keptMs));
  return { others: await cut(deletedMs), bySchema };
}

/** The number of the last change before a time. Found by halving, since changes are numbered in the order of their time. */
export async function lastBefore(engine: Engine, at: number): Promise<number> {
  if (at === Number.NEGATIVE_INFINITY) return 0;
  let low = await engine.changesBegin();
  let high = await engine.lastSequence();
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [change] = await engine.changesAfter(middle, 1);
    if (change !== undefined && change.sequence <= high && Date.parse(change.record.updated_at) < at) low = change.sequence;
    else high = middle;
  }
  return low;
}
