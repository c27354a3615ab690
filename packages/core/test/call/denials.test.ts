import { describe, expect, it } from "vitest";
import { abortedFailure } from "../../src/call/wrappers/_shared.ts";
import { withWrapper } from "../../src/call/wrap-tool.ts";
import { readPolicyConfig } from "../../src/policy/config/config.ts";
import { describeUnknownAgent } from "../../src/policy/steps/unknown-agents.ts";
import { createRegistry } from "../../src/registry/create.ts";
import { fakeCall, fakeTool } from "../../src/testing/fake-call.ts";
import type { Answer } from "../../src/tool/context.ts";

describe("a call that a person does not agree to", () => {
  const because = "Each call of `echo` needs a person's approval because of `echo` in tools.ask.";
  const long = "x".repeat(600);

  it.each<[Answer, string]>([
    [{ action: "decline" }, `A person denied the call of tool "echo". ${because}`],
    [{ action: "decline", reason: " Not now. " }, `A person denied the call of tool "echo", with this reason: "Not now.". ${because}`],
    [{ action: "decline", reason: " " }, `A person denied the call of tool "echo". ${because}`],
    [{ action: "decline", reason: long }, `A person denied the call of tool "echo", with this reason: "${"x".repeat(500)}". ${because}`],
    [{ action: "cancel" }, `Nobody approved in time the call of tool "echo". ${because}`],
  ])("says who said no, and why: %j", async (answer, error) => {
    const policy = readPolicyConfig({ tools: { ask: ["echo"] } });
    const registry = createRegistry({ policy, approver: { ask: async () => answer } });
    registry.register(fakeTool());
    expect(await registry.invoke("echo", {})).toMatchObject({ ok: false, code: "APPROVAL_DENIED", error });
  });
});

describe("a call that ended before its handler began", () => {
  it.each<[unknown, string, string]>([
    [new DOMException("late", "TimeoutError"), "TIMEOUT", 'Tool "echo" ran out of time in the queue.'],
    [new Error("gone"), "ABORTED", 'The call of tool "echo" was cancelled in the queue.'],
    [null, "ABORTED", 'The call of tool "echo" was cancelled in the queue.'],
    ["TimeoutError", "ABORTED", 'The call of tool "echo" was cancelled in the queue.'],
  ])("ran out of time or was cancelled: %s", (reason, code, error) => {
    const call = fakeCall();
    call.abort(reason);
    expect(abortedFailure(call, "in the queue")).toMatchObject({ code, error });
  });
});

describe("a wrapped tool", () => {
  it("sees the path rules of the call that it is part of", async () => {
    const rules = () => "no";
    const seen: unknown[] = [];
    const tool = withWrapper(fakeTool({ handler: (_, { pathRules }) => void seen.push(pathRules) }), { name: "noting" });
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    await tool.handler({}, { callId: "c-1", caller: {}, signal: new AbortController().signal, log, pathRules: rules } as never);
    expect(seen).toEqual([rules]);
  });
});

describe("an agent that is not listed", () => {
  const line = (yaml: string): string => `add this line under policy.agents in the configuration: \`${yaml}\``;

  it.each<[string | undefined, object | undefined, string, string]>([
    [
      undefined,
      undefined,
      "the caller names no agent, and only agents that the configuration lists may use tools",
      "Call as an agent that the configuration lists under policy.agents",
    ],
    [
      " ",
      undefined,
      "the caller names no agent, and only agents that the configuration lists may use tools",
      "Call as an agent that the configuration lists under policy.agents",
    ],
    [
      "zoe",
      undefined,
      'the configuration does not list the agent "zoe"',
      `To let it use some tools, ${line("zoe: { tools: { allow: [<tools>] } }")}`,
    ],
    [
      "my bot",
      { name: "read" },
      'the configuration does not list the agent "my bot"',
      `To let it use \`read\`, ${line('"my bot": { tools: { allow: ["read"] } }')}`,
    ],
    [
      "suport",
      { name: "read" },
      'the configuration does not list the agent "suport"',
      `Did you mean "support"? To let it use \`read\`, ${line('suport: { tools: { allow: ["read"] } }')}`,
    ],
    [
      "zoe",
      { name: "say", metadata: { pluginId: "voice" } },
      'the configuration does not list the agent "zoe"',
      `To let it use \`say\`, ${line('zoe: { tools: { profile: minimal, alsoAllow: ["say"] } }')}`,
    ],
    [
      "Anonymous",
      { name: "read" },
      "the caller has not signed in, and the configuration lists no tools for callers without a key",
      `Sign in with an API key, created with: toolrack keys create <agent>. To let everyone who can reach the server use \`read\`, ${line('Anonymous: { tools: { allow: ["read"] } }')}`,
    ],
  ])("is told why, and the line that lets it in: %j %j", (agent, tool, reason, remedy) => {
    expect(describeUnknownAgent(agent, ["support", "desk"], tool as never)).toEqual({ reason, remedy });
  });
});

describe("what an operator should know about a caller", () => {
  it("is in the view of the registry", () => {
    const policy = readPolicyConfig({ tools: { deny: ["ecko"] } });
    const registry = createRegistry({ policy });
    registry.register(fakeTool());
    expect(registry.view({}).warnings.map(({ message }) => message)).toEqual([
      'No tool matches "ecko" (did you mean "echo"?) in tools.deny, so nothing is denied by it.',
    ]);
  });
});
