import { describe, expect, it } from "vitest";
import { presentCaller } from "../../../src/rack/jobs/present-caller.ts";

const ann = { agent: "ann", principal: "key ann", roles: ["admin", "curator"], owner: true } as const;
const now = 1_000;
const keysOf = (...keys: readonly object[]): Parameters<typeof presentCaller>[1] => ({
  list: () => Promise.resolve(keys as never),
  wereMade: () => keys.length > 0,
});
const key = { agent: "ann", roles: ["admin"] };

describe("a caller of earlier", () => {
  it("has no rights from the moment at which its key expires", async () => {
    expect(await presentCaller(ann, keysOf({ ...key, expiresAt: now + 1 }), now)).toMatchObject({ agent: "ann" });
    expect(await presentCaller(ann, keysOf({ ...key, expiresAt: now }), now)).toBe('The key of "ann" was revoked or has expired.');
    expect(await presentCaller(ann, keysOf({ ...key, agent: "bob" }), now)).toBe('The key of "ann" was revoked or has expired.');
  });

  it("has the roles that any of its keys has, and is the owner only with that role", async () => {
    const present = await presentCaller(ann, keysOf({ ...key, roles: ["curator"] }, { ...key, expiresAt: 1 }), now);
    expect(present).toEqual({ agent: "ann", principal: "key ann", roles: ["curator"] });
    expect(await presentCaller(ann, keysOf({ ...key, roles: ["owner"] }, key), now)).toMatchObject({ owner: true });
  });

  it("SD10: has none without a sign-in, once there was a key", async () => {
    const anonymous = { agent: "anonymous", principal: "anonymous", roles: [] };
    expect(await presentCaller(anonymous, keysOf(), now)).toBe(anonymous);
    expect(await presentCaller(anonymous, keysOf(key), now)).toEqual(expect.stringMatching(/not signed in/));
  });

  it("acts as another agent only while it is an admin", async () => {
    const acting = { ...ann, agent: "bob", acting: true };
    expect(await presentCaller(acting, keysOf(key), now)).toMatchObject({ agent: "bob" });
    expect(await presentCaller(acting, keysOf({ ...key, roles: ["curator"] }), now)).toBe(
      '"ann" is not an admin any more, and may not act as "bob".',
    );
  });
});
