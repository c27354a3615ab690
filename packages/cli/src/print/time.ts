/** 1763186400000 → "2026-11-15 06:00:00" */
export function showTime(time: number | string): string {
  return new Date(time).toISOString().slice(0, 19).replace("T", " ");
}

/** 0.42 → "0.4 ms"; 1234 → "1.23 s" */
export function showDuration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(2)} s`;
}

/** 5_000 → "5s"; 7_500_000 → "2h" */
export function showAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const [size, unit] = (
    [
      [86_400, "d"],
      [3_600, "h"],
      [60, "m"],
    ] as const
  ).find(([one]) => seconds >= one) ?? [1, "s"];
  return `${Math.floor(seconds / size)}${unit}`;
}
