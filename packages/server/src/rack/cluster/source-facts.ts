import { isObject } from "@toolrack/core/internal";

/** The sources of a server, in short. */
export interface SourceFacts {
  /** State → how many sources are in it. */
  readonly states: Readonly<Record<string, number>>;
  /** Those that are not ready and should be, as many as fit. */
  readonly down: readonly DownSource[];
}

export interface DownSource {
  readonly id: string;
  readonly state: string;
  /** Why, in short. */
  readonly reason?: string;
}

/** What of a source is told. */
export interface ToldSource {
  readonly id: string;
  readonly state: string;
  readonly error?: string;
}

/** `redact` takes the secrets out of reasons. */
export function sourceFacts(sources: readonly ToldSource[], redact: (text: string) => string): SourceFacts {
  const states: Record<string, number> = {};
  for (const { state } of sources) states[state] = (states[state] ?? 0) + 1;
  const down = sources.filter(isDown).map((source) => downSource(source, redact));
  return { states, down: thatFit(down, mostBytes) };
}

/** A source that is not ready, though nobody disabled it. */
export function isDown({ state }: { readonly state: string }): boolean {
  return state !== "ready" && state !== "disabled";
}

export function downSource({ id, state, error }: ToldSource, redact: (text: string) => string): DownSource {
  const reason = error ?? (state === "waiting-for-approval" ? "It waits for approval." : undefined);
  return { id, state, ...(reason !== undefined && { reason: inShort(redact(reason)) }) };
}

/** What another server reported; undefined for another form. */
export function toSourceFacts(value: unknown): SourceFacts | undefined {
  if (!isObject(value) || !isObject(value["states"]) || !Array.isArray(value["down"])) return undefined;
  const states = Object.fromEntries(
    Object.entries(value["states"]).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
  );
  return { states, down: value["down"].filter(isDownSource) };
}

function isDownSource(value: unknown): value is DownSource {
  if (!isObject(value)) return false;
  const { id, state, reason } = value;
  return typeof id === "string" && typeof state === "string" && (reason === undefined || typeof reason === "string");
}

/** The first line, at most 160 characters of it. */
function inShort(text: string): string {
  const line = text.split("\n", 1)[0]!.trim();
  return line.length <= 160 ? line : `${line.slice(0, 159)}…`;
}

const mostBytes = 2_500;

/** The first ones of a list, whose JSON has no more bytes than these. */
export function thatFit<Item>(items: readonly Item[], bytes: number): readonly Item[] {
  let left = bytes;
  const end = items.findIndex((item) => (left -= Buffer.byteLength(JSON.stringify(item)) + 1) < 0);
  return end === -1 ? items : items.slice(0, end);
}
