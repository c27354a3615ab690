import { createHash } from "node:crypto";
import type { Clock } from "@toolrack/core/node";
import { isLoopbackAddress } from "@toolrack/core/internal";
import { nameFault } from "../../config/checks/name-fault.ts";
import { otherSpellingOf } from "../../rack/access/agent-spelling.ts";
import { isReservedAgent } from "../../rack/access/reserved-agents.ts";
import type { ApiKey, Rack } from "../../rack/rack.ts";
import { type AgentSessions, agentSessionPrefix } from "./agent-sessions.ts";
import { Credential } from "./credential.ts";
import { type HttpRequest, unixSocket } from "../transport/exchange.ts";
import { isForLoopback } from "../guard/guard.ts";
import { anonymousOf, type Identity, ownerOf, toIdentity } from "./identity.ts";
import type { OwnerSessions } from "./owner-sessions.ts";
import { Problem } from "../reply/problem.ts";
import { isProxyHeader } from "../guard/proxy-headers.ts";
import type { TokenCheck } from "./tokens.ts";

export interface SignInOptions {
  readonly rack: Rack;
  /** Whether other machines can reach the server: then every caller has to sign in. */
  readonly isExposed: boolean;
  /** Whether every caller has to sign in. @default true once an API key was created, and if tokens are accepted */
  readonly requireSignIn: boolean;
  readonly tokens?: TokenCheck | undefined;
  readonly sessions: OwnerSessions;
  readonly agentSessions: AgentSessions;
  readonly clock: Clock;
}

/** Identifies callers. */
export interface SignIn {
  /** Throws SIGN_IN_REQUIRED or SIGN_IN_REFUSED. */
  (request: HttpRequest): Identity | Promise<Identity>;
  /** Whether callers without a key or a token are refused now. */
  isRequired(): boolean;
  close(): void;
}

export function createSignIn({ rack, isExposed, requireSignIn, tokens, sessions, agentSessions, clock }: SignInOptions): SignIn {
  const storeOwner = rack.store.actor.owner;
  const owner = ownerOf(rack);
  /** Of all who have not signed in: it ends with the first key. */
  const noCredential = new Credential({ clock });
  const anonymous = anonymousOf(rack, noCredential);
  let known = new WeakMap<ApiKey, Identity>();
  let names = rack.settings.agentNames();
  /** Credentials of the keys that were used here, by id. */
  const credentials = new Map<string, Credential>();
  /** Credentials of recent tokens, by hash. */
  const ofTokens = new Map<string, Credential>();

  const stopEnds = rack.keys.onEnd(({ id, isExpired }) => {
    credentials.get(id)?.end(isExpired ? "The API key has expired." : "The API key was revoked.");
    credentials.delete(id);
  });
  const stopMade = rack.keys.onMade(() => noCredential.end("A key was created, so that callers have to sign in."));
  const stop = (): void => {
    stopEnds();
    stopMade();
  };

  function withKey(key: ApiKey): Identity {
    if (names !== rack.settings.agentNames()) {
      names = rack.settings.agentNames();
      known = new WeakMap();
    }
    let identity = known.get(key);
    // A clock that was ahead for a while may have ended a key that is valid.
    if (identity === undefined || identity.credential?.reason !== undefined) {
      const { id, roles } = key;
      // A key may be older than the configured spelling, which alone has limits and data.
      const agent = otherSpellingOf(key.agent, names) ?? key.agent;
      if (isReservedAgent(agent)) throw refused;
      const credential = credentials.get(id) ?? new Credential({ id: `key ${id}`, clock });
      credentials.set(id, credential);
      known.set(key, (identity = toIdentity({ agent, roles, via: "key", storeOwner, credential })));
    }
    return identity;
  }

  /** Only from this machine: a stolen owner token is useless elsewhere. */
  async function asOwner(request: HttpRequest, secret: string): Promise<Identity> {
    if (!(await isFromHere(request))) throw ownerElsewhere;
    if (secret.startsWith("tro_")) {
      if (!rack.ownerToken.matches(secret)) throw refused;
      return owner;
    }
    const credential = sessions.find(secret);
    if (credential === undefined) throw refused;
    return ownerOf(rack, credential);
  }

  /** Likewise only from this machine, where the client was started. */
  async function inAgentSession(request: HttpRequest, secret: string): Promise<Identity> {
    const identity = (await isFromHere(request)) ? agentSessions.find(secret) : undefined;
    if (identity === undefined) throw refused;
    return identity;
  }

  async function withCredentials(request: HttpRequest, header: string): Promise<Identity> {
    const secret = /^bearer +([!-~]+)$/i.exec(header)?.[1];
    if (secret === undefined || secret.length > 16_384) throw refused;
    if (secret.startsWith("tro_") || secret.startsWith("trs_")) return asOwner(request, secret);
    if (secret.startsWith(agentSessionPrefix)) return inAgentSession(request, secret);
    if (secret.startsWith("trk_")) {
      const key = await rack.keys.verify(secret);
      if (key === undefined) throw refused;
      return withKey(key);
    }
    const found = await tokens?.(secret);
    if (found === undefined || isReservedAgent(found.agent) || isMisspelt(found.agent)) throw refused;
    if (nameFault(found.agent) !== undefined) throw refused;
    const { expiresAt, ...who } = found;
    return toIdentity({ ...who, via: "token", storeOwner, credential: credentialOf(secret, expiresAt) });
  }

  const isMisspelt = (agent: string): boolean => otherSpellingOf(agent, rack.settings.agentNames()) !== undefined;

  /** One credential for all requests with the same token, so that there is one timer. */
  function credentialOf(token: string, expiresAt: number | undefined): Credential {
    const hash = createHash("sha256").update(token).digest("base64");
    let credential = ofTokens.get(hash);
    if (credential === undefined) {
      if (ofTokens.size >= maxTokens) ofTokens.delete(ofTokens.keys().next().value!);
      ofTokens.set(hash, (credential = new Credential({ expiresAt, clock })));
    }
    return credential;
  }

  /** Sign-in is required once there is a way to sign in, also after the last key was revoked. */
  function needsSignIn(): boolean {
    return isExposed || requireSignIn || tokens !== undefined || rack.keys.wereMade();
  }

  function asAnonymous(isFromHere: boolean): Identity {
    // A key may have been made while the kernel was asked.
    if (!isFromHere || needsSignIn()) throw signInRequired;
    return anonymous;
  }

  const signIn = (request: HttpRequest): Identity | Promise<Identity> => {
    const header = request.header("authorization");
    if (header !== undefined) return withCredentials(request, header);
    if (needsSignIn()) throw signInRequired;
    const fromHere = isFromHere(request);
    if (typeof fromHere === "boolean") return asAnonymous(fromHere);
    return fromHere.then(asAnonymous);
  };
  return Object.assign(signIn, { isRequired: needsSignIn, close: stop });
}

const maxTokens = 10_000;

/** From this machine, and not forwarded by a proxy: one that adds no header is known by its connection. */
function isFromHere(request: HttpRequest): boolean | Promise<boolean> {
  const { remoteAddress } = request;
  const isLocal =
    remoteAddress !== undefined &&
    (remoteAddress === unixSocket || isLoopbackAddress(remoteAddress)) &&
    isForLoopback(request) &&
    !request.headerNames().some(isProxyHeader);
  const isRelayed = isLocal && request.isRelayed !== undefined && request.isRelayed();
  return typeof isRelayed === "boolean" ? isLocal && !isRelayed : isRelayed.then((relayed) => !relayed);
}

function unauthorized(code: string, detail: string): Problem {
  return new Problem(401, code, detail, { headers: { "www-authenticate": 'Bearer realm="toolrack"' } });
}

const signInRequired: Problem = unauthorized(
  "SIGN_IN_REQUIRED",
  "Sign in: send an API key or a token in the header Authorization: Bearer <key>. An admin creates a key with: toolrack keys create <agent>",
);

/** One answer for every reason, so that it reveals nothing. */
const refused: Problem = unauthorized(
  "SIGN_IN_REFUSED",
  "The key or token is not valid: it may be unknown, expired, revoked, or for another server. Ask an admin for a new one.",
);

const ownerElsewhere: Problem = unauthorized(
  "SIGN_IN_REFUSED",
  "The owner can sign in only from this machine, as the user that runs the server, and not through a proxy. Use an API key, which an admin creates with: toolrack keys create",
);
