import type { ReactNode } from "react";

/** A moment with its date, in the time of the reader; the title has it in UTC. */
export function Time({ at }: { readonly at: number | string }): ReactNode {
  const iso = new Date(at).toISOString();
  return (
    <time dateTime={iso} title={`${iso.slice(0, 19).replace("T", " ")} UTC`}>
      {showTime(at)}
    </time>
  );
}

/** 1763186400000 → "2025-11-15 06:00:00": always with the date, because a list may span days. */
export function showTime(at: number | string): string {
  const date = new Date(at);
  const two = (value: number): string => String(value).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(":")}`;
}
