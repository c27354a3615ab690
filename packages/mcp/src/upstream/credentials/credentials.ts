/** The credentials in a request that is sent: a server or an authority that echoes them must not reveal them to a model. */
export function credentialsSent(headers: Headers, body: string | undefined): readonly string[] {
  const found: string[] = [];
  for (const name of ["authorization", "dpop"]) {
    const value = headers.get(name);
    if (value !== null) found.push(value, ...value.split(/\s+/).slice(1));
  }
  if (body !== undefined && headers.get("content-type")?.includes("x-www-form-urlencoded"))
    for (const [field, value] of new URLSearchParams(body)) if (secretFields.has(field)) found.push(value);
  return found;
}

/** The credentials in what an authority answers. Messages of the protocol have none at their top. */
export function credentialsReceived(body: Buffer): readonly string[] {
  if (!body.includes('_token"') && !body.includes('client_secret"')) return [];
  try {
    const answer: unknown = JSON.parse(body.toString("utf8"));
    if (typeof answer !== "object" || answer === null || "jsonrpc" in answer) return [];
    return Object.entries(answer).flatMap(([field, value]) => (secretFields.has(field) && typeof value === "string" ? [value] : []));
  } catch {
    return [];
  }
}

/** By the names of OAuth and its extensions. */
const secretFields: ReadonlySet<string> = new Set([
  "access_token",
  "refresh_token",
  "id_token",
  "registration_access_token",
  "client_secret",
  "client_assertion",
  "assertion",
  "subject_token",
  "actor_token",
  "code",
  "code_verifier",
  "device_code",
  "password",
]);
