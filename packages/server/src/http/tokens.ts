import { readFile, stat } from "node:fs/promises";
import { createSafeFetch, type SafeFetch } from "@toolrack/fetch";
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from "jose";
import type { JwtConfig } from "../config/config.ts";
import { ServerError } from "../errors.ts";
import { isLoopbackAddress } from "./guard.ts";

/** Which JSON Web Tokens are accepted: of one issuer, for this server, signed with one of the issuer's keys. */
export interface TokenOptions extends JwtConfig {
  /** Hosts that the keys may be fetched from although their address is not public. @default none */
  readonly allowHosts?: readonly string[];
}

/** The agent and roles of a valid token; undefined for every other text. */
export interface TokenCheck {
  (token: string): Promise<{ readonly agent: string; readonly roles: readonly string[]; readonly expiresAt?: number } | undefined>;
  readonly issuer: string;
  close(): Promise<void>;
}

export async function createTokenCheck(options: TokenOptions): Promise<TokenCheck> {
  const { issuer, audience, agentClaim = "sub", rolesClaim = "roles" } = options;
  const algorithms = readAlgorithms(options.algorithms);
  for (const [name, value] of Object.entries({ issuer, audience }))
    if (typeof value !== "string" || value === "") throw wrong(`${name} is missing`);
  const keys = await createKeySet(options);

  const check = async (token: string): ReturnType<TokenCheck> => {
    try {
      const verified = await jwtVerify(token, keys.get, {
        issuer,
        audience,
        algorithms: [...algorithms],
        requiredClaims: ["exp", agentClaim],
        clockTolerance: toleranceSeconds,
      });
      const found = toAgent(verified.payload, agentClaim, rolesClaim);
      return found && { ...found, expiresAt: (verified.payload.exp! + toleranceSeconds) * 1_000 };
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
      throw error;
    }
  };
  return Object.assign(check, { issuer, close: keys.close });
}

/** How far the clocks of issuer and server may be apart. */
const toleranceSeconds = 30;

function toAgent(payload: JWTPayload, agentClaim: string, rolesClaim: string): { agent: string; roles: readonly string[] } | undefined {
  const agent = Object.hasOwn(payload, agentClaim) ? payload[agentClaim] : undefined;
  const roles = Object.hasOwn(payload, rolesClaim) ? payload[rolesClaim] : [];
  if (typeof agent !== "string" || agent === "" || agent.length > 128) return undefined;
  return { agent, roles: Array.isArray(roles) ? roles.filter((role) => typeof role === "string") : [] };
}

const usualAlgorithms: readonly string[] = ["RS256", "ES256", "EdDSA"];
/** Never "none", and none with a shared secret: with those, whoever can check a token could make one. */
const publicKeyAlgorithms: readonly string[] = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];

function readAlgorithms(algorithms: readonly string[] = usualAlgorithms): readonly string[] {
  const unknown = algorithms.find((algorithm) => !publicKeyAlgorithms.includes(algorithm));
  if (unknown === undefined && algorithms.length > 0) return algorithms;
  throw wrong(`"${String(unknown)}" is not an algorithm to trust; use some of ${publicKeyAlgorithms.join(", ")}`);
}

interface KeySet {
  readonly get: JWTVerifyGetKey;
  close(): Promise<void>;
}

/** Read once now, so that a wrong address is told at the start; fetched again when a token names a key that is not there. */
async function createKeySet({ jwksUrl, jwksFile, allowHosts = [] }: TokenOptions): Promise<KeySet> {
  const place = jwksUrl ?? jwksFile;
  if (place === undefined || (jwksUrl !== undefined && jwksFile !== undefined)) throw wrong("name either jwksUrl or jwksFile");
  const fault = jwksUrl === undefined ? await faultOfFile(place) : faultOfUrl(jwksUrl);
  if (fault !== undefined) throw wrong(fault);
  const fetch = jwksUrl === undefined ? undefined : createSafeFetch({ allowHosts, timeoutMs: 5_000, maxBytes: 1_048_576 });
  let set: ReturnType<typeof createLocalJWKSet>;
  let readAt = 0;
  async function read(): Promise<void> {
    readAt = performance.now();
    const text = fetch === undefined ? await readFile(place!, "utf8") : await fetchText(fetch, place!);
    set = createLocalJWKSet(JSON.parse(text) as JSONWebKeySet);
  }
  try {
    await read();
  } catch (error) {
    await fetch?.close();
    throw wrong(`the keys at ${place} cannot be read: ${(error as Error).message}`);
  }
  return {
    async get(header, token) {
      try {
        return await set(header, token);
      } catch (error) {
        if (!(error instanceof errors.JWKSNoMatchingKey) || performance.now() - readAt < restMs) throw error;
      }
      // An issuer that is away keeps nobody out whose key is known.
      await read().catch(() => {});
      return set(header, token);
    },
    close: async () => fetch?.close(),
  };
}

/** Whoever could change the keys on their way could sign in as anybody. */
function faultOfUrl(url: string): string | undefined {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: "", hostname: "" };
  const isHere = hostname === "localhost" || isLoopbackAddress(hostname);
  return protocol === "https:" || (protocol === "http:" && isHere)
    ? undefined
    : `jwksUrl is ${url}, and keys are fetched over https only. Write an https address`;
}

async function faultOfFile(file: string): Promise<string | undefined> {
  // One that is not there is told when it is read.
  const mode =
    process.platform === "win32"
      ? 0
      : await stat(file).then(
          (found) => found.mode,
          () => 0,
        );
  return (mode & 0o022) === 0
    ? undefined
    : `other users may write to ${file}, and so sign in as anybody. Close it with: chmod go-w ${file}`;
}

/** Tokens with made-up keys must not make the server fetch again and again. */
const restMs = 30_000;

async function fetchText(fetch: SafeFetch, url: string): Promise<string> {
  const answer = await fetch(url, { headers: { accept: "application/json" } });
  if (!answer.ok) throw new Error(`it answered ${answer.status}`);
  return answer.text();
}

function wrong(fact: string): ServerError {
  return new ServerError("TOKENS_INVALID", `Signing in with tokens is not set up right: ${fact}.`);
}
