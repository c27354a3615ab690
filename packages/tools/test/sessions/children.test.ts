import { describe, expect, it } from "vitest";
import { childCaller, originOf } from "../../src/sessions/child-caller.ts";
import { findChildren } from "../../src/sessions/child-target.ts";
import type { ChildRun } from "../../src/sessions/host.ts";

const run = (id: string, more: Partial<ChildRun> = {}): ChildRun => ({
  id,
  sessionKey: `key-${id}`,
  task: "t",
  agent: "a",
  status: "running",
  startedAt: 1,
  ...more,
});
const listed = [
  run("r1", { label: "tea" }),
  run("r2", { status: "done", label: "old" }),
  run("r3", { label: "two" }),
  run("r4", { label: "two" }),
  run("r5", { label: "old", status: "failed" }),
  run("5"),
];

describe("the children that a target names", () => {
  it.each<[target: string, ids: string[]]>([
    ["r2", ["r2"]],
    ["key-r3", ["r3"]],
    ["all", ["r1", "r3", "r4", "5"]],
    ["last", ["r1"]],
    ["2", ["r2"]],
    ["5", ["5"]],
    ["tea", ["r1"]],
    ["old", ["r2"]],
  ])("%s: %j", (target, ids) => {
    const found = findChildren(target, listed);
    expect("children" in found && found.children.map(({ id }) => id)).toEqual(ids);
  });

  it.each([
    ["two", '2 running children have the label "two". Name one by its id: r3, r4.'],
    ["7", 'None of your children is "7". The action list names them.'],
    ["0", 'None of your children is "0". The action list names them.'],
    ["01", 'None of your children is "01". The action list names them.'],
    ["x".repeat(130), `None of your children is "${"x".repeat(120)}". The action list names them.`],
  ])("%s is none: %s", (target, error) => expect(findChildren(target, listed)).toEqual({ error }));

  it("is the one running child of a label, and nobody where there are none", () => {
    const found = findChildren("two", [run("r1", { label: "two", status: "done" }), run("r2", { label: "two" })]);
    expect(found).toMatchObject({ children: [{ id: "r2" }] });
    expect(findChildren("last", [])).toEqual({ error: 'None of your children is "last". The action list names them.' });
    expect(findChildren("all", [])).toEqual({ children: [] });
  });
});

describe("the caller of a child", () => {
  const parent = { agent: "a", tenant: "t", principal: "p", owner: true, model: "m", provider: "v", roles: ["emitter"] };
  const facts = { agent: "b", session: "key", depth: 2, inherited: ["x"] };

  it("has what restricts its parent, is not the owner, and has a model of its own", () => {
    const base = {
      tenant: "t",
      principal: "p",
      roles: ["emitter"],
      agent: "b",
      session: "key",
      subagentDepth: 2,
      inherited: ["x"],
      owner: false,
    };
    expect(childCaller(parent, facts)).toEqual({ ...base, provider: "v" });
    expect(childCaller(parent, { ...facts, model: "n" })).toEqual({ ...base, model: "n" });
    const { provider: _, ...plain } = parent;
    expect(childCaller(plain, facts)).toEqual(base);
  });

  it("is told as the session it has, else as the agent", () => {
    expect(originOf(parent, "key")).toEqual({ kind: "session", id: "key" });
    expect(originOf(parent, undefined)).toEqual({ kind: "agent", id: "a" });
    expect(originOf({ principal: "p" }, undefined)).toEqual({ kind: "agent", id: "p" });
    expect(originOf({}, undefined)).toEqual({ kind: "agent" });
  });
});
