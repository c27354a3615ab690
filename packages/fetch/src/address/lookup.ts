import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { refusedAddress } from "./check-url.ts";
import { isPublicAddress } from "./public.ts";

/** Resolves a name to all its addresses. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

export const systemResolve: Resolve = async (host) => {
  const { lookup } = await import("node:dns/promises");
  return lookup(host, { all: true, verbatim: true });
};

/**
 * A look-up for sockets that refuses a name as soon as one of its addresses is not public. The socket connects to the addresses given here, so
 * that a name which resolves differently the second time gains nothing.
 */
export function createSafeLookup(resolve: Resolve): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address)))
          return callback(refusedAddress(host), "", 0);
        if (options.all) return callback(null, [...addresses]);
        callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, "", 0),
    );
  };
}
