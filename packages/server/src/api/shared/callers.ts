import { isDeepStrictEqual } from "node:util";
import type { Caller } from "@toolrack/core";
import type { JsonSchema } from "@toolrack/json-schema";
import { agentNameRefused, nameFault } from "../../config/checks/name-fault.ts";
import type { Identity, ServerRole } from "../../http/sign-in/identity.ts";
import { Problem } from "../../http/reply/problem.ts";
import type { RouteRequest, SchemaOf } from "../../http/route.ts";
import { withAgentFacts } from "../../rack/access/agent-facts.ts";
import { depthOf } from "../../rack/automation/call-jobs.ts";
import { isOverseer } from "../../rack/access/visible.ts";

const text = { type: "string", minLength: 1, maxLength: 200 } as const;
const depth = { type: "integer", minimum: 0, maximum: 100 } as const;

/** A caller in a request: all facts that a policy can use. */
export const callerSchema: JsonSchema = {
  type: "object",
  properties: {
    agent: text,
    provider: text,
    model: text,
    channel: text,
    group: text,
    sender: text,
    owner: { type: "boolean" },
    tenant: text,
    session: text,
    run: text,
    subagentDepth: depth,
    sandboxed: { type: "boolean" },
    phase: text,
    roles: { type: "array", items: text, maxItems: 20 },
    inherited: { type: "array", items: text, maxItems: 10_000 },
  },
  additionalProperties: false,
};

/** A caller in an answer: with the principal that made the request, and whether that one acts as another. */
export const shownCallerSchema: SchemaOf<Caller> = {
  ...callerSchema,
  properties: {
    ...(callerSchema["properties"] as Readonly<Record<string, JsonSchema>>),
    principal: { type: "string" },
    acting: { type: "boolean" },
  },
};

/**
 * Facts that an agent may state about its own calls. None of them gives more rights: a session and a run are counted and remembered, a
 * sandbox and a depth only restrict.
 */
export const ownFacts: Readonly<Record<"session" | "run" | "subagentDepth" | "sandboxed", JsonSchema>> = {
  session: { ...text, description: 'Approvals "for the session" are valid for calls with the same session.' },
  run: { ...text, description: "The calls of one run share a budget." },
  subagentDepth: depth,
  sandboxed: { const: true },
};

/** By which an admin acts as another caller, in a body or a query. */
export const runAsParameters: Readonly<Record<"runAs" | "run_as", JsonSchema>> = {
  runAs: { ...callerSchema, description: "Act as this caller. Needs the admin role, and gives no more rights than one's own." },
  run_as: { ...callerSchema, deprecated: true, description: "An alias of runAs. Different values of the two are refused." },
};

export interface ActingFacts extends Pick<Caller, "session" | "run" | "subagentDepth" | "sandboxed"> {
  readonly runAs?: Caller | undefined;
  /** An alias. */
  readonly run_as?: Caller | undefined;
}

/** The caller that a request names as `runAs`, or by its alias. */
export function runAsOf({ runAs, run_as }: Pick<ActingFacts, "runAs" | "run_as">): Caller | undefined {
  if (runAs === undefined || run_as === undefined) return runAs ?? run_as;
  if (isDeepStrictEqual(runAs, run_as)) return runAs;
  throw new Problem(400, "REQUEST_INVALID", "The request has both runAs and run_as, with different values. Send runAs only.");
}

/** The caller of a request: the one that signed in, or, for an admin, another one. */
export function callerFor({ rack, identity }: Pick<RouteRequest, "rack" | "identity">, acting: ActingFacts = {}): Caller {
  const { session, run, subagentDepth, sandboxed } = acting;
  const other = runAsOf(acting);
  if (depthOf({ run }) !== undefined || depthOf(other ?? {}) !== undefined)
    throw new Problem(400, "REQUEST_INVALID", 'A run whose name begins with "automation " is one of the server. Choose another name.');
  const own = defined({ session, run, subagentDepth, sandboxed });
  if (other !== undefined) return withAgentFacts(rack, actAs(identity, withOwnFacts(other, own)));
  const caller = withAgentFacts(rack, identity.caller);
  return Object.keys(own).length === 0 ? caller : { ...caller, ...own };
}

/** What a request says of its own call holds for the caller that it acts as. */
function withOwnFacts(other: Caller, own: Partial<Pick<Caller, keyof typeof ownFacts>>): Caller {
  for (const [name, value] of Object.entries(own) as [keyof typeof ownFacts, unknown][])
    if (other[name] !== undefined && other[name] !== value)
      throw new Problem(
        400,
        "REQUEST_INVALID",
        `The request has ${name} beside runAs and in it, with different values. Send one of them only.`,
      );
  return { ...other, ...own };
}

/** Lets an admin act as another caller, without the owner's rights or a role that the admin does not have. */
function actAs(identity: Identity, caller: Caller): Caller {
  if (!identity.roles.has("admin"))
    throw new Problem(403, "ROLE_MISSING", `"${identity.agent}" may not act as others: that needs the role "admin".`);
  const fault = caller.agent === undefined ? undefined : nameFault(caller.agent);
  if (fault !== undefined) throw new Problem(400, "REQUEST_INVALID", agentNameRefused("The request", caller.agent!, fault));
  if (caller.owner === true && !identity.roles.has("owner"))
    throw new Problem(403, "ROLE_MISSING", `"${identity.agent}" is not the owner, and may not act as the owner.`);
  const missing = caller.roles?.find((role) => !identity.roles.has(role as ServerRole));
  if (missing !== undefined)
    throw new Problem(403, "ROLE_MISSING", `"${identity.agent}" does not have the role "${missing}", and may not act with it.`);
  const { tenant } = identity.caller;
  if (caller.tenant !== undefined && caller.tenant !== tenant)
    throw new Problem(403, "ROLE_MISSING", `"${identity.agent}" may not act for the tenant "${caller.tenant}".`);
  return { ...caller, principal: identity.principal, acting: true, ...(tenant !== undefined && { tenant }) };
}

/**
 * Whether a call belongs to the caller: made with the same key, or with a token of the same issuer and subject. Older calls, without a
 * principal, belong to the key with the same name, and never to a token.
 */
export function isOwn(identity: Identity, caller: Caller): boolean {
  if (caller.principal !== undefined) return caller.principal === identity.principal;
  return identity.via !== "token" && caller.agent === identity.agent;
}

/** The same for the log: the principals of the caller's own calls. */
export function ownPrincipals({ via, principal }: Identity): readonly string[] {
  return via === "token" ? [principal] : [principal, ""];
}

/** Whether the caller may see rights and calls of others. */
export function seesOthers({ roles }: Identity): boolean {
  return isOverseer(roles);
}

/** The caller that a question about the policy is for: the own one, or, with a role that sees others, any. */
export function subjectOf(request: Pick<RouteRequest, "rack" | "identity">, caller: Caller | undefined): Caller {
  const { identity, rack } = request;
  if (caller === undefined) return callerFor(request);
  const isItself = Object.keys(caller).every((fact) => fact === "agent") && caller.agent === identity.agent;
  if (isItself) return callerFor(request);
  if (!seesOthers(identity))
    throw new Problem(
      403,
      "ROLE_MISSING",
      `"${identity.agent}" may ask about itself only. Asking about others needs the role "subscriber", "curator" or "admin".`,
    );
  return withAgentFacts(rack, caller);
}

function defined<Facts extends object>(facts: Facts): Facts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)) as Facts;
}
