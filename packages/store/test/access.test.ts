import { describe, expect, it } from "vitest";
import {
  type Actor,
  curatorSchemas,
  isCurator,
  localActor,
  mayApproveOwn,
  mayRead,
  mayWrite,
  ownContent,
  readActor,
  requireRole,
  type Role,
} from "../src/access.ts";
import type { Breadcrumb } from "../src/record/breadcrumb.ts";

const actor = (roles: readonly Role[], more: Partial<Actor> = {}): Actor => ({ owner: "acme", agent: "ada", roles, ...more });
const record = (more: Partial<Breadcrumb> = {}): Breadcrumb =>
  ({ owner: "acme", created_by: "bob", visibility: "team", ...more }) as Breadcrumb;

describe("an actor", () => {
  it("is read once: names checked, roles copied, nothing else taken along", () => {
    const roles: Role[] = ["emitter"];
    const read = readActor({ ...actor(roles), principal: "p", signedInAs: "s", approvesOwn: true, more: 1 } as Actor);
    roles.push("curator");
    expect(read).toEqual({ owner: "acme", agent: "ada", principal: "p", signedInAs: "s", roles: ["emitter"], approvesOwn: true });
    expect([Object.isFrozen(read), Object.isFrozen(read.roles)]).toEqual([true, true]);
    for (const approvesOwn of [false, undefined, "yes"]) expect(readActor({ ...actor([]), approvesOwn } as Actor)).toEqual(actor([]));
    expect(readActor({ ...actor([]), principal: 5, signedInAs: 6 } as unknown as Actor)).toMatchObject({ principal: "5", signedInAs: "6" });
  });

  it("is refused with a name or a role that is none", () => {
    expect(() => readActor(actor(["admin" as Role]))).toThrow(
      expect.objectContaining({ code: "FORBIDDEN", message: '"admin" is not a role. Roles are emitter, subscriber, curator.' }),
    );
    expect(() => readActor({ ...actor([]), owner: "" })).toThrow('owner "" must be');
    expect(() => readActor({ ...actor([]), agent: "a\nb" })).toThrow("agent ");
  });

  it("without a sign-in is the owner of the machine", () => {
    expect(localActor).toEqual({ owner: "local", agent: "local", roles: ["curator"], approvesOwn: true });
    expect([isCurator(localActor), mayApproveOwn(localActor)]).toEqual([true, true]);
    expect([mayApproveOwn(actor(["curator"])), mayApproveOwn(actor(["emitter"], { approvesOwn: true }))]).toEqual([false, false]);
  });

  it("needs the role for an action, or that of a curator", () => {
    expect(() => requireRole(actor(["subscriber"]), "subscriber", "follow the feed")).not.toThrow();
    expect(() => requireRole(actor(["curator"]), "subscriber", "follow the feed")).not.toThrow();
    expect(() => requireRole(actor(["emitter"]), "subscriber", "follow the feed")).toThrow(
      expect.objectContaining({ code: "FORBIDDEN", message: '"ada" may not follow the feed: that needs the role "subscriber".' }),
    );
    expect(ownContent(actor([]), "d1")).toMatchObject({
      code: "FORBIDDEN",
      message: expect.stringContaining('"ada" wrote this content of the definition "d1"'),
    });
  });

  it("who is no curator may not write what decides about others", () => {
    expect([...curatorSchemas]).toEqual(["tool.config.v1", "tool.secret.v1", "tool.bundle.v1", "registry.settings.v1", "toolrack.key.v1"]);
  });
});

describe("who may read and write a record", () => {
  const own = { created_by: "ada" };
  const granted = (grant: "read" | "write") => ({ visibility: "private" as const, grants: { ada: grant } });

  it.each<[what: string, Breadcrumb, readers: readonly boolean[], writers: readonly boolean[]]>([
    // No role, emitter, subscriber, curator.
    ["public", record({ visibility: "public" }), [true, true, true, true], [false, false, false, true]],
    ["of the team", record(), [false, true, true, true], [false, false, false, true]],
    ["private", record({ visibility: "private" }), [false, false, false, true], [false, false, false, true]],
    ["one's own", record({ ...own, visibility: "private" }), [true, true, true, true], [false, true, false, true]],
    ["granted to read", record(granted("read")), [true, true, true, true], [false, false, false, true]],
    ["granted to write", record(granted("write")), [true, true, true, true], [false, true, false, true]],
    [
      "granted to another",
      record({ visibility: "private", grants: { eve: "write" } }),
      [false, false, false, true],
      [false, false, false, true],
    ],
    [
      "of another owner",
      record({ ...own, owner: "other", visibility: "public" }),
      [false, false, false, false],
      [false, false, false, false],
    ],
  ])("%s", (_what, one, readers, writers) => {
    const actors = ([[], ["emitter"], ["subscriber"], ["curator"]] as Role[][]).map((roles) => actor(roles));
    expect(actors.map((each) => mayRead(each, one))).toEqual(readers);
    expect(actors.map((each) => mayWrite(each, one))).toEqual(writers);
  });

  it("a grant for a name that every object has is none", () => {
    const named = actor(["emitter"], { agent: "constructor" });
    const one = record({ visibility: "private", grants: {} });
    expect([mayRead(named, one), mayWrite(named, one)]).toEqual([false, false]);
  });
});
