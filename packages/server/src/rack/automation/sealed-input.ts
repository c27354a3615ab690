import { canonicalJson } from "@toolrack/json-schema";
import type { JsonObject } from "@toolrack/store";
import type { MessageSealer } from "../mcp/sealed-messages.ts";

/** How the contents of records are stored: the input that they hold for a call is sealed, as that of a job is. */
export interface ContentForm<Content> {
  toStored(content: Content): JsonObject;
  /** One that was changed in the store, or sealed with another key, is paused, without its input, and `isUnreadable`. */
  fromStored(context: JsonObject): Content;
  /** Whether an earlier version stored it, with its input in clear. */
  isClear(context: JsonObject): boolean;
}

/** An input is opened only in the record that it was sealed in, with the same maker and the same other members of its plan. */
export function createContentForm<Content extends object>(noun: string, sealer: MessageSealer): ContentForm<Content> {
  const locationOf = ({ id, maker }: JsonObject, plan: object): string => canonicalJson([noun, id, maker ?? null, plan]);

  return {
    toStored(content) {
      const { spec, ...rest } = content as unknown as JsonObject & { readonly spec?: Spec };
      if (spec?.input === undefined) return content as unknown as JsonObject;
      const { input, ...plan } = spec;
      return { ...rest, spec: { ...plan, input: sealer.seal(locationOf(rest, plan), JSON.stringify(input)) } };
    },
    fromStored(context) {
      const { spec, ...rest } = context as JsonObject & { readonly spec?: Spec };
      if (typeof spec?.input !== "string") return context as unknown as Content;
      const { input: sealed, ...plan } = spec;
      const text = sealer.open(locationOf(rest, plan), sealed);
      if (text !== undefined) return { ...rest, spec: { ...plan, input: JSON.parse(text) as unknown } } as unknown as Content;
      const { nextAt: _, ...left } = rest;
      const paused = { state: "paused", reason: unreadableText, pausedBy: "server", isUnreadable: true };
      return { ...left, spec: plan, ...paused } as unknown as Content;
    },
    isClear: ({ spec }) => typeof (spec as Spec | undefined)?.input === "object",
  };
}

interface Spec {
  readonly input?: unknown;
  readonly [member: string]: unknown;
}

export const unreadableText =
  "It was changed in the store by somebody else than a server, or sealed with another key. It does not run; remove it, and make it again.";
