import type { CallContext, HandlerReturn } from "@toolrack/core";

/** What a server says to models beside its tools. */
export interface UpstreamText {
  readonly kind: UpstreamTextKind;
  readonly server: string;
  /** The name of a prompt, the URI of a resource, the template of others; "instructions". */
  readonly name: string;
  /** The same as the name of a tool would be: "github__summarize". */
  readonly shown: string;
  /** As the server sent it. Nothing in it can be trusted. */
  readonly definition: Readonly<Record<string, unknown>>;
}

export type UpstreamTextKind = "instructions" | "prompt" | "resource" | "resource-template";

/** What a request for a prompt or a resource needs of its call. */
export type TextContext = Pick<CallContext, "signal" | "callId">;

/** Gets prompts and reads resources of one server, as handlers do: what it answers is blocks of content. */
export interface UseTexts {
  /** The messages as blocks, with their roles in `data.roles`. */
  getPrompt(name: string, input: Readonly<Record<string, string>>, context: TextContext): Promise<HandlerReturn>;
  /** Texts as blocks, with what else is known of each part in `data.parts`: its media type, or its bytes as base64. */
  readResource(uri: string, context: TextContext): Promise<HandlerReturn>;
}
