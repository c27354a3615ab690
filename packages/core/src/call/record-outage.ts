import type { Logger } from "../tool/context.ts";

/** Says once that calls cannot be recorded, and once that they are again, however many calls there are in between. */
export interface RecordOutage {
  failed(fact: string, fields: Readonly<Record<string, unknown>>): void;
  worked(): void;
}

export function createRecordOutage(log: Logger): RecordOutage {
  let isOut = false;
  return {
    failed(fact, fields) {
      if (!isOut) log.error(fact, fields);
      isOut = true;
    },
    worked() {
      if (!isOut) return;
      isOut = false;
      log.info("Calls are recorded again.");
    },
  };
}
