import { defineRoute, type RoutesOf } from "../http/route.ts";
import type { Identity } from "../http/sign-in/identity.ts";
import { Problem } from "../http/reply/problem.ts";
import { agentFault } from "../rack/access/agent-fault.ts";
import { nothing, objectOf, ok } from "./_answers.ts";

export interface SignInCode {
  readonly code: string;
  readonly expiresAt: number;
}

export interface SignInSession {
  readonly token: string;
  readonly expiresAt: number;
}

/** The identity of a request. */
export interface SignedIn {
  readonly agent: string;
  readonly roles: readonly string[];
  readonly via: Identity["via"];
}

/** What only the server that announced itself in the state folder of its user can answer. */
export interface ServerProof {
  readonly proof: string;
}

export interface SignInAnswers {
  "POST /sign-in/codes": SignInCode;
  "POST /sign-in": SignInSession;
  "POST /sign-in/agents": SignInSession;
  "GET /sign-in": SignedIn;
  "GET /sign-in/server": ServerProof;
  "DELETE /sign-in": undefined;
}

const expiresAt = { type: "number", description: "Milliseconds since 1970." } as const;

const makeCode = defineRoute({
  method: "POST",
  path: "/sign-in/codes",
  id: "createSignInCode",
  group: "sign-in",
  summary: "Create a code with which the owner signs in to the console, once and within minutes.",
  needs: ["owner"],
  keepsIdempotency: true,
  answers: ok("The code, for a link to /#sign-in=… of this server.", objectOf<SignInCode>({ code: { type: "string" }, expiresAt })),
  run({ server, identity }) {
    if (identity.via !== "owner")
      throw new Problem(403, "ROLE_MISSING", "A code signs in as the owner, so only the owner's own command line can create one.");
    return { body: server.sessions.makeCode() };
  },
});

const exchange = defineRoute({
  method: "POST",
  path: "/sign-in",
  id: "signIn",
  group: "sign-in",
  summary: "Exchange a sign-in code for a session of the owner, on the same machine.",
  needs: "public",
  keepsIdempotency: true,
  body: {
    type: "object",
    properties: { code: { type: "string", minLength: 1, maxLength: 200 } },
    required: ["code"],
    additionalProperties: false,
  },
  answers: ok("What to send as Authorization: Bearer ….", objectOf<SignInSession>({ token: { type: "string" }, expiresAt })),
  run({ server, body }) {
    const session = server.sessions.exchange(body.code);
    if (session !== undefined) return { body: session };
    throw new Problem(401, "SIGN_IN_REFUSED", "This link was used already, or has expired. Get a new one with: toolrack open");
  },
});

const openAgentSession = defineRoute({
  method: "POST",
  path: "/sign-in/agents",
  id: "openAgentSession",
  group: "sign-in",
  summary: "Open a session with exactly the rights of one agent, for an MCP client on the same machine.",
  needs: ["owner"],
  keepsIdempotency: true,
  body: {
    type: "object",
    properties: { agent: { type: "string", minLength: 1, maxLength: 128 } },
    required: ["agent"],
    additionalProperties: false,
  },
  answers: ok("What to send as Authorization: Bearer ….", objectOf<SignInSession>({ token: { type: "string" }, expiresAt })),
  async run({ rack, server, identity, body }) {
    const isOwnCommand = identity.via === "owner";
    if (!isOwnCommand)
      throw new Problem(
        403,
        "ROLE_MISSING",
        "Only the owner's own command line opens sessions of agents. Create a key for the agent instead: toolrack keys create",
      );
    const fault = agentFault(body.agent, rack.settings);
    if (fault !== undefined) throw new Problem(400, "CONFIG_INVALID", fault);
    await rack.audit({ kind: "agent-session-opened", subject: body.agent, by: identity, body: {} });
    return { body: server.agentSessions.open(body.agent) };
  },
});

const show = defineRoute({
  method: "GET",
  path: "/sign-in",
  id: "showSignIn",
  group: "sign-in",
  summary: "Show the identity of this request: agent, roles, and how it signed in.",
  answers: ok(
    "`via` is nothing for callers who have not signed in.",
    objectOf<SignedIn>({
      agent: { type: "string" },
      roles: { type: "array", items: { type: "string" } },
      via: { enum: ["nothing", "owner", "key", "token"] },
    }),
  ),
  run: ({ identity: { agent, roles, via } }) => ({ body: { agent, roles: [...roles], via } }),
});

const prove = defineRoute({
  method: "GET",
  path: "/sign-in/server",
  id: "proveServer",
  group: "sign-in",
  summary: "Prove to the owner's command line that this is the server that announced itself on this machine, before it sends a token.",
  needs: "public",
  query: {
    type: "object",
    properties: { challenge: { type: "string", minLength: 16, maxLength: 100, description: "Random text." } },
    required: ["challenge"],
    additionalProperties: false,
  },
  answers: ok(
    "An HMAC of the challenge with the secret that it wrote into the user's state folder.",
    objectOf<ServerProof>({ proof: { type: "string" } }),
  ),
  run({ server, query }) {
    const proof = server.prove(query.challenge);
    if (proof !== undefined) return { body: { proof } };
    throw new Problem(404, "NOT_FOUND", "This server did not announce itself on this machine. Sign in with an API key.");
  },
});

const signOut = defineRoute({
  method: "DELETE",
  path: "/sign-in",
  id: "signOut",
  group: "sign-in",
  summary: "Sign out: end the current session.",
  answers: nothing,
  run({ server, identity }) {
    if (server.sessions.end(identity.credential) || server.agentSessions.end(identity.credential)) return {};
    throw new Problem(409, "STATE_INVALID", "This request was not made with a session. Keys are revoked at /keys.");
  },
});

export const signInRoutes: RoutesOf<SignInAnswers> = [makeCode, exchange, openAgentSession, show, prove, signOut];
