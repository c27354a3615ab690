import { isIPv6 } from "node:net";

/**
 * Whose limits count for a request that needs no sign-in: those of its address. Addresses of one IPv6 network of 64 bits are one customer's.
 * "203.0.113.7" → "address 203.0.113.7", "2001:db8::1" → "address 2001:db8:0:0"
 */
export function strangerAt(address: string | undefined): string {
  return `${prefix}${address === undefined ? "unknown" : networkOf(address)}`;
}

/** Whether a caller did not have to sign in. */
export function isStranger(caller: string): boolean {
  return caller.startsWith(prefix);
}

/** How many places strangers have together: the others are left to callers who signed in. */
export function strangersShare(places: number): number {
  return Math.max(1, Math.floor(places / 4));
}

const prefix = "address ";

function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped !== null) return mapped[1]!;
  const plain = address.split("%", 1)[0]!;
  if (!isIPv6(plain)) return address;
  const [head = "", tail] = plain.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : 8 - before.length - after.length;
  const groups = [...before, ...Array.from({ length: Math.max(0, zeros) }, () => "0"), ...after];
  return groups.slice(0, 4).join(":").toLowerCase();
}
