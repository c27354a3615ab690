import type { Logger } from "@toolrack/core";

/** Logs once when something fails, and once when it works again, regardless of attempts in between. */
export interface Outage {
  readonly isUp: boolean;
  /** How long it has been failing; 0 while it works. */
  readonly awayMs: number;
  /** How often it began to fail. */
  readonly count: number;
  failed(error: unknown): void;
  worked(): void;
}

export interface OutageOptions {
  readonly log: Logger;
  /** "A source failed." */
  readonly failed: string;
  /** "A source works again." */
  readonly worked: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly level?: "warn" | "error";
}

export function createOutage({ log, failed, worked, fields = {}, level = "warn" }: OutageOptions): Outage {
  let since: number | undefined;
  let count = 0;
  return {
    get isUp() {
      return since === undefined;
    },
    get awayMs() {
      return since === undefined ? 0 : performance.now() - since;
    },
    get count() {
      return count;
    },
    failed(error) {
      if (since !== undefined) return;
      since = performance.now();
      count += 1;
      log[level](failed, { ...fields, error: textOf(error), reason: error instanceof Error ? textOf(error.cause) : undefined });
    },
    worked() {
      if (since === undefined) return;
      const awayMs = Math.round(performance.now() - since);
      since = undefined;
      log.info(worked, { ...fields, awayMs });
    },
  };
}

function textOf(error: unknown): string | undefined {
  return error === undefined ? undefined : error instanceof Error ? error.message : String(error);
}
