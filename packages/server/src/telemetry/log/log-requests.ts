import type { Logger } from "@toolrack/core";
import type { LineFields } from "./line-fields.ts";
import { originFields } from "../trace/origin.ts";
import { takesLine } from "./takes-line.ts";

/** A request that was answered. */
export interface AnsweredRequest {
  /** "POST /api/v1/tools/{name}/call": never the path as it was sent. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
  /** Its ids; see `CallOrigin`. */
  readonly origin: unknown;
  readonly agent?: string | undefined;
  readonly principal?: string | undefined;
  /** Of the problem that was answered. */
  readonly code?: string | undefined;
}

/**
 * One line for each request: at debug for probes and files of the console, at level warn if the server failed, else at info. That something is away
 * (503) is logged once, where the outage begins.
 */
export function createRequestLog(log: Logger): (request: AnsweredRequest) => void {
  return ({ route, status, seconds, origin, agent, principal, code }) => {
    const level = quietRoutes.has(route) ? "debug" : status >= 500 && status !== 503 ? "warn" : "info";
    if (!takesLine(log, level)) return;
    const durationMs = Math.round(seconds * 1e6) / 1e3;
    const fields: LineFields = { route, status, code, durationMs, agent, principal, ...originFields(origin) };
    log[level]("request", fields);
  };
}

/** Frequent requests of probes and of every page of the console. */
const quietRoutes: ReadonlySet<string> = new Set([
  "GET /health",
  "GET /health/live",
  "GET /ready",
  "GET /metrics",
  "GET (console)",
  "GET /api/v1/sign-in/server",
]);
