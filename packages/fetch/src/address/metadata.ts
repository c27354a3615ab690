import ipaddr from "ipaddr.js";

/** Link-local addresses, and those that single clouds use, also inside an IPv6 address that leads to them: where machines get their credentials. */
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

/** Alibaba Cloud, Oracle Cloud, Azure, whose address is one of the public ranges; AWS over IPv6, for machines and for containers; Google over IPv6. */
export const singleMetadataAddresses: readonly string[] = [
  "100.100.100.200",
  "192.0.0.192",
  "168.63.129.16",
  "fd00:ec2::254",
  "fd00:ec2::23",
  "fd20:ce::254",
];

const singleAddresses: ReadonlySet<string> = new Set(singleMetadataAddresses.map((text) => ipaddr.parse(text).toNormalizedString()));
