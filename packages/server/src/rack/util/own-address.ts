import { networkInterfaces } from "node:os";
import { isLoopbackAddress } from "@toolrack/core/internal";
import type { IsOwnAddress } from "@toolrack/fetch";

/** Whether an address leads to this server: a port that it listens on, at an address of this machine, or its public URL. */
export function createOwnAddressCheck(ports: ReadonlySet<number>, publicUrl: string | undefined): IsOwnAddress {
  const shown = publicUrl === undefined ? undefined : new URL(publicUrl);
  const shownPort = shown && (Number(shown.port) || (shown.protocol === "https:" ? 443 : 80));
  return (address, port, host) =>
    (ports.has(port) && isOnThisMachine(address)) || (port === shownPort && host.replace(/\.$/, "") === shown?.hostname);
}

function isOnThisMachine(address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  if (isLoopbackAddress(plain) || plain === "0.0.0.0" || plain === "::") return true;
  return Object.values(networkInterfaces()).some((list) => list?.some((one) => one.address === plain) === true);
}
