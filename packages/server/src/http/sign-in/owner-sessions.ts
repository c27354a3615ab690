import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "@toolrack/core/node";
import { Credential } from "./credential.ts";

/** The owner signs in to the console with a code from the command line, valid once and for minutes, which becomes a session of this server. */
export interface OwnerSessions {
  /** A code for a link. */
  makeCode(): { readonly code: string; readonly expiresAt: number };
  /** The session for a code; undefined if the code is unknown, used or expired. */
  exchange(code: string): { readonly token: string; readonly expiresAt: number } | undefined;
  /** The credential of a session; undefined if the session is unknown or expired. */
  find(token: string): Credential | undefined;
  /** Ends the session of this credential. */
  end(credential: Credential | undefined): boolean;
}

const codeMs = 10 * 60_000;
const sessionMs = 12 * 3_600_000;
const maxCodes = 20;
const maxSessions = 100;

export function createOwnerSessions(clock: Clock): OwnerSessions {
  /** By hash, so that a lookup reveals nothing about others. */
  const codes = new Map<string, number>();
  const sessions = new Map<string, { readonly credential: Credential; readonly expiresAt: number }>();

  return {
    makeCode() {
      const code = newText("trc_");
      const expiresAt = clock.now() + codeMs;
      dropOldest(codes, maxCodes);
      codes.set(hashOf(code), expiresAt);
      return { code, expiresAt };
    },
    exchange(code) {
      const hash = hashOf(code);
      const goodUntil = codes.get(hash);
      codes.delete(hash);
      if (goodUntil === undefined || goodUntil <= clock.now()) return undefined;
      const token = newText("trs_");
      const expiresAt = clock.now() + sessionMs;
      dropOldest(sessions, maxSessions)?.credential.end("The owner has signed in too often since.");
      sessions.set(hashOf(token), { credential: new Credential({ expiresAt, clock }), expiresAt });
      return { token, expiresAt };
    },
    find(token) {
      const hash = hashOf(token);
      const session = sessions.get(hash);
      if (session === undefined || session.expiresAt > clock.now()) return session?.credential;
      sessions.delete(hash);
      return undefined;
    },
    end(credential) {
      for (const [hash, session] of sessions) {
        if (session.credential !== credential) continue;
        sessions.delete(hash);
        credential.end("You have signed out.");
        return true;
      }
      return false;
    },
  };
}

function newText(prefix: string): string {
  return `${prefix}${randomBytes(32).toString("base64url")}`;
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}

/** Drops the oldest entry if the map is full. */
function dropOldest<Value>(map: Map<string, Value>, max: number): Value | undefined {
  if (map.size < max) return undefined;
  const [key, value] = map.entries().next().value!;
  map.delete(key);
  return value;
}
