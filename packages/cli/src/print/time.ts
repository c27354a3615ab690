export { showDuration } from "@toolrack/core/internal/duration";

/** 1763186400000 → "2026-11-15 06:00:00" */
export function showTime(time: number | string): string {
  return new Date(time).toISOString().slice(0, 19).replace("T", " ");
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
