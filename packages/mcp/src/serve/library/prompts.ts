import { type Caller, ToolError } from "@toolrack/core";
import { cleanText } from "@toolrack/core/scan";
import type { JsonObject } from "../../wire/protocol.ts";
import type { McpClient } from "../client/client.ts";

/** A prompt of your own. */
export interface McpPrompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments?: readonly McpPromptArgument[];
  get(input: Readonly<Record<string, string>>, context: ServeContext): readonly PromptMessage[] | Promise<readonly PromptMessage[]>;
}

export interface McpPromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required?: boolean;
  /** Values that begin with what was typed. */
  complete?(typed: string, context: ServeContext): readonly string[] | Promise<readonly string[]>;
}

export interface PromptMessage {
  readonly role: "user" | "assistant";
  /** As the protocol writes it: { type: "text", text }, an image, a resource … */
  readonly content: Readonly<Record<string, unknown>>;
}

/** What prompts and resources get. */
export interface ServeContext {
  readonly caller: Caller;
  readonly client: McpClient;
  readonly signal: AbortSignal;
}

/** A fixed list, or a function that is called for each caller. */
export type ListOf<Item> = readonly Item[] | ((caller: Caller) => readonly Item[]);

export function itemsFor<Item>(list: ListOf<Item> | undefined, caller: Caller): readonly Item[] {
  return typeof list === "function" ? list(caller) : (list ?? []);
}

export function toPromptFields({ name, title, description, arguments: given }: McpPrompt): JsonObject {
  return {
    name,
    ...(title !== undefined && { title: cleanText(title) }),
    ...(description !== undefined && { description: cleanText(description) }),
    ...(given !== undefined && {
      arguments: given.map((argument) => ({
        name: argument.name,
        ...(argument.description !== undefined && { description: cleanText(argument.description) }),
        ...(argument.required !== undefined && { required: argument.required }),
      })),
    }),
  };
}

/** Texts by name, each required one there. Throws INPUT_INVALID. */
export function readPromptInput(prompt: McpPrompt, input: JsonObject): Record<string, string> {
  const read: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(input)) {
    if (typeof value !== "string")
      throw new ToolError("INPUT_INVALID", `The argument "${name}" of prompt "${prompt.name}" must be a text.`);
    read[name] = value;
  }
  for (const { name, required } of prompt.arguments ?? []) {
    if (required === true && read[name] === undefined) {
      throw new ToolError("INPUT_INVALID", `The prompt "${prompt.name}" needs the argument "${name}".`);
    }
  }
  return read;
}
