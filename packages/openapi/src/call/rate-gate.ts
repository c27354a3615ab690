import { ToolError } from "@toolrack/core";
import type { SafeResponse } from "@toolrack/fetch";

/** Remembers which operations an API has asked to leave alone for a while. */
export interface RateGate {
  /** Throws RATE_LIMITED while the operation has to wait. */
  check(operation: string): void;
  note(operation: string, response: SafeResponse): void;
}

const longestWaitMs = 3_600_000;
const maxOperations = 10_000;

export function createRateGate(now: () => number = Date.now): RateGate {
  const until = new Map<string, number>();
  return {
    check(operation) {
      const end = until.get(operation);
      if (end === undefined) return;
      const retryAfterMs = Math.ceil(end - now());
      if (retryAfterMs <= 0) return void until.delete(operation);
      const seconds = Math.ceil(retryAfterMs / 1_000);
      throw new ToolError("RATE_LIMITED", `${operation} was not sent: the API allows no more calls for ${seconds} s. Call again then.`, {
        retryAfterMs,
      });
    },
    note(operation, { status, headers }) {
      const wait =
        status === 429 || status === 503 ? waitOf(headers, now()) : remainingOf(headers) === 0 ? waitOf(headers, now()) : undefined;
      if (wait === undefined || wait <= 0) return;
      if (until.size >= maxOperations) until.clear();
      until.set(operation, now() + wait);
    },
  };
}

/** How long an answer asks to wait, from the headers that are in use; undefined if it does not say. */
export function waitOf(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const after = headers["retry-after"];
  const wait =
    after === undefined ? resetOf(headers, now) : /^\s*\d+(?:\.\d+)?\s*$/.test(after) ? Number(after) * 1_000 : Date.parse(after) - now;
  return wait === undefined || Number.isNaN(wait) ? undefined : Math.min(Math.max(0, wait), longestWaitMs);
}

function resetOf(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const milliseconds = headers["retry-after-ms"];
  if (milliseconds !== undefined) return Number(milliseconds);
  const inField = /(?:^|[,;\s])(?:reset|t)=(\d+)/.exec(headers["ratelimit"] ?? "")?.[1];
  const names = ["ratelimit-reset", "x-ratelimit-reset", "x-rate-limit-reset", "x-ratelimit-reset-requests", "x-ratelimit-reset-after"];
  const given = inField ?? names.map((name) => headers[name]).find((value) => value !== undefined);
  if (given === undefined) return undefined;
  const number = Number(given.replace(/s$/, ""));
  if (Number.isNaN(number)) return Date.parse(given) - now;
  // A moment since 1970, in milliseconds or seconds, or the seconds from now.
  return number > 1e11 ? number - now : number > 1e9 ? number * 1_000 - now : number * 1_000;
}

function remainingOf(headers: Readonly<Record<string, string>>): number | undefined {
  const inField = /(?:^|[,;\s])(?:remaining|r)=(\d+)/.exec(headers["ratelimit"] ?? "")?.[1];
  const given = inField ?? headers["ratelimit-remaining"] ?? headers["x-ratelimit-remaining"] ?? headers["x-rate-limit-remaining"];
  return given === undefined || !/^\s*\d+/.test(given) ? undefined : Number.parseInt(given, 10);
}
