// A person who consents at once: the OAuth side of the conformance client. Everything is kept in memory.

/** The `auth` option of an upstream for one scenario of the suite. */
export async function createTestSignIn(scenario, context) {
  const sdk = await import("@modelcontextprotocol/client");
  if (scenario === "auth/client-credentials-basic") {
    const { client_id: clientId, client_secret: clientSecret } = context;
    return { kind: "provider", provider: new sdk.ClientCredentialsProvider({ clientId, clientSecret }) };
  }
  if (scenario === "auth/client-credentials-jwt") {
    const { client_id: clientId, private_key_pem: privateKey, signing_algorithm: algorithm = "ES256" } = context;
    return { kind: "provider", provider: new sdk.PrivateKeyJwtProvider({ clientId, privateKey, algorithm }) };
  }
  if (scenario === "auth/enterprise-managed-authorization") return { kind: "provider", provider: enterpriseProvider(sdk, context) };
  const session = scenario.startsWith("auth/dpop") ? await sdk.DpopSession.create() : undefined;
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
    ...(session !== undefined && { dpop: () => session }),
    ...(scenario === "auth/wif-jwt-bearer" && { redirectUrl: undefined, prepareTokenRequest: () => workloadGrant(context) }),
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

/** The identity provider of an enterprise vouches for the person, whose consent nobody asks for again. */
function enterpriseProvider(sdk, { client_id, client_secret, idp_client_id, idp_id_token, idp_token_endpoint }) {
  return new sdk.CrossAppAccessProvider({
    clientId: client_id,
    clientSecret: client_secret,
    async assertion({ authorizationServerUrl, resourceUrl, scope }) {
      const { jwtAuthGrant } = await sdk.requestJwtAuthorizationGrant({
        tokenEndpoint: idp_token_endpoint,
        audience: authorizationServerUrl,
        resource: resourceUrl,
        idToken: idp_id_token,
        clientId: idp_client_id,
        scope,
      });
      return jwtAuthGrant;
    },
  });
}

/** A workload shows the token of the platform that it runs on. */
function workloadGrant({ client_id, valid_jwt }) {
  return new URLSearchParams({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion: valid_jwt, client_id });
}
