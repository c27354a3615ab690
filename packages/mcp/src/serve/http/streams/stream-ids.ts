import { randomBytes } from "node:crypto";
import type { Signer } from "../../signer.ts";

/** Ids of resumable streams. They are signed, and name the server that has the stream. */
export interface StreamIds {
  make(session: string): string;
  /**
   * Whether another server has this stream of the session: then the client is asked to reconnect, until it reaches that server.
   * Not for ever: the other server may have ended.
   */
  isElsewhere(session: string, id: string): boolean;
}

export function createStreamIds(signer: Signer): StreamIds {
  const self = randomBytes(6).toString("base64url");
  /** How often a client requested the stream of another server from this one. */
  const visits = new Map<string, number>();
  const purposeFor = (session: string): string => `stream of ${session}`;

  return {
    make: (session) => signer.seal(purposeFor(session), `${self} ${randomBytes(12).toString("base64url")}`),
    isElsewhere(session, id) {
      const payload = id.length > 256 ? undefined : signer.open(purposeFor(session), id);
      if (payload === undefined || payload.startsWith(`${self} `)) return false;
      const count = (visits.get(id) ?? 0) + 1;
      if (visits.size >= maxKnown) visits.delete(visits.keys().next().value!);
      visits.set(id, count);
      return count <= maxVisits;
    },
  };
}

/** With a round-robin balancer, a client reaches the right one of three servers at the third attempt at the latest. */
const maxVisits = 30;
const maxKnown = 10_000;
