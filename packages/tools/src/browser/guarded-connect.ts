import { connect, isIP, type Socket } from "node:net";
import { isPublicAddress, type Resolve } from "@toolrack/fetch";
import {
  createLookup,
  createSafeLookup,
  readAllowedHosts,
  readUrl,
  refusedAddress,
  refusedMetadata,
  systemResolve,
} from "@toolrack/fetch/internal";

export interface ConnectGuardOptions {
  /** Hosts, or hosts with a port, that may be reached although their address is not public. @default none */
  readonly allowHosts?: readonly string[];
  /** Resolves names. @default the system's */
  readonly resolve?: Resolve;
}

/** Connects to the public internet and to the hosts that are named, at the very address that was checked. */
export type GuardedConnect = (url: string) => Promise<Socket>;

/** Throws URL_INVALID for an entry of `allowHosts` that is no host. */
export function createGuardedConnect({ allowHosts, resolve = systemResolve }: ConnectGuardOptions = {}): GuardedConnect {
  const allowed = readAllowedHosts(allowHosts);
  const reserved = { allowed, isOwnAddress: () => false, key: "allowHosts" };
  const refuseMetadata = (host: string, addresses: readonly { readonly address: string }[]): Error | undefined =>
    addresses.map(({ address }) => refusedMetadata(host, address, reserved)).find((refusal) => refusal !== undefined);
  const lookups = { guarded: createSafeLookup(resolve), named: createLookup(resolve, refuseMetadata) };
  return (text) =>
    new Promise((settle, fail) => {
      const url = readUrl(text, allowed);
      const host = url.hostname.replace(/^\[|\]$/g, "");
      const isNamed = allowed.has(url);
      const atOnce = isNamed && isIP(host) !== 0 ? refusedMetadata(host, host, reserved) : undefined;
      if (atOnce !== undefined) return fail(atOnce);
      const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
      const socket = connect({ host, port, lookup: isNamed ? lookups.named : lookups.guarded, autoSelectFamily: true, timeout: connectMs });
      const giveUp = (error: Error): void => {
        socket.destroy();
        fail(error);
      };
      socket.once("error", giveUp);
      socket.once("timeout", () => giveUp(new Error(`${url.host} cannot be connected to in time.`)));
      socket.once("connect", () => {
        const address = socket.remoteAddress ?? "";
        const refusal = isNamed ? refusedMetadata(host, address, reserved) : isPublicAddress(address) ? undefined : refusedAddress(host);
        if (refusal !== undefined) return giveUp(refusal);
        socket.removeListener("error", giveUp);
        socket.setTimeout(0);
        settle(socket);
      });
    });
}

const connectMs = 10_000;
