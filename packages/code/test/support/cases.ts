import { readFileSync } from "node:fs";

const folder = new URL("../cases/", import.meta.url);

export interface ProgramCase {
  readonly id: string;
  readonly source: string;
}

/** Programs as models write them, with the tools that they call. */
export function programCases(): { readonly tools: unknown; readonly programs: readonly ProgramCase[] } {
  return JSON.parse(readFileSync(new URL("programs.json", folder), "utf8")) as { tools: unknown; programs: ProgramCase[] };
}

export interface EscapeCase {
  readonly id: string;
  readonly about: string;
  readonly source: string;
  readonly expect: unknown;
}

/** Programs that try to get out, to exhaust or to lose labels. */
export function escapeCases(): readonly EscapeCase[] {
  return readFileSync(new URL("escapes.jsonl", folder), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as EscapeCase);
}
