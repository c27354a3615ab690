import ipaddr from "ipaddr.js";
import { isMetadataAddress } from "./metadata.ts";

/**
 * Whether an IP address is one of the public internet. Everything else is refused: loopback, private, link-local, the
 * metadata services of clouds wherever they are, carrier NAT, multicast, reserved, and IPv6 addresses that carry an IPv4 address inside.
 */
export function isPublicAddress(text: string): boolean {
  // A zone ("fe80::1%eth0") makes sense only on the own link.
  if (text.includes("%") || !ipaddr.isValid(text) || isMetadataAddress(text)) return false;
  const address = ipaddr.parse(text);
  if (address.kind() === "ipv4") return address.range() === "unicast";
  // Of IPv6 only 2000::/3 is given out for the internet; 2002::/16 and 2001::/32 hold IPv4 addresses and are ranges of their own.
  const [first = 0] = (address as ipaddr.IPv6).parts;
  return address.range() === "unicast" && first >> 13 === 1;
}
