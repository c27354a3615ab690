import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "@toolrack/core/node";
import type { Actor } from "@toolrack/store";
import { Credential } from "./credential.ts";
import { type Identity, toIdentity } from "./identity.ts";

/**
 * Sessions of one agent, opened by the owner's command line for an MCP client on the same machine: `toolrack mcp`. A session has exactly the
 * rights of a key of that agent without roles. It exists in this server only, so that nothing has to be stored, and nobody else has to sign in
 * because of it.
 */
export interface AgentSessions {
  open(agent: string): { readonly token: string; readonly expiresAt: number };
  /** The identity of a session; undefined if the session is unknown or expired. */
  find(token: string): Identity | undefined;
  /** Ends the session of this credential. */
  end(credential: Credential | undefined): boolean;
}

export const agentSessionPrefix = "tra_";
const sessionMs = 12 * 3_600_000;
const maxSessions = 1_000;

export function createAgentSessions(clock: Clock, storeOwner: string): AgentSessions {
  /** By hash, so that a lookup reveals nothing about others. */
  const sessions = new Map<string, { readonly identity: Identity; readonly credential: Credential; readonly expiresAt: number }>();

  function drop(hash: string, fact: string): void {
    const session = sessions.get(hash);
    sessions.delete(hash);
    session?.credential.end(fact);
  }

  return {
    open(agent) {
      for (const [hash, { expiresAt }] of sessions) if (expiresAt <= clock.now()) drop(hash, "The session has expired.");
      if (sessions.size >= maxSessions) drop(sessions.keys().next().value!, `More than ${maxSessions} sessions were opened since.`);
      const token = `${agentSessionPrefix}${randomBytes(32).toString("base64url")}`;
      const expiresAt = clock.now() + sessionMs;
      const hash = hashOf(token);
      const credential = new Credential({ id: `session ${hash.slice(0, 16)}`, expiresAt, clock });
      sessions.set(hash, { identity: agentIdentity(agent, storeOwner, credential), credential, expiresAt });
      return { token, expiresAt };
    },
    find(token) {
      const hash = hashOf(token);
      const session = sessions.get(hash);
      if (session === undefined || session.expiresAt > clock.now()) return session?.identity;
      drop(hash, "The session has expired.");
      return undefined;
    },
    end(credential) {
      for (const [hash, session] of sessions) {
        if (session.credential !== credential) continue;
        drop(hash, "The session was ended.");
        return true;
      }
      return false;
    },
  };
}

/** An agent of this rack as it signs in with a key without roles: for a program that opened the rack itself. */
export function identityOfAgent(rack: { readonly store: { readonly actor: Actor } }, agent: string): Identity {
  return agentIdentity(agent, rack.store.actor.owner);
}

function agentIdentity(agent: string, storeOwner: string, credential?: Credential): Identity {
  return toIdentity({ agent, roles: [], via: "key", principal: `loopback ${agent}`, storeOwner, credential });
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
