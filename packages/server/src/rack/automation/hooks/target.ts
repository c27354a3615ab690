import { isIP } from "node:net";
import { ToolError } from "@toolrack/core";
import { FetchError, type IsOwnAddress, isPublicAddress, type Resolve } from "@toolrack/fetch";
import { readAllowedHosts, readUrl, refusedAddress, systemResolve } from "@toolrack/fetch/internal";

/** Where webhooks may be sent. */
export interface TargetRules {
  /** Hosts, or hosts with a port, that may be private, and without TLS. */
  readonly allowHosts: readonly string[];
  readonly isOwnAddress: IsOwnAddress;
  readonly resolve?: Resolve;
}

export const allowHostsKey = "hooks.allowHosts";

/** Checks a URL when it is saved; each delivery checks again what it connects to. Throws CONFIG_INVALID. */
export async function checkTarget(
  id: string,
  text: string,
  { allowHosts, isOwnAddress, resolve = systemResolve }: TargetRules,
): Promise<void> {
  const wrong = (fact: string): ToolError => new ToolError("CONFIG_INVALID", `The webhook "${id}" is wrong: ${fact}`);
  const allowed = readAllowedHosts(allowHosts);
  try {
    const url = readUrl(text, allowed, allowHostsKey);
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
    if (allowed.has(url)) return;
    if (url.protocol !== "https:")
      throw wrong(`Its URL begins with http:. What is sent there can be read on the way; use https, or add the host to ${allowHostsKey}.`);
    const addresses = isIP(host) === 0 ? (await resolve(host)).map(({ address }) => address) : [host];
    const isRefused = (address: string): boolean => !isPublicAddress(address) || isOwnAddress(address, port, host);
    if (addresses.length === 0 || addresses.some(isRefused)) throw refusedAddress(url.host, allowHostsKey);
  } catch (error) {
    if (FetchError.is(error)) throw wrong(error.message);
    if (ToolError.is(error)) throw error;
    throw wrong(`The host ${new URL(text).host} cannot be found now. Check its name, or try again later.`);
  }
}
