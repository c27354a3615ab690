import type { ApiKey, Rack } from "../rack/rack.ts";
import type { HttpRequest } from "./exchange.ts";
import { isForLoopback, isLoopbackAddress } from "./guard.ts";
import { type Identity, ownerOf, toIdentity } from "./identity.ts";
import { Problem } from "./problem.ts";
import type { TokenCheck } from "./tokens.ts";

export interface SignInOptions {
  readonly rack: Rack;
  /** Others than this machine can reach the server: everybody has to sign in. */
  readonly isExposed: boolean;
  readonly tokens?: TokenCheck | undefined;
}

/** Who makes a request. Throws SIGN_IN_REQUIRED or SIGN_IN_REFUSED. */
export type SignIn = (request: HttpRequest) => Identity | Promise<Identity>;

export function createSignIn({ rack, isExposed, tokens }: SignInOptions): SignIn {
  const storeOwner = rack.store.actor.owner;
  const owner = ownerOf(rack);
  const local = toIdentity({ agent: "local", roles: [], via: "loopback", storeOwner });
  const known = new WeakMap<ApiKey, Identity>();

  function withKey(key: ApiKey): Identity {
    let identity = known.get(key);
    if (identity === undefined) known.set(key, (identity = toIdentity({ agent: key.agent, roles: key.roles, via: "key", storeOwner })));
    return identity;
  }

  async function withCredentials(credentials: string): Promise<Identity> {
    const secret = /^bearer +([!-~]+)$/i.exec(credentials)?.[1];
    if (secret === undefined || secret.length > 16_384) throw refused;
    if (secret.startsWith("trk_")) {
      const key = await rack.keys.verify(secret);
      if (key === undefined) throw refused;
      return withKey(key);
    }
    const found = await tokens?.(secret);
    if (found === undefined) throw refused;
    return toIdentity({ ...found, via: "token", storeOwner });
  }

  return (request) => {
    const credentials = request.header("authorization");
    if (credentials !== undefined) return withCredentials(credentials);
    if (isExposed || !isFromHere(request))
      throw unauthorized("SIGN_IN_REQUIRED", "Sign in: send an API key or a token as Authorization: Bearer ….");
    return rack.keys.exist() ? local : owner;
  };
}

/** From this machine, and not passed on by a proxy on it. */
function isFromHere(request: HttpRequest): boolean {
  const { remoteAddress } = request;
  return (
    remoteAddress !== undefined &&
    isLoopbackAddress(remoteAddress) &&
    isForLoopback(request) &&
    request.header("forwarded") === undefined &&
    request.header("x-forwarded-for") === undefined
  );
}

function unauthorized(code: string, detail: string): Problem {
  return new Problem(401, code, detail, { headers: { "www-authenticate": 'Bearer realm="toolrack"' } });
}

/** One answer for every reason, so that nothing can be learnt from it. */
const refused: Problem = unauthorized(
  "SIGN_IN_REFUSED",
  "The key or token is not valid here: it may be unknown, expired or revoked, or for another server. Ask an admin for a new one.",
);
