import { escapePointer, type TypeName } from "../schema/keywords.ts";

/** One fault of a value, as data and as a sentence a model can act on. */
export interface Issue {
  /** A JSON pointer into the value: "" is the value itself, "/tags/0/key" a part of it. Cut after 500 characters. */
  readonly path: string;
  /** The schema keyword that was broken: "type", "required", "enum" … */
  readonly keyword: string;
  /** "limit must be at most 100, but it is 500." */
  readonly message: string;
  /** What would have been right, in words: "a whole number". */
  readonly expected: string;
  /** What came, shortened: "\"five\"". */
  readonly received: string;
  /** The nearest right spelling of a property or value. */
  readonly suggestion?: string | undefined;
}

export type Path = readonly (string | number)[];

/** What one keyword says about a value that broke it. */
export interface Complaint {
  readonly keyword: string;
  readonly expected: string;
  /** The types of which a value would have been right, where that is what is wrong. */
  readonly types?: readonly TypeName[] | undefined;
  /** The values of which one would have been right, where there are some. */
  readonly choices?: readonly unknown[] | undefined;
  /** The nearest right spelling, where there is one. */
  suggest?(value: unknown): string | undefined;
  /** The sentence; by default "<name> must be <expected>, but it is <received>." */
  sentence?(name: string, value: unknown, suggestion: string | undefined): string;
  /** What came, where the value itself does not tell. */
  received?(value: unknown): string;
  /** Of the usual sentence, what stands between name and value; see `prepareComplaint`. */
  readonly middle?: string | undefined;
}

/** The same complaint with all its parts in their places: compiled code makes it again and again. */
export function prepareComplaint({ keyword, expected, types, suggest, sentence, received }: Complaint): Complaint {
  return { keyword, expected, types, suggest, sentence, received, middle: middleOf(expected) } as Complaint;
}

function middleOf(expected: string): string {
  return ` must be ${expected}, but it is `;
}

/** A fault as the engine notes it: most of those of a union are dropped again, so no sentence is written before `toIssue`. */
export class Fault {
  readonly #base: Path;
  readonly #below: Path;
  readonly #complaint: Complaint;
  readonly #value: unknown;

  /** The place is `below` under `base`; the two are joined when someone asks, because that costs more than all the rest. */
  constructor(base: Path, below: Path, complaint: Complaint, value: unknown) {
    this.#base = base;
    this.#below = below;
    this.#complaint = complaint;
    this.#value = value;
  }

  get path(): string {
    return pointerOf(this.#base) + pointerOf(this.#below);
  }
  get place(): Path {
    return [...this.#base, ...this.#below];
  }
  get complaint(): Complaint {
    return this.#complaint;
  }

  toIssue(): Issue {
    const complaint = this.#complaint;
    const { keyword, expected } = complaint;
    const value = this.#value;
    const received = complaint.received?.(value) ?? show(value);
    const suggestion = complaint.suggest?.(value);
    const message = sentenceOf(complaint, nameOf(this.#base, this.#below), value, received, suggestion);
    const path = cut(this.path, maxPointer);
    if (suggestion === undefined) return { path, keyword, message, expected, received };
    return { path, keyword, message, expected, received, suggestion };
  }
}

function sentenceOf(complaint: Complaint, name: string, value: unknown, received: string, suggestion: string | undefined): string {
  if (complaint.sentence !== undefined) return complaint.sentence(name, value, suggestion);
  const sentence = name + (complaint.middle ?? middleOf(complaint.expected)) + received + ".";
  return suggestion === undefined ? sentence : `${sentence} Did you mean ${JSON.stringify(suggestion)}?`;
}

/** ["tags", 0, "key"] → "/tags/0/key" */
export function pointerOf(path: Path): string {
  let pointer = "";
  for (const part of path) pointer += typeof part === "number" ? `/${part}` : `/${escapePointer(part)}`;
  return pointer;
}

/** ["tags", 0] and ["key"] → "tags[0].key"; [0] → "[0]"; [] → "The input" */
export function nameOf(path: Path, below: Path = here): string {
  if (path.length === 0 && below.length === 0) return "The input";
  const name = withParts(withParts("", path), below);
  return cut(name, maxName);
}

/** Names come from the value and may be megabytes long. */
function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

const maxName = 200;
const maxPointer = 500;

const here: Path = [];

function withParts(name: string, path: Path): string {
  for (let index = 0; index < path.length; index++) {
    const part = path[index]!;
    if (typeof part === "number") name += `[${part}]`;
    else name += name === "" ? part : `.${part}`;
  }
  return name;
}

/** A value in few characters: text in quotes, long things cut. */
export function show(value: unknown): string {
  if (typeof value === "string") {
    return value.length > 60 ? `${JSON.stringify(value.slice(0, 60))}… (${value.length} characters)` : JSON.stringify(value);
  }
  if (value === undefined) return "missing";
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "object" || value === null) return typeof value === "function" ? "a function" : String(value);
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : `a list of ${value.length}`;
  const keys = Object.keys(value);
  if (keys.length === 0) return "an empty object";
  return `an object with ${keys.slice(0, 3).join(", ").slice(0, 60)}${keys.length > 3 ? " …" : ""}`;
}

/** ["a", "b", "c"] → "a, b or c", cut after twelve. */
export function orList(words: readonly string[]): string {
  if (words.length > 12) return `${words.slice(0, 12).join(", ")} or ${words.length - 12} more`;
  if (words.length < 2) return words[0] ?? "nothing";
  return `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
