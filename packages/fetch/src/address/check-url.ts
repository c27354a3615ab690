import { isIP } from "node:net";
import { FetchError } from "../errors.ts";
import type { AllowedHosts } from "./hosts.ts";
import { isPublicAddress } from "./public.ts";

/**
 * Reads a URL and refuses what can be refused before anything is resolved. IP addresses in every notation (decimal, octal, hex, short) have
 * one form after the URL was read; they are checked here because no look-up happens for them.
 */
export function readUrl(text: string | URL, allowed: AllowedHosts, key?: string): URL {
  if (!URL.canParse(String(text))) throw new FetchError("URL_INVALID", `${JSON.stringify(String(text).slice(0, 200))} is not a URL.`);
  const url = new URL(String(text));
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new FetchError("URL_INVALID", `Only http and https are fetched, not "${url.protocol}".`);
  if (url.username !== "" || url.password !== "")
    throw new FetchError("URL_INVALID", "A URL must not contain a user name or password. Send a header instead.");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !isPublicAddress(host) && !allowed.has(url)) throw refusedAddress(url.host, key);
  return url;
}

/** `key` is the key of the configuration that would allow it. */
export function refusedAddress(host: string, key = "allowHosts"): FetchError {
  return new FetchError("ADDRESS_REFUSED", `"${host}" is not an address of the public internet. If it is meant, add it to ${key}.`);
}
