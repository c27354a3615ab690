import { describe, expect, it } from "vitest";
import { Credential } from "../../../src/http/sign-in/credential.ts";
import { identify } from "../../../src/http/sign-in/identify.ts";
import { anonymousOf, type Identity, nobody, ownerOf, serverRoles, toIdentity } from "../../../src/http/sign-in/identity.ts";
import type { RequestServices } from "../../../src/http/request/services.ts";
import type { Route } from "../../../src/http/route.ts";
import type { HttpRequest } from "../../../src/http/transport/exchange.ts";

const rack = { store: { actor: { owner: "acme", agent: "server", roles: [] } } };
const withRoles = (...roles: readonly string[]): Identity => toIdentity({ agent: "ada", roles, via: "key", storeOwner: "acme" });

describe("an identity", () => {
  it.each([
    [["emitter"], ["emitter"], ["emitter"]],
    [["subscriber"], ["subscriber"], ["subscriber"]],
    [
      ["subscriber", "emitter"],
      ["emitter", "subscriber"],
      ["emitter", "subscriber"],
    ],
    [["curator"], ["curator", "emitter", "subscriber"], ["curator"]],
    [["admin"], ["admin", "curator", "emitter", "subscriber"], ["curator"]],
    [["owner"], ["owner"], []],
    [["boss", "__proto__", "constructor"], [], []],
    [[], [], []],
  ])("with the roles %j has %j, and %j in the store", (given, roles, inStore) => {
    const identity = withRoles(...given);
    expect([...identity.roles].toSorted()).toEqual(roles);
    expect([...identity.caller.roles!].toSorted()).toEqual(roles);
    expect([...identity.actor.roles].toSorted()).toEqual(inStore);
  });

  it("is a caller for the policy, and an actor for the store, with all that both look at", () => {
    const credential = new Credential({ id: "key 1", clock: { now: () => 0, after: () => () => undefined } });
    expect(toIdentity({ agent: "ada", roles: ["emitter"], via: "key", storeOwner: "acme", credential })).toEqual({
      agent: "ada",
      roles: new Set(["emitter"]),
      via: "key",
      principal: "key ada",
      credential,
      caller: { agent: "ada", principal: "key ada", roles: ["emitter"] },
      actor: { owner: "acme", agent: "ada", principal: "key ada", roles: ["emitter"] },
    });
    const principal = "token https://a.example/ 42";
    expect(toIdentity({ agent: "ada", roles: ["curator"], via: "token", storeOwner: "acme", principal })).toEqual({
      agent: "ada",
      roles: new Set(["curator", "emitter", "subscriber"]),
      via: "token",
      principal,
      caller: { agent: "ada", principal, roles: expect.arrayContaining(["curator"]) },
      actor: { owner: "acme", agent: principal, principal, signedInAs: "ada", roles: ["curator"] },
    });
  });

  it("is an owner by that role alone, and never by a token", () => {
    expect(withRoles("owner")).toMatchObject({ caller: { owner: true }, actor: { approvesOwn: true } });
    expect(withRoles("admin").caller).not.toHaveProperty("owner");
    expect(withRoles("admin").actor).not.toHaveProperty("approvesOwn");
    const byToken = toIdentity({ agent: "ada", roles: ["owner", "emitter"], via: "token", storeOwner: "acme" });
    expect([...byToken.roles]).toEqual(["emitter"]);
    expect(byToken.caller).not.toHaveProperty("owner");
  });

  it("is named by how it was proven, unless the sign-in knows better", () => {
    expect(withRoles()).toMatchObject({ via: "key", principal: "key ada", caller: { agent: "ada", principal: "key ada" } });
    const named = toIdentity({ agent: "ada", roles: [], via: "token", storeOwner: "acme", principal: "token https://a.example/ 42" });
    expect(named).toMatchObject({ principal: "token https://a.example/ 42", actor: { principal: "token https://a.example/ 42" } });
    expect(ownerOf(rack)).toMatchObject({ agent: "owner", principal: "owner", via: "owner", actor: { owner: "acme" } });
    expect([...ownerOf(rack).roles].toSorted()).toEqual(serverRoles.toSorted());
    expect(anonymousOf(rack)).toMatchObject({ agent: "anonymous", principal: "anonymous", via: "nothing", actor: { owner: "acme" } });
    expect(anonymousOf(rack).roles.size).toBe(0);
    expect(nobody).toMatchObject({ agent: "nobody", via: "nothing", actor: { owner: "nobody" } });
  });
});

describe("identifying a caller", () => {
  interface Tried {
    readonly outcome: unknown;
    /** Whose share of requests was used. */
    readonly taken: readonly string[];
  }

  async function tried(needs: Route["needs"], signIn: () => Identity | Promise<Identity>, remoteAddress?: string): Promise<Tried> {
    const taken: string[] = [];
    const services = { rates: { take: (caller: string) => void taken.push(caller) }, signIn } as unknown as RequestServices;
    const route = needs === undefined ? {} : { needs };
    const attempt = async (): Promise<Identity> => identify(route, services, { remoteAddress } as HttpRequest);
    const outcome = await attempt().catch((error: unknown) => error);
    return { outcome, taken };
  }

  it("uses the share of the caller, and lets in who has one of the roles", async () => {
    const ada = withRoles("subscriber");
    for (const signIn of [() => ada, async () => ada]) {
      expect(await tried(undefined, signIn)).toEqual({ outcome: ada, taken: ["key ada"] });
      expect(await tried(["curator", "subscriber"], signIn)).toEqual({ outcome: ada, taken: ["key ada"] });
      const refused = await tried(["curator", "admin"], signIn);
      expect(refused.outcome).toMatchObject({
        status: 403,
        code: "ROLE_MISSING",
        message: '"ada" may not do this: it needs the role "curator" or "admin".',
      });
      expect(refused.taken).toEqual(["key ada"]);
    }
  });

  it("uses the share of the address where the sign-in fails, and where none is asked for", async () => {
    const error = new Error("refused");
    const failing = (): never => {
      throw error;
    };
    for (const signIn of [failing, async () => failing()]) {
      expect(await tried("anyone", signIn, "10.0.0.7")).toEqual({ outcome: error, taken: ["address 10.0.0.7"] });
      expect(await tried(["admin"], signIn)).toEqual({ outcome: error, taken: ["address unknown"] });
      expect(await tried("public", signIn, "10.0.0.7")).toEqual({ outcome: nobody, taken: ["address 10.0.0.7"] });
      expect(await tried("public", signIn)).toEqual({ outcome: nobody, taken: ["address unknown"] });
    }
  });
});
