import type { LookupFunction } from "node:net";
import { Agent, buildConnector } from "undici";
import { refusedAddress } from "../address/check-url.ts";
import { createLookup, createSafeLookup, type Resolve } from "../address/lookup.ts";
import { isPublicAddress } from "../address/public.ts";
import { refusedMetadata, refusedOwn, type Reserved } from "../address/reserved.ts";
import type { FetchError } from "../errors.ts";

export interface Agents {
  /** For hosts that were named in the configuration. */
  readonly trusted: Agent;
  /** For all others. */
  readonly guarded: Agent;
  close(): Promise<void>;
}

/** Connections of two kinds, never shared between them: a name that was allowed for one port does not open a way for another. */
export function createAgents(resolve: Resolve, connectTimeoutMs: number, reserved: Reserved): Agents {
  const refuseMetadata = (host: string, addresses: readonly { readonly address: string }[]): FetchError | undefined =>
    addresses.map(({ address }) => refusedMetadata(host, address, reserved)).find((refusal) => refusal !== undefined);
  // Checked again on the connected socket: that address decides.
  const guarded = createAgent(createSafeLookup(resolve, reserved.key), connectTimeoutMs, (address, host) =>
    isPublicAddress(address) ? undefined : refusedAddress(host, reserved.key),
  );
  const trusted = createAgent(createLookup(resolve, refuseMetadata), connectTimeoutMs, (address, host, port) => {
    return refusedMetadata(host, address, reserved) ?? refusedOwn(host, address, port, reserved);
  });
  return {
    trusted,
    guarded,
    async close() {
      await Promise.all([trusted.destroy(), guarded.destroy()]);
    },
  };
}

/** Connections to names that the look-up accepts, at addresses that are not refused. */
function createAgent(
  lookup: LookupFunction,
  timeout: number,
  refuse: (address: string, host: string, port: number) => FetchError | undefined,
): Agent {
  const connect = buildConnector({ timeout, lookup, autoSelectFamily: true });
  return new Agent({
    keepAliveTimeout: 5_000,
    pipelining: 1,
    maxResponseSize: -1,
    connect(options, callback) {
      connect(options, (error, socket) => {
        if (error !== null) return callback(error, null);
        const port = Number(options.port) || (options.protocol === "https:" ? 443 : 80);
        const refusal = refuse(socket.remoteAddress ?? "", options.hostname.replace(/^\[|\]$/g, ""), port);
        if (refusal === undefined) return callback(null, socket);
        socket.destroy();
        callback(refusal, null);
      });
    },
  });
}
