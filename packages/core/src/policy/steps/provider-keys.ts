import type { Caller } from "../../tool/context.ts";

/**
 * The keys of `byProvider` that apply to a caller, the most specific first; only the first that exists counts.
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

/** A value that is not a string counts as unknown. */
export function toProviderKey(key: unknown): string {
  return typeof key === "string" ? key.trim().toLowerCase() : "";
}
