import type { Caller } from "../../tool/context.ts";

/** The policies of a channel, or of a group in it, for the people who write there. */
export interface SenderPolicies<Policy> {
  readonly tools?: Policy;
  readonly toolsBySender?: ReadonlyMap<string, Policy>;
}

export interface ChannelPolicies<Policy> extends SenderPolicies<Policy> {
  readonly groups?: ReadonlyMap<string, SenderPolicies<Policy>>;
}

/**
 * The policies that apply to a caller in a channel: one of the channel, one of the group. Each is the sender's own if there is one, else the
 * one for everybody; a group that is not listed is treated as "*".
 */
export function channelPolicies<Policy>(channel: ChannelPolicies<Policy>, { group, sender }: Caller): Policy[] {
  const inGroup = typeof group === "string" ? [channel.groups?.get(group.trim()), channel.groups?.get("*")] : undefined;
  const policies = [
    forSender(channel, sender),
    inGroup?.map((location) => location && forSender(location, sender)).find((policy) => policy !== undefined),
  ];
  return policies.filter((policy) => policy !== undefined);
}

/** "42" → "id:42", "username:@Ada" → "username:ada", "*" → "*": one form for each way to name a sender. */
export function toSenderKey(key: string): string {
  const text = key.trim();
  if (text === "*" || text === "") return text;
  const [, kind = "id", name = ""] = /^(?:(id|e164|username|name):)?(.*)$/is.exec(text)!;
  const folded = kind.toLowerCase();
  if (folded === "username") return `username:${name.trim().replace(/^@/, "").toLowerCase()}`;
  return `${folded}:${folded === "name" ? name.trim().toLowerCase() : name.trim()}`;
}

function forSender<Policy>({ tools, toolsBySender }: SenderPolicies<Policy>, sender: string | undefined): Policy | undefined {
  const own = typeof sender === "string" ? toolsBySender?.get(toSenderKey(sender)) : undefined;
  return own ?? toolsBySender?.get("*") ?? tools;
}
