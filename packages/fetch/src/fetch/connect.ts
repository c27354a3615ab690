import { Agent, buildConnector } from "undici";
import { refusedAddress } from "../address/check-url.ts";
import { createSafeLookup, type Resolve } from "../address/lookup.ts";
import { isPublicAddress } from "../address/public.ts";

export interface Agents {
  /** For hosts that were named in the configuration. */
  readonly trusted: Agent;
  /** For all others. */
  readonly guarded: Agent;
  close(): Promise<void>;
}

/** Connections of two kinds, never shared between them: a name that was allowed for one port does not open a way for another. */
export function createAgents(resolve: Resolve, connectTimeoutMs: number): Agents {
  const settings = { keepAliveTimeout: 5_000, pipelining: 1, maxResponseSize: -1 };
  const connect = buildConnector({ timeout: connectTimeoutMs, lookup: createSafeLookup(resolve), autoSelectFamily: true });
  const guarded = new Agent({
    ...settings,
    connect(options, callback) {
      connect(options, (error, socket) => {
        if (error !== null) return callback(error, null);
        // Checked again on the connected socket: that address decides.
        if (isPublicAddress(socket.remoteAddress ?? "")) return callback(null, socket);
        socket.destroy();
        callback(refusedAddress(options.hostname), null);
      });
    },
  });
  const trusted = new Agent({ ...settings, connect: { timeout: connectTimeoutMs } });
  return {
    trusted,
    guarded,
    async close() {
      await Promise.all([trusted.destroy(), guarded.destroy()]);
    },
  };
}
