import type { Breadcrumb, WriteResult } from "@toolrack/store";
import { describe, expect, it } from "vitest";
import { answerWith } from "../../src/api/_results.ts";
import { callerFor, isOwn, ownPrincipals, runAsOf, seesOthers, subjectOf } from "../../src/api/shared/callers.ts";
import { readReadiness } from "../../src/api/shared/readiness.ts";
import { answerWritten, etagOf, mustBeWritten, notFound, readIfMatch } from "../../src/api/shared/records.ts";
import type { Problem } from "../../src/http/reply/problem.ts";
import type { RouteRequest } from "../../src/http/route.ts";
import { type Identity, toIdentity } from "../../src/http/sign-in/identity.ts";

function problemOf(act: () => unknown): Problem {
  try {
    act();
  } catch (error) {
    return error as Problem;
  }
  throw new Error("It was not refused.");
}

const signedIn = (roles: readonly string[] = [], via: Identity["via"] = "key", tenant?: string): Identity => {
  const identity = toIdentity({ agent: "ada", roles, via, storeOwner: "acme" });
  return tenant === undefined ? identity : { ...identity, caller: { ...identity.caller, tenant } };
};

/** The rack of a configuration that says of the agent "ada" which model it uses. */
const rack = {
  settings: { get: (key: string) => (key === "agents.ada" ? { key, value: { model: "gpt-5" }, origin: "file" } : undefined) },
} as unknown as RouteRequest["rack"];

describe("the ETag of a record", () => {
  it("is its version in quotes, and is read as such from If-Match", () => {
    expect(etagOf({ version: 3 })).toBe('"3"');
    expect([readIfMatch(undefined), readIfMatch("*"), readIfMatch('"3"'), readIfMatch('"0"')]).toEqual([undefined, undefined, 3, 0]);
    for (const wrong of ["3", 'W/"3"', '"x"', '"3", "4"', '""', '"1234567890123456"'])
      expect(
        problemOf(() => readIfMatch(wrong)),
        wrong,
      ).toMatchObject({ status: 400, code: "REQUEST_INVALID" });
  });

  it("goes with what was written", async () => {
    const record = { id: "a", version: 2, schema_name: "note.v1" } as unknown as Breadcrumb;
    expect(mustBeWritten({ ok: true, record } as WriteResult)).toBe(record);
    expect(await answerWritten({ rack }, record)).toEqual({ status: 200, body: record, headers: { etag: '"2"' } });
    expect(await answerWritten({ rack }, record, 201)).toMatchObject({ status: 201 });
  });
});

describe("what was not written", () => {
  it.each([
    ["not-found", 404, "NOT_FOUND"],
    ["taken", 409, "ALREADY_THERE"],
    ["conflict", 412, "VERSION_CONFLICT"],
  ] as const)("because of %s is answered with %i", (code, status, problem) => {
    expect(problemOf(() => mustBeWritten({ ok: false, code, message: "No." } as never))).toMatchObject({
      status,
      code: problem,
      message: "No.",
    });
  });

  it("tells the version that is there, if it is known", () => {
    const conflict = { ok: false, code: "conflict", message: "No." } as const;
    expect(problemOf(() => mustBeWritten({ ...conflict, currentVersion: 7 } as never)).options.headers).toEqual({ etag: '"7"' });
    expect(problemOf(() => mustBeWritten(conflict as never)).options.headers).toBeUndefined();
    expect(notFound('record "a"')).toMatchObject({ status: 404, code: "NOT_FOUND", message: 'There is no record "a".' });
  });
});

describe("the result of a call", () => {
  const meta = { callId: "c1", tool: "lamp", durationMs: 1 };

  it("is the body where it succeeded", () => {
    const result = { ok: true, content: "on", meta } as const;
    expect(answerWith(result)).toEqual({ body: result });
  });

  it("is a problem with the tool, the call and all that is known where it failed", () => {
    const failure = { ok: false, status: 429, code: "RATE_LIMITED", error: "Wait.", content: "Wait.", meta } as const;
    expect(problemOf(() => answerWith({ ...failure, retryable: true, retryAfterMs: 5, issues: [] } as never))).toMatchObject({
      status: 429,
      code: "RATE_LIMITED",
      message: "Wait.",
      options: { tool: "lamp", callId: "c1", issues: [], retryable: true, retryAfterMs: 5 },
    });
    expect(problemOf(() => answerWith({ ...failure, retryable: false } as never)).options).toEqual({ tool: "lamp", callId: "c1" });
  });
});

describe("the caller of a request", () => {
  const identity = signedIn();

  it("is who signed in, with what it says about its own calls", () => {
    expect(callerFor({ rack, identity })).toMatchObject({ agent: "ada", principal: "key ada", model: "gpt-5" });
    const facts = { session: "s", run: "r", subagentDepth: 0, sandboxed: true };
    expect(callerFor({ rack, identity }, facts)).toMatchObject({ agent: "ada", ...facts });
    for (const [fact, value] of Object.entries(facts)) {
      const caller = callerFor({ rack, identity }, { [fact]: value });
      expect(caller).toMatchObject({ agent: "ada", [fact]: value });
      expect(Object.values(caller)).not.toContain(undefined);
    }
  });

  it("may be another one for an admin alone, with no more rights than the admin's own", () => {
    const runAs = { agent: "bob" };
    expect(problemOf(() => callerFor({ rack, identity }, { runAs }))).toMatchObject({
      status: 403,
      code: "ROLE_MISSING",
      message: '"ada" may not act as others: that needs the role "admin".',
    });
    const admin = signedIn(["admin"]);
    expect(callerFor({ rack, identity: admin }, { runAs })).toEqual({ agent: "bob", principal: "key ada", acting: true });
    expect(callerFor({ rack, identity: admin }, { run_as: runAs })).toEqual({ agent: "bob", principal: "key ada", acting: true });
    const refusals: [object, string][] = [
      [{ owner: true }, '"ada" is not the owner, and may not act as the owner.'],
      [{ roles: ["curator", "owner"] }, '"ada" does not have the role "owner", and may not act with it.'],
      [{ tenant: "other" }, '"ada" may not act for the tenant "other".'],
    ];
    for (const [more, message] of refusals)
      expect(problemOf(() => callerFor({ rack, identity: admin }, { runAs: { ...runAs, ...more } }))).toMatchObject({
        status: 403,
        message,
      });
    const owner = signedIn(["admin", "owner"]);
    expect(callerFor({ rack, identity: owner }, { runAs: { ...runAs, owner: true } })).toMatchObject({ owner: true });
    const tenant = signedIn(["admin"], "key", "north");
    expect(callerFor({ rack, identity: tenant }, { runAs })).toMatchObject({ agent: "bob", tenant: "north" });
    expect(callerFor({ rack, identity: tenant }, { runAs: { ...runAs, tenant: "north" } })).toMatchObject({ tenant: "north" });
  });

  it("is named once, or twice in the same way", () => {
    const [ann, bob] = [{ agent: "ann" }, { agent: "bob" }];
    expect([runAsOf({}), runAsOf({ runAs: ann }), runAsOf({ run_as: bob }), runAsOf({ runAs: ann, run_as: { agent: "ann" } })]).toEqual([
      undefined,
      ann,
      bob,
      ann,
    ]);
    expect(problemOf(() => runAsOf({ runAs: ann, run_as: bob }))).toMatchObject({ status: 400, code: "REQUEST_INVALID" });
  });

  it("has its own calls by principal; older ones without one are of the key, and of no token", () => {
    const token = toIdentity({ agent: "ada", roles: [], via: "token", storeOwner: "acme", principal: "token i 1" });
    expect(isOwn(identity, { agent: "bob", principal: "key ada" })).toBe(true);
    expect(isOwn(identity, { agent: "ada", principal: "token i 1" })).toBe(false);
    expect(isOwn(identity, { agent: "ada" })).toBe(true);
    expect(isOwn(identity, { agent: "bob" })).toBe(false);
    expect(isOwn(token, { agent: "ada" })).toBe(false);
    expect(isOwn(token, { agent: "ada", principal: "token i 1" })).toBe(true);
    expect([ownPrincipals(identity), ownPrincipals(token)]).toEqual([["key ada", ""], ["token i 1"]]);
  });

  it("asks about itself, and with a role that sees others about anybody", () => {
    expect(["subscriber", "curator", "admin", "emitter"].map((role) => seesOthers(signedIn([role])))).toEqual([true, true, true, false]);
    expect(subjectOf({ rack, identity }, undefined)).toMatchObject({ agent: "ada", principal: "key ada" });
    expect(subjectOf({ rack, identity }, { agent: "ada" })).toMatchObject({ agent: "ada", principal: "key ada" });
    for (const other of [{ agent: "bob" }, { agent: "ada", channel: "mail" }, { channel: "mail" }])
      expect(problemOf(() => subjectOf({ rack, identity }, other))).toMatchObject({ status: 403, code: "ROLE_MISSING" });
    expect(subjectOf({ rack, identity: signedIn(["subscriber"]) }, { agent: "bob" })).toEqual({ agent: "bob" });
  });
});

it("a server that is shutting down is not ready, and says so beside what else is wrong", async () => {
  const ready = { isReady: true, checks: { store: "ok" }, problems: ["The disk is nearly full."] };
  const readiness = (isDraining: boolean): unknown =>
    readReadiness({ readiness: { check: async () => ready } } as never, { isDraining: () => isDraining } as never);
  expect(await readiness(false)).toEqual({ ...ready, checks: { store: "ok", serving: "ok" } });
  expect(await readiness(true)).toEqual({
    isReady: false,
    checks: { store: "ok", serving: "draining" },
    problems: ["The disk is nearly full.", "The server is shutting down."],
  });
});
