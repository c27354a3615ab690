import type { ToolDefinition } from "@toolrack/core";
import type { PinnedKind } from "@toolrack/core/trust";
import type { JsonObject } from "@toolrack/store";

/** What a source says to models beside its tools, in the form of a tool: it is pinned, held, approved and read like one. */
export interface NotedText {
  readonly kind: TextKind;
  readonly print: PinnedKind;
  /** What identifies it at its source, apart from a tool that is called the same: "prompt:summarize", "server:instructions". */
  readonly name: string;
  /** Every field that a model may see, in the form of a definition. */
  readonly definition: JsonObject;
  /** Whether clients get it. What they do not get is recorded and scanned, and waits only for danger. */
  readonly isPassedOn: boolean;
  /** The same text with an earlier definition. */
  as(definition: JsonObject): ToolDefinition;
}

export type TextKind = "instructions" | "prompt" | "resource" | "resource-template";

/** What the names of texts begin with. A tool whose own name begins so is on record as "tool:…", so that it is never taken for a text. */
const marks: Readonly<Record<string, PinnedKind>> = {
  "server:": "server",
  "prompt:": "prompt",
  "resource:": "resource",
  "resource-template:": "resource",
  "tool:": "tool",
};

/** The name of a tool on record: "tool:prompt:x" for one that its source calls "prompt:x", and its own otherwise. */
export function toolKeyOf(name: string): string {
  return markOf(name) === undefined ? name : `tool:${name}`;
}

/** What a name on record is of. */
export function kindOfKey(key: string): PinnedKind {
  const mark = markOf(key);
  return mark === undefined ? "tool" : marks[mark]!;
}

function markOf(name: string): string | undefined {
  return Object.keys(marks).find((mark) => name.startsWith(mark));
}

const texts = new WeakMap<object, NotedText>();

export function noteText(tool: ToolDefinition, text: NotedText): void {
  texts.set(tool, text);
}

/** Undefined for a tool. */
export function textOf(tool: object): NotedText | undefined {
  return texts.get(tool);
}
