import type { Caller } from "../../tool/context.ts";

/**
 * The keys of `byProvider` that speak of a caller, the nearest first; the first one that is there is the only one that counts.
 * { provider: "OpenAI", model: "gpt-x" } → ["openai/gpt-x", "openai"]
 */
export function providerKeys({ provider, model }: Pick<Caller, "provider" | "model">): string[] {
  const name = toProviderKey(model);
  const slash = name.indexOf("/");
  const vendor = toProviderKey(provider) || (slash === -1 ? "" : name.slice(0, slash));
  if (vendor === "") return [];
  if (name === "") return [vendor];
  return [name.startsWith(`${vendor}/`) ? name : `${vendor}/${name}`, vendor];
}

/** A fact that is no text is as good as unknown. */
export function toProviderKey(key: unknown): string {
  return typeof key === "string" ? key.trim().toLowerCase() : "";
}
