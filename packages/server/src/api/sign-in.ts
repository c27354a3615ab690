import { defineRoute, type RoutesOf } from "../http/route.ts";
import type { Identity } from "../http/sign-in/identity.ts";
import { Problem } from "../http/reply/problem.ts";
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

export interface SignInAnswers {
  "POST /sign-in/codes": SignInCode;
  "POST /sign-in": SignInSession;
  "GET /sign-in": SignedIn;
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
  summary: "Exchange a code for a session of the owner, for requests from the same machine.",
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

const signOut = defineRoute({
  method: "DELETE",
  path: "/sign-in",
  id: "signOut",
  group: "sign-in",
  summary: "End the session of this request.",
  answers: nothing,
  run({ server, identity }) {
    if (server.sessions.end(identity.credential)) return {};
    throw new Problem(409, "STATE_INVALID", "This request was not made with a session. Keys are revoked at /keys.");
  },
});

export const signInRoutes: RoutesOf<SignInAnswers> = [makeCode, exchange, show, signOut];
