import { FetchError } from "../errors.ts";
import type { AllowedHosts } from "./hosts.ts";
import { isMetadataAddress } from "./metadata.ts";

/** Whether an address is one of this process: "127.0.0.1", its port, and the host of the URL that led there. */
export type IsOwnAddress = (address: string, port: number, host: string) => boolean;

/** What stays refused although its host is allowed, and how an error names the list that would allow it. */
export interface Reserved {
  readonly allowed: AllowedHosts;
  readonly isOwnAddress: IsOwnAddress;
  /** "allowHosts" */
  readonly key: string;
}

/** Why an allowed host must not be reached at this address: a cloud's metadata service, unless the list names this very address. */
export function refusedMetadata(host: string, address: string, { allowed, key }: Reserved): FetchError | undefined {
  if (!isMetadataAddress(address) || allowed.hasHost(address) || metadataNames.has(host)) return undefined;
  const fact = `"${host}" leads to ${address}, where clouds have their metadata service.`;
  return new FetchError("ADDRESS_REFUSED", `${fact} It stays refused unless ${key} names this address.`);
}

/** The same for an address of this process, unless the list names it with its port. */
export function refusedOwn(host: string, address: string, port: number, { allowed, isOwnAddress, key }: Reserved): FetchError | undefined {
  if (!isOwnAddress(address, port, host) || allowed.hasExactly(host, port) || allowed.hasExactly(address, port)) return undefined;
  const fact = `"${host}:${port}" leads to this server.`;
  return new FetchError("ADDRESS_REFUSED", `${fact} It stays refused unless ${key} names it with its port, "${host}:${port}".`);
}

/** Who allows one of these names means the service. */
const metadataNames: ReadonlySet<string> = new Set(["metadata.google.internal", "metadata.goog", "instance-data.ec2.internal"]);
