// A person who consents at once: the OAuth side of the conformance client. Everything is kept in memory.

/** The `auth` option of an upstream for one scenario of the suite. */
export function createTestSignIn(scenario, context) {
  if (scenario === "auth/client-credentials-basic") {
    return { kind: "client-credentials", clientId: context.client_id, clientSecret: context.client_secret };
  }
  let returned;
  const kept = {};
  /** Each authorization server knows its own registration. */
  const clients = new Map();
  const provider = {
    redirectUrl: "http://localhost:3000/callback",
    clientMetadata: {
      client_name: "toolrack-conformance",
      redirect_uris: ["http://localhost:3000/callback"],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    },
    ...(scenario === "auth/basic-cimd" && { clientMetadataUrl: "https://conformance-test.local/client-metadata.json" }),
    clientInformation: (about) => clients.get(about?.issuer) ?? registered(context),
    saveClientInformation: (client, about) => void clients.set(about?.issuer, client),
    tokens: () => kept.tokens,
    saveTokens: (tokens) => void (kept.tokens = tokens),
    codeVerifier: () => kept.verifier,
    saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
    invalidateCredentials(scope) {
      if (scope === "all" || scope === "client") clients.clear();
      if (scope === "all" || scope === "tokens") kept.tokens = undefined;
    },
    async redirectToAuthorization(url) {
      const answer = await fetch(url, { redirect: "manual" });
      returned = new URL(answer.headers.get("location") ?? "").searchParams;
    },
  };
  return { kind: "provider", provider, consent: async () => returned };
}

function registered({ client_id, client_secret }) {
  return client_id === undefined ? undefined : { client_id, ...(client_secret !== undefined && { client_secret }) };
}
