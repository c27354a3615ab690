import ipaddr from "ipaddr.js";
import { FetchError } from "../errors.ts";
import type { AllowedHosts } from "./hosts.ts";

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

/** Link-local addresses, and those that single clouds use, also inside an IPv6 address that leads to them. */
export function isMetadataAddress(text: string): boolean {
  const plain = text.split("%", 1)[0]!;
  if (!ipaddr.isValid(plain)) return false;
  const address = carriedAddress(ipaddr.process(plain));
  return address.range() === "linkLocal" || singleAddresses.has(address.toNormalizedString());
}

/** The IPv4 address inside one of NAT64 (64:ff9b::a9fe:a9fe), 6to4 (2002:a9fe:a9fe::) or the old compatible form (::a9fe:a9fe); others as they are. */
function carriedAddress(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (address.kind() === "ipv4") return address;
  const { parts } = address as ipaddr.IPv6;
  const isNat64 = parts[0] === 0x64 && parts[1] === 0xff9b;
  const isCompatible = parts.slice(0, 6).every((part) => part === 0);
  const [high, low] = parts[0] === 0x2002 ? parts.slice(1, 3) : isNat64 || isCompatible ? parts.slice(6) : [];
  return high === undefined || low === undefined ? address : new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255]);
}

/** Alibaba Cloud, Oracle Cloud, Azure; AWS over IPv6, for machines and for containers. */
const singleAddresses: ReadonlySet<string> = new Set(
  ["100.100.100.200", "192.0.0.192", "168.63.129.16", "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254"].map((text) =>
    ipaddr.parse(text).toNormalizedString(),
  ),
);

/** Who allows one of these names means the service. */
const metadataNames: ReadonlySet<string> = new Set(["metadata.google.internal", "metadata.goog", "instance-data.ec2.internal"]);
