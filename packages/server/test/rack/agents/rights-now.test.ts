import type { Caller, Registry } from "@toolrack/core";
import type { Session } from "@toolrack/store";
import { expect, it } from "vitest";
import type { RunnableAgent } from "../../../src/config/agents.ts";
import type { Starter } from "../../../src/rack/agents/host-state.ts";
import { createRightsNow } from "../../../src/rack/agents/rights-now.ts";

const spawned = { mode: "session", cleanup: "keep", runTimeoutMs: 0, task: "Go." } as const;
const anna: Caller = { agent: "anna", principal: "key anna" };
const starters: Readonly<Record<string, Starter>> = {
  root: { caller: anna, isPerson: false },
  child: { caller: { ...anna, inherited: ["look", "pay"] }, isPerson: false, spawned },
  grandchild: { caller: { ...anna, inherited: ["look", "pay"] }, isPerson: false, spawned },
};
const parents: Readonly<Record<string, string>> = { child: "root", grandchild: "child" };
const sessionOf = (id: string) => ({ id, agent: `${id}-agent`, ...(parents[id] !== undefined && { parent: parents[id] }) }) as Session;

/** What the grandchild may use when it goes on, where these tools are offered to the agents; "anna" has all. */
async function inheritedBy(
  offered: Readonly<Record<string, readonly string[]>>,
  { gone = "", ended = "" }: { readonly gone?: string; readonly ended?: string } = {},
): Promise<readonly string[] | undefined> {
  const view: Registry["view"] = ({ agent = "", inherited } = {}) => {
    const names = (offered[agent] ?? ["look", "pay"]).filter((name) => inherited?.includes(name) !== false);
    return { tools: names.map((name) => ({ name })) } as unknown as ReturnType<Registry["view"]>;
  };
  const rightsNow = createRightsNow({
    registry: { view },
    get: async (id) => (id === gone ? undefined : sessionOf(id)),
    find: (id) => (id === gone ? undefined : ({ id } as RunnableAgent)),
    starterOf: ({ id }) => starters[id],
    presentCaller: async (caller) => ended || caller,
  });
  const starter = await rightsNow({ id: "grandchild-agent" } as RunnableAgent, sessionOf("grandchild"), starters["grandchild"]!);
  return starter.caller.inherited;
}

it("AH13: a spawned session keeps what its parent, and that one's parent, still have", async () => {
  expect(await inheritedBy({})).toEqual(["look", "pay"]);
  expect(await inheritedBy({ "child-agent": ["look"] })).toEqual(["look"]);
  expect(await inheritedBy({ "root-agent": ["look"] })).toEqual(["look"]);
  expect(await inheritedBy({ "root-agent": ["look"], "child-agent": ["pay"] })).toEqual([]);
  expect(await inheritedBy({ "root-agent": ["look", "pay", "more"], "child-agent": ["look", "pay", "more"] })).toEqual(["look", "pay"]);
});

it("AH13: whoever began its parent and may do nothing any more leaves it nothing", async () => {
  expect(await inheritedBy({}, { ended: "The key was revoked." })).toEqual([]);
});

it("a session whose parent is gone, or that one's agent, keeps what it was given", async () => {
  expect(await inheritedBy({ "child-agent": ["look"] }, { gone: "child" })).toEqual(["look", "pay"]);
  expect(await inheritedBy({ "child-agent": ["look"] }, { gone: "child-agent" })).toEqual(["look", "pay"]);
});
