import { isIP } from "node:net";
import { ToolError } from "@toolrack/core";
import { FetchError, type IsOwnAddress, isPublicAddress, type Resolve } from "@toolrack/fetch";
import { readAllowedHosts, readUrl, refusedAddress, refusedMetadata, refusedOwn, systemResolve } from "@toolrack/fetch/internal";

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
    const find = async (): Promise<readonly string[]> => (isIP(host) === 0 ? (await resolve(host)).map(({ address }) => address) : [host]);
    if (allowed.has(url)) {
      const reserved = { allowed, isOwnAddress, key: allowHostsKey };
      // An inner name may lead nowhere now: each delivery looks again.
      for (const address of await find().catch(() => [])) {
        const refused = refusedMetadata(host, address, reserved) ?? refusedOwn(host, address, port, reserved);
        if (refused !== undefined) throw refused;
      }
      return;
    }
    if (url.protocol !== "https:")
      throw wrong(`Its URL begins with http:. What is sent there can be read on the way; use https, or add the host to ${allowHostsKey}.`);
    const addresses = await find();
    const isRefused = (address: string): boolean => !isPublicAddress(address) || isOwnAddress(address, port, host);
    if (addresses.length === 0 || addresses.some(isRefused)) throw refusedAddress(url.host, allowHostsKey);
  } catch (error) {
    if (FetchError.is(error)) throw wrong(error.message);
    if (ToolError.is(error)) throw error;
    throw wrong(`The host ${new URL(text).host} cannot be found now. Check its name, or try again later.`);
  }
}
