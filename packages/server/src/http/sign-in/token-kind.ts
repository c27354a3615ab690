import type { JWTHeaderParameters, JWTPayload } from "jose";

/**
 * Whether a token is an access token, and not an ID token, a logout token or another kind. A token that states its kind is trusted: by
 * `typ: at+jwt` (RFC 9068), by Keycloak's claim `typ`, by Cognito's `token_use`. Others are refused if they look like an ID token.
 * Contract: the signature was verified before.
 */
export function isAccessToken(header: Pick<JWTHeaderParameters, "typ">, payload: JWTPayload, requireType: boolean): boolean {
  const type = header.typ?.toLowerCase().replace(/^application\//, "");
  if (type !== undefined && type !== "at+jwt" && type !== "jwt") return false;
  if (requireType && type !== "at+jwt") return false;
  const { typ, token_use: use } = payload;
  if (use !== undefined && use !== "access") return false;
  if (typeof typ === "string" && !accessTypes.has(typ.toLowerCase())) return false;
  if (has(payload, logoutMarks)) return false;
  if (type === "at+jwt" || use === "access" || typ === "Bearer") return true;
  if (has(payload, idTokenMarks)) return false;
  return has(payload, accessMarks) || !has(payload, signInMarks);
}

const accessTypes: ReadonlySet<string> = new Set(["bearer", "at+jwt", "jwt"]);

/** Only logout tokens and security events have it (RFC 8417). */
const logoutMarks = ["events"];

/** They bind an ID token to the request of a client: no access token has them, but those of old Keycloaks, which say `typ: Bearer`. */
const idTokenMarks = ["nonce", "at_hash", "c_hash", "s_hash"];

/** What a client may do, and which client it is: RFC 9068 and Auth0, Entra (v2 and v1), Okta. */
const accessMarks = ["scope", "scp", "client_id", "cid", "permissions", "gty", "azpacr", "appid", "appidacr"];

/** How and for whom somebody signed in. Access tokens may have them, too, but then they have one of the above. */
const signInMarks = ["azp", "sid", "auth_time", "amr", "acr", "tid"];

function has(payload: JWTPayload, claims: readonly string[]): boolean {
  return claims.some((claim) => Object.hasOwn(payload, claim));
}
