import { readFile, stat } from "node:fs/promises";
import { isLoopbackAddress, JsonError, readJson, readUtf8 } from "@toolrack/core/internal";
import { createSafeFetch, type SafeFetch } from "@toolrack/fetch";
import { errors, type JWTPayload, jwtVerify } from "jose";
import type { JwtConfig } from "../../config/config.ts";
import { ServerError } from "../../errors.ts";
import { nameFault } from "../../config/checks/name-fault.ts";
import { isReservedAgent } from "../../rack/access/reserved-agents.ts";
import { type KeySet, openKeySet } from "./key-set.ts";
import { isAccessToken } from "./token-kind.ts";

/** Which JSON Web Tokens are accepted: of one issuer, for this server, signed with one of the issuer's keys. */
export interface TokenOptions extends JwtConfig {
  /** Hosts that the keys may be fetched from although their address is private. @default none */
  readonly allowHosts?: readonly string[];
  /** Called with the reason when a token is refused, without anything of the token: for the log, never for the caller. @default none */
  readonly onRefused?: (reason: string) => void;
  /** Called with the reason when the issuer's keys cannot be read at the start because the issuer is away. @default none */
  readonly onAway?: (reason: string) => void;
}

/** The holder of a valid token. */
export interface TokenHolder {
  readonly agent: string;
  readonly roles: readonly string[];
  /** "token https://login.example.com/ 42": the issuer and its subject, since two issuers may know the same subject. */
  readonly principal: string;
  /** When it ends, in milliseconds since 1970. */
  readonly expiresAt: number;
}

/** Undefined for every text that is not a valid token. */
export interface TokenCheck {
  (token: string): Promise<TokenHolder | undefined>;
  readonly issuer: string;
  close(): Promise<void>;
}

/** `now` is a monotonic clock, for the age of the keys. */
export async function createTokenCheck(options: TokenOptions, now: () => number = () => performance.now()): Promise<TokenCheck> {
  const { issuer, agentClaim = "sub", rolesClaim = "roles", requireType = false } = options;
  const algorithms = readAlgorithms(options.algorithms);
  const audiences = [options.audience ?? []].flat();
  if (audiences.length === 0 || audiences.some((audience) => typeof audience !== "string" || audience === ""))
    throw wrong("audience is missing");
  if (typeof issuer !== "string" || issuer === "") throw wrong("issuer is missing");
  if (!/^[!-~]{1,500}$/.test(issuer)) throw wrong("issuer is at most 500 characters of ASCII, without spaces");
  const keys = await createKeys(options, now);

  const refuse = (reason: string): undefined => void options.onRefused?.(reason);
  const check = async (token: string): ReturnType<TokenCheck> => {
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys.get, {
        issuer,
        algorithms: [...algorithms],
        requiredClaims: ["exp", "sub", agentClaim],
        clockTolerance: toleranceSeconds,
      });
      const odd = repeatedClaim(token) ?? oddTime(payload, Date.now() / 1_000);
      if (odd !== undefined) return refuse(odd);
      if (!isFor(payload, audiences)) return refuse(`it is for another audience than ${audiences.join(", ")}`);
      if (!isAccessToken(protectedHeader, payload, requireType))
        return refuse("it is not an access token; an ID token, for instance, is none");
      return toHolder(payload, { issuer, agentClaim, rolesClaim }, refuse);
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof TypeError) return refuse(describeFault(error, issuer));
      throw error;
    }
  };
  return Object.assign(check, { issuer, close: keys.close });
}

/** The allowed difference between the clocks of issuer and server. */
const toleranceSeconds = 30;

/** Another parser on the way may take the other one of two equal claims. */
function repeatedClaim(token: string): string | undefined {
  try {
    const part = Buffer.from(token.split(".")[1]!, "base64url");
    readJson(readUtf8(part, "The token"), maxClaimDepth, "The token", Number.POSITIVE_INFINITY, true);
    return undefined;
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return error.reason === "duplicate-key" ? "a claim occurs twice in it" : "it cannot be read as a JSON Web Token";
  }
}

const maxClaimDepth = 64;

/** What the check of the signature leaves open: `exp: 1e400` never ends, and a time to come at `iat` is that of a wrong clock or a wrong issuer. */
function oddTime({ exp, iat }: JWTPayload, now: number): string | undefined {
  if (exp === undefined || exp > latestSeconds) return 'its claim "exp" is no time before the year 10000';
  return iat !== undefined && iat > now + toleranceSeconds ? 'its claim "iat" is in the future' : undefined;
}

const latestSeconds = Date.UTC(10_000, 0) / 1_000;

/** Access tokens of Cognito have no audience, and name the client that they were made for. */
function isFor({ aud, token_use: use, client_id: client }: JWTPayload, audiences: readonly string[]): boolean {
  if (aud === undefined) return use === "access" && typeof client === "string" && audiences.includes(client);
  return [aud].flat().some((one) => audiences.includes(one));
}

interface Claims {
  readonly issuer: string;
  readonly agentClaim: string;
  readonly rolesClaim: string;
}

function toHolder(
  payload: JWTPayload,
  { issuer, agentClaim, rolesClaim }: Claims,
  refuse: (reason: string) => undefined,
): TokenHolder | undefined {
  const claim = (name: string): unknown => (Object.hasOwn(payload, name) ? payload[name] : undefined);
  const agent = claim(agentClaim);
  const subject = claim("sub");
  const roles = claim(rolesClaim);
  if (!isPrintable(agent) || !isPrintable(subject))
    return refuse(`its claims "sub" and "${agentClaim}" must each be a line of 1 to 255 printable characters`);
  for (const [name, value] of [
    [agentClaim, agent],
    ["sub", subject],
  ] as const) {
    // The value itself is left out: the content of a token stays out of the log.
    if (nameFault(value) !== undefined)
      return refuse(
        `its claim "${name}" could pass for another name: write it without invisible characters, in Unicode's plain form (NFKC)`,
      );
  }
  if (hasOddSpaces(agent)) return refuse(`its claim "${agentClaim}" has spaces where a name has none`);
  if (isReservedAgent(agent)) return refuse(`its claim "${agentClaim}" names an agent that only the server itself may be`);
  return {
    agent,
    roles: Array.isArray(roles) ? roles.filter((role) => typeof role === "string") : [],
    principal: `token ${issuer} ${subject}`,
    expiresAt: (payload.exp! + toleranceSeconds) * 1_000,
  };
}

/** Fixed texts, without anything of the token. */
function describeFault(error: Error, issuer: string): string {
  if (error instanceof errors.JWTExpired) return "it has expired";
  if (error instanceof errors.JWTClaimValidationFailed) {
    const { claim, reason } = error;
    if (claim === "iss" && reason !== "missing") return `it is of another issuer than ${issuer}`;
    if (claim === "nbf") return "it is not valid yet";
    return `its claim "${claim}" is ${reason === "missing" ? "missing" : "not as it must be"}`;
  }
  if (error instanceof errors.JWSSignatureVerificationFailed) return "its signature is not one of the issuer's key";
  if (error instanceof errors.JWKSTimeout) return "the keys of its issuer cannot be read now";
  if (error instanceof errors.JWKSNoMatchingKey) return "the issuer publishes no key that fits it";
  if (error instanceof errors.JOSEAlgNotAllowed) return "its algorithm is not accepted";
  return "it cannot be read as a JSON Web Token";
}

/** One visible line: no control characters, and none that hide or reverse text. */
function isPrintable(text: unknown): text is string {
  return typeof text === "string" && text.length <= 255 && printable.test(text);
}

/** Leading, trailing or repeated spaces: such a name could pass for another one. */
function hasOddSpaces(name: string): boolean {
  return /^\s|\s$|\s\s/.test(name);
}

const printable = /^[^\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+$/u;

const usualAlgorithms: readonly string[] = ["RS256", "ES256", "EdDSA"];
/** Never "none", and no shared secrets: with those, every verifier could create tokens. */
const publicKeyAlgorithms: readonly string[] = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"];

function readAlgorithms(algorithms: readonly string[] = usualAlgorithms): readonly string[] {
  const unknown = algorithms.find((algorithm) => !publicKeyAlgorithms.includes(algorithm));
  if (unknown === undefined && algorithms.length > 0) return algorithms;
  throw wrong(`"${String(unknown)}" is not an algorithm to trust; use some of ${publicKeyAlgorithms.join(", ")}`);
}

async function createKeys(options: TokenOptions, now: () => number): Promise<KeySet & { close(): Promise<void> }> {
  const { jwksUrl, jwksFile, keysMaxAgeMs, allowHosts = [] } = options;
  const location = jwksUrl ?? jwksFile;
  if (location === undefined || (jwksUrl !== undefined && jwksFile !== undefined)) throw wrong("name either jwksUrl or jwksFile");
  const fault = jwksUrl === undefined ? await faultOfFile(location) : faultOfUrl(jwksUrl);
  if (fault !== undefined) throw wrong(fault);
  const fetch = jwksUrl === undefined ? undefined : createSafeFetch({ allowHosts, timeoutMs: 5_000, maxBytes: 1_048_576 });
  const read = (): Promise<string> => (fetch === undefined ? readFile(location, "utf8") : fetchText(fetch, location));
  try {
    const { get } = await openKeySet({ read, maxAgeMs: keysMaxAgeMs, now, onAway: ({ message }) => options.onAway?.(message) });
    return { get, close: async () => fetch?.close() };
  } catch (error) {
    await fetch?.close();
    throw wrong(`the keys at ${location} cannot be read: ${(error as Error).message}`);
  }
}

/** Somebody who changes the keys in transit could sign in as anybody. */
function faultOfUrl(url: string): string | undefined {
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: "", hostname: "" };
  const isHere = hostname === "localhost" || isLoopbackAddress(hostname);
  return protocol === "https:" || (protocol === "http:" && isHere)
    ? undefined
    : `jwksUrl is ${url}, and keys are fetched over https only. Write an https address`;
}

async function faultOfFile(file: string): Promise<string | undefined> {
  // A missing file is reported when it is read.
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

async function fetchText(fetch: SafeFetch, url: string): Promise<string> {
  const answer = await fetch(url, { headers: { accept: "application/json" } });
  if (!answer.ok) throw Object.assign(new Error(`it answered ${answer.status}`), { retryable: answer.status >= 500 });
  return answer.text();
}

function wrong(fact: string): ServerError {
  return new ServerError("TOKENS_INVALID", `The configuration of token sign-in is wrong: ${fact}.`);
}
