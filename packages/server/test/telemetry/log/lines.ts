import { createLog, type LogOptions, type ServerLog } from "../../../src/telemetry/log/log.ts";

/** A log whose lines are kept. */
export interface KeptLog {
  readonly log: ServerLog;
  text(): string;
  /** Of JSON lines. */
  lines(): readonly KeptLine[];
  /** Those with this message. */
  of(message: string): readonly KeptLine[];
}

export type KeptLine = Readonly<Record<string, unknown>> & { readonly level: string; readonly message: string };

export function keepLog(options: LogOptions = {}): KeptLog {
  let written = "";
  const log = createLog({ ...options, destination: { write: (line: string) => void (written += line) } });
  const lines = (): readonly KeptLine[] =>
    written
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as KeptLine);
  return { log, text: () => written, lines, of: (wanted) => lines().filter(({ message }) => message === wanted) };
}
