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
export function createSafeLookup(resolve: Resolve, key?: string): LookupFunction {
  return createLookup(resolve, (host, addresses) =>
    addresses.length > 0 && addresses.every(({ address }) => isPublicAddress(address)) ? undefined : refusedAddress(host, key),
  );
}

/** A look-up that refuses a name for its addresses. */
export function createLookup(
  resolve: Resolve,
  refuse: (host: string, addresses: readonly LookupAddress[]) => Error | undefined,
): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        const refusal = refuse(host, addresses);
        if (refusal !== undefined || first === undefined) return callback(refusal ?? refusedAddress(host), "", 0);
        if (options.all) return callback(null, [...addresses]);
        callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, "", 0),
    );
  };
}
