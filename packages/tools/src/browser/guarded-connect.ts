import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import { FetchError, type IsOwnAddress, isPublicAddress, type Resolve } from "@toolrack/fetch";
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
  /** The addresses of the server itself: no page reaches them, also if `allowHosts` names them. @default none */
  readonly isOwnAddress?: IsOwnAddress;
  /** Resolves names. @default the system's */
  readonly resolve?: Resolve;
}

/** Connects to the public internet and to the hosts that are named, at the very address that was checked. */
export type GuardedConnect = (url: string) => Promise<Socket>;

/** Throws URL_INVALID for an entry of `allowHosts` that is no host. */
export function createGuardedConnect(options: ConnectGuardOptions = {}): GuardedConnect {
  const { allowHosts, isOwnAddress = () => false, resolve = systemResolve } = options;
  const allowed = readAllowedHosts(allowHosts);
  const reserved = { allowed, isOwnAddress: () => false, key: "allowHosts" };
  const refusalAt = (host: string, address: string, port: number): Error | undefined =>
    refusedMetadata(host, address, reserved) ?? (isOwnAddress(address, port, host) ? refusedOwn(host, port) : undefined);
  /** A name is refused for one of its addresses, before anything connects to it. */
  const namedLookup = (port: number): LookupFunction =>
    createLookup(resolve, (host, addresses) =>
      addresses.map(({ address }) => refusalAt(host, address, port)).find((refusal) => refusal !== undefined),
    );
  const guardedLookup = createSafeLookup(resolve);
  return (text) =>
    new Promise((settle, fail) => {
      const url = readUrl(text, allowed);
      const host = url.hostname.replace(/^\[|\]$/g, "");
      const isNamed = allowed.has(url);
      const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
      const isOwn = isOwnAddress(isIP(host) === 0 ? "" : host, port, host);
      const atOnce = isOwn ? refusedOwn(host, port) : isNamed && isIP(host) !== 0 ? refusedMetadata(host, host, reserved) : undefined;
      if (atOnce !== undefined) return fail(atOnce);
      const socket = connect({
        host,
        port,
        lookup: isNamed ? namedLookup(port) : guardedLookup,
        autoSelectFamily: true,
        timeout: connectMs,
      });
      const giveUp = (error: Error): void => {
        socket.destroy();
        fail(error);
      };
      socket.once("error", giveUp);
      socket.once("timeout", () => giveUp(new Error(`${url.host} cannot be connected to in time.`)));
      socket.once("connect", () => {
        const address = socket.remoteAddress ?? "";
        const refusal = refusalAt(host, address, port) ?? (isNamed || isPublicAddress(address) ? undefined : refusedAddress(host));
        if (refusal !== undefined) return giveUp(refusal);
        socket.removeListener("error", giveUp);
        socket.setTimeout(0);
        settle(socket);
      });
    });
}

const connectMs = 10_000;

function refusedOwn(host: string, port: number): FetchError {
  return new FetchError("ADDRESS_REFUSED", `"${host}:${port}" leads to this server, which no page may reach.`);
}
