/** 1763186400000 → "2026-11-15 06:00:00" */
export function showTime(time: number | string): string {
  return new Date(time).toISOString().slice(0, 19).replace("T", " ");
}

/** 0.42 → "0.4 ms"; 1234 → "1.23 s" */
export function showDuration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(2)} s`;
}
