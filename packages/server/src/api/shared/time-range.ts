import { Problem } from "../../http/reply/problem.ts";

const form =
  "a time with its offset (2026-11-19T08:00:00Z), a date (2026-11-19, which begins at midnight UTC), or how long ago (90s, 15m, 2h, 7d)";
const text = { type: "string", minLength: 1, maxLength: 40 } as const;
type Moment = typeof text & { readonly description: string };

/** The query parameters of a range of time. */
export const timeRangeQuery: { readonly since: Moment; readonly until: Moment } = {
  since: { ...text, description: `Only from then on: ${form}.` },
  until: { ...text, description: "Only before then, in the same form." },
};

export interface TimeRangeQuery {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Milliseconds since 1970: `since`, as earlier versions called it. */
  readonly from?: number | undefined;
}

/** The range in milliseconds since 1970; `to` is not in it. Durations count back from `now`. */
export function readTimeRange({ since, until, from }: TimeRangeQuery, now: number): { readonly from?: number; readonly to?: number } {
  if (since !== undefined && from !== undefined) throw wrong("The request has since and from. Send since only.");
  const start = since === undefined ? from : readMoment("since", since, now);
  const end = until === undefined ? undefined : readMoment("until", until, now);
  if (start !== undefined && end !== undefined && start >= end)
    throw wrong(`since (${toIso(start)}) is not before until (${toIso(end)}). Exchange them, or leave one out.`);
  return { ...(start !== undefined && { from: start }), ...(end !== undefined && { to: end }) };
}

const units: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** "2h" → two hours before now; "2026-11-19T08:00:00+01:00" → that moment. */
function readMoment(name: string, given: string, now: number): number {
  const [, count, unit = ""] = /^(\d{1,6})([smhd])$/.exec(given) ?? [];
  const isTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/.test(given);
  const at = count === undefined ? (isTime ? Date.parse(given) : Number.NaN) : now - Number(count) * units[unit]!;
  if (Number.isNaN(at)) throw wrong(`${name} is ${JSON.stringify(given)}. Write ${form}.`);
  return at;
}

function toIso(at: number): string {
  return new Date(at).toISOString();
}

function wrong(detail: string): Problem {
  return new Problem(400, "REQUEST_INVALID", detail);
}
