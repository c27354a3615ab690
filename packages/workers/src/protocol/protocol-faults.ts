import type { Logger } from "@toolrack/core";
import { protocol } from "./channel.ts";
import type { Sender } from "./seal.ts";

/** Who is refused because it speaks another version of the protocol. */
export interface ProtocolFaults {
  /** Logs it once for each key. */
  take(from: Sender, version: number): void;
  /** A sentence for each key that was heard lately. */
  list(): readonly string[];
}

export interface ProtocolFaultsOptions {
  /** Who is refused. */
  readonly who: "server" | "worker";
  readonly log: Logger | undefined;
  readonly pool: string;
  /** One that is not heard for so long is gone. */
  readonly silentMs: number;
  now(): number;
}

export function createProtocolFaults({ who, log, pool, silentMs, now }: ProtocolFaultsOptions): ProtocolFaults {
  /** Only trusted keys are noted, so that there are few. */
  const heard = new Map<string, number>();
  return {
    take({ key }, version) {
      const fault = faultOf(who, key, version);
      if (!heard.has(fault)) log?.warn(fault, { pool, key });
      heard.set(fault, now());
    },
    list: () => [...heard].flatMap(([fault, at]) => (now() - at > silentMs ? [] : [fault])),
  };
}

function faultOf(who: "server" | "worker", key: string, version: number): string {
  const here = who === "worker" ? "server" : "worker";
  const fact = `The ${who} ${key} speaks version ${version} of the worker protocol and this ${here} version ${protocol}, so it is refused.`;
  if (version > protocol) return `${fact} Install the Toolrack version of the ${who} on this ${here}, and start it again.`;
  return `${fact} Version ${version} does not encrypt calls. Install the Toolrack version of this ${here} on the ${who}, and start it again.`;
}
