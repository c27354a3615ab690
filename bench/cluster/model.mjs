/**
 * A small event model of servers that write pages of calls to one database. Each server writes one page at a time. A page takes `ownMs` that no
 * other server feels (round trips, work of the server), and `sharedMs` of the one thing that all wait for in turn (a lock, the disk, the
 * processors). A caller's call needs two pages: one that notes its begin, one with its end. What waits when a page begins goes into it.
 * Answers calls per second.
 */
export function predict({ servers, callers, ownMs, sharedMs, simulatedMs = 4_000 }) {
  const waiting = Array.from({ length: servers }, () => ({ begins: callers, ends: 0 }));
  /** When each server's next page reaches what is shared: the servers do not start at the same moment. */
  const ready = waiting.map((_, index) => (index * ownMs) / servers);
  let sharedFreeAt = 0;
  let done = 0;
  for (;;) {
    const server = ready.indexOf(Math.min(...ready));
    const startsAt = Math.max(ready[server], sharedFreeAt);
    if (startsAt > simulatedMs) return (done / simulatedMs) * 1_000;
    sharedFreeAt = startsAt + sharedMs;
    const page = waiting[server];
    done += page.ends;
    // Ended callers begin anew, and begun ones end, in the next page.
    waiting[server] = { begins: page.ends, ends: page.begins };
    if (waiting[server].begins + waiting[server].ends === 0) return 0;
    ready[server] = sharedFreeAt + ownMs;
  }
}

/** The two parameters with which the model is nearest to what was measured. */
export function fitModel(measured, callers) {
  let best = { off: Number.POSITIVE_INFINITY, ownMs: 0, sharedMs: 0 };
  for (let ownMs = 0.25; ownMs <= 80; ownMs *= 1.04)
    for (let sharedMs = 0.05; sharedMs <= 80; sharedMs *= 1.04) {
      let off = 0;
      for (const { servers, rate } of measured)
        off += Math.log(predict({ servers, callers, ownMs, sharedMs, simulatedMs: 1_000 }) / rate) ** 2;
      if (off < best.off) best = { off, ownMs, sharedMs };
    }
  return best;
}
