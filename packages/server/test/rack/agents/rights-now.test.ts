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
/** What a session knows of those above it since it was spawned. */
const above = [
  { session: "child", agent: "child-agent", model: "small" },
  { session: "root", agent: "root-agent" },
];
const parents: Readonly<Record<string, string>> = { child: "root", grandchild: "child" };
const sessionOf = (id: string) =>
  ({
    id,
    model: id === "child" ? "small" : undefined,
    agent: `${id}-agent`,
    ...(parents[id] !== undefined && { parent: parents[id] }),
  }) as Session;

/** What the grandchild may use when it goes on, where these tools are offered to the agents; "anna" has all. */
async function inheritedBy(
  offered: Readonly<Record<string, readonly string[]>>,
  {
    gone = [],
    ended = "",
    circle = false,
    knows = false,
  }: Readonly<{ gone?: string[]; ended?: string; circle?: boolean; knows?: boolean }> = {},
): Promise<readonly string[] | undefined> {
  const view: Registry["view"] = ({ agent = "", model = "", inherited } = {}) => {
    const names = (offered[`${agent} with ${model}`] ?? offered[agent] ?? ["look", "pay"]).filter(
      (name) => inherited?.includes(name) !== false,
    );
    return { tools: names.map((name) => ({ name })) } as unknown as ReturnType<Registry["view"]>;
  };
  const rightsNow = createRightsNow({
    registry: { view },
    get: async (id) => (gone.includes(id) ? undefined : circle ? ({ ...sessionOf("child"), parent: "child" } as Session) : sessionOf(id)),
    find: (id) =>
      gone.includes(id)
        ? undefined
        : ({ id, model: "scripted", models: [{ vendor: "openai-chat", name: "small" }] } as unknown as RunnableAgent),
    starterOf: ({ id }) => starters[id],
    presentCaller: async (caller) => ended || caller,
  });
  const { given, now } = await rightsNow({ id: "grandchild-agent" } as RunnableAgent, sessionOf("grandchild"), {
    ...starters["grandchild"]!,
    ...(knows && { above }),
  });
  // What is lost may come back.
  expect(given.caller.inherited).toEqual(["look", "pay"]);
  return now.caller.inherited;
}

it("AH13: a spawned session keeps what its parent, and that one's parent, still have", async () => {
  expect(await inheritedBy({})).toEqual(["look", "pay"]);
  expect(await inheritedBy({ "child-agent": ["look"] })).toEqual(["look"]);
  expect(await inheritedBy({ "root-agent": ["look"] })).toEqual(["look"]);
  expect(await inheritedBy({ "root-agent": ["look"], "child-agent": ["pay"] })).toEqual([]);
  expect(await inheritedBy({ "root-agent": ["look", "pay", "more"], "child-agent": ["look", "pay", "more"] })).toEqual(["look", "pay"]);
});

it("AH13: what its parent may not use with its model is none of its tools", async () => {
  expect(await inheritedBy({ "child-agent with small": ["look"] })).toEqual(["look"]);
  expect(await inheritedBy({ "child-agent with scripted": ["look"] })).toEqual(["look", "pay"]);
});

it("AH13: sessions that are each other's parents are followed to an end", async () => {
  expect(await inheritedBy({ "child-agent": ["look"] }, { circle: true })).toEqual(["look"]);
});

it("AH13: whoever began its parent and may do nothing any more leaves it nothing", async () => {
  expect(await inheritedBy({}, { ended: "The key was revoked." })).toEqual([]);
});

it("AH13: a session whose parent is gone has no tool that the agent of that one has lost, nor any that those above it have", async () => {
  expect(await inheritedBy({}, { gone: ["child", "root"], knows: true })).toEqual(["look", "pay"]);
  expect(await inheritedBy({ "child-agent with small": ["look"] }, { gone: ["child"], knows: true })).toEqual(["look"]);
  expect(await inheritedBy({ "root-agent": ["look"] }, { gone: ["child"], knows: true })).toEqual(["look"]);
  expect(await inheritedBy({ "root-agent": ["look"] }, { gone: ["child", "root"], knows: true })).toEqual(["look"]);
  expect(await inheritedBy({ "root-agent": ["look"] }, { gone: ["child-agent"], knows: true })).toEqual(["look"]);
  expect(await inheritedBy({}, { gone: ["child"], ended: "The key was revoked.", knows: true })).toEqual([]);
});

it("a session whose agent above is gone, or of an earlier build whose parent is gone, keeps what it was given", async () => {
  expect(await inheritedBy({ "child-agent": ["look"] }, { gone: ["child-agent"], knows: true })).toEqual(["look", "pay"]);
  expect(await inheritedBy({ "child-agent": ["look"] }, { gone: ["child"] })).toEqual(["look", "pay"]);
});
