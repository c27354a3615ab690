import type { Caller } from "@toolrack/core";
import { turns } from "@toolrack/testkit/turns";
import { expect, it } from "vitest";
import { whenKeysEnd } from "../../../src/rack/keys-and-tokens/when-keys-end.ts";
import type { ApiKey, ApiKeys } from "../../../src/rack/rack.ts";

const root: Caller = { agent: "root", principal: "key root" };
const acting: Caller = { agent: "anna", principal: "key root", acting: true };
const local: Caller = { agent: "bert", principal: "key bert" };
const owner: Caller = { agent: "owner", principal: "owner" };

/** Who has lost something when a key of `agent` ends at 1,000, and these are left. */
async function lost(
  agent: string | undefined,
  ...left: readonly Pick<ApiKey, "agent" | "roles" | "expiresAt">[]
): Promise<readonly Caller[]> {
  let end: Parameters<ApiKeys["onEnd"]>[0] | undefined;
  const keys = {
    list: async () => left.map((key, index) => ({ id: `${index}`, createdAt: 0, createdBy: "test", ...key })),
    onEnd: (listener: typeof end) => ((end = listener), () => undefined),
  };
  const over: Caller[] = [];
  whenKeysEnd(
    keys,
    () => 1_000,
    (isOver) => over.push(...[root, acting, local, owner].filter(isOver)),
  );
  end!({ id: "k", ...(agent !== undefined && { agent }), isExpired: false });
  await turns(4);
  return over;
}

it("thousands of keys that end together are looked at once", async () => {
  const ends: Parameters<ApiKeys["onEnd"]>[0][] = [];
  let lists = 0;
  const keys = { list: async () => (lists++, []), onEnd: (listener: (typeof ends)[0]) => (ends.push(listener), () => undefined) };
  const over: Caller[] = [];
  whenKeysEnd(
    keys,
    () => 1_000,
    (isOver) => over.push(...[root, local, owner].filter(isOver)),
  );
  for (let index = 0; index < 3_000; index++) ends[0]!({ id: `${index}`, agent: index === 2_000 ? "ROOT" : `a${index}`, isExpired: true });
  await turns(4);
  expect([lists, over]).toEqual([1, [root]]);
  ends[0]!({ id: "later", agent: "bert", isExpired: true });
  await turns(4);
  expect([lists, over]).toEqual([2, [root, local]]);
});

it("the end of a key takes what its agent began when it was the last one, and what an admin began as another agent with the last of an admin", async () => {
  expect(await lost("root")).toEqual([root, acting]);
  expect(await lost("root", { agent: "root", roles: ["emitter"] })).toEqual([acting]);
  expect(await lost("root", { agent: "root", roles: ["admin"] })).toEqual([]);
  expect(await lost("carl")).toEqual([]);
  expect(await lost("root", { agent: "root", roles: ["admin"], expiresAt: 1_000 })).toEqual([root, acting]);
  expect(await lost("root", { agent: "root", roles: ["admin"], expiresAt: 1_001 })).toEqual([]);
  expect(await lost(undefined, { agent: "root", roles: ["admin"] })).toEqual([local]);
});
