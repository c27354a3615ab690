import { server } from "../places.mjs";

const agents = `${server}/src/rack/agents`;
const tests = `${server}/test/rack/agents`;
const contract = (name) => `packages/tools/src/testing/sessions/${name}.ts`;

/** Attacks on agents that a server runs, and on their sessions. */
export const rows = [
  {
    id: "AH12",
    attack: "a caller reads or ends the job of another's agent",
    test: `${tests}/as-job.test.ts`,
    name: "AH12: is nobody else's",
    breaks: [
      { file: `${agents}/agent-jobs.ts`, find: "job !== undefined && isSame(job.caller, caller) &&", replace: "job !== undefined &&" },
    ],
  },
  {
    id: "AH13",
    attack: "a caller uses a tool that it lacks through an agent that has it",
    test: `${tests}/rights.test.ts`,
    name: "AH13: has no tool that its caller lacks",
    breaks: [
      {
        file: `${agents}/inherit-rights.ts`,
        find: "if (agent.ownRights === true) return free;",
        replace: "if (agent.id !== undefined) return free;",
      },
    ],
  },
  {
    id: "AH13",
    attack: "a session that goes on later has tools that its caller lacks",
    test: `${tests}/rights.test.ts`,
    name: "AH13: has none either when it goes on later",
    breaks: [
      {
        file: `${agents}/create-agents.ts`,
        find: 'session.status !== "idle";\n    const { given, now: starter } = await rightsNow(agent, session, { ...known.starter, caller, isPerson });',
        replace:
          'session.status !== "idle";\n    const given = { ...known.starter, caller: { ...caller, inherited: undefined }, isPerson } as never, starter = given;',
      },
    ],
  },
  {
    id: "AH13",
    attack: "a spawned session that goes on later has a tool that its parent has lost since",
    test: `${tests}/sessions-pack.test.ts`,
    name: "AH13: take from a child that goes on later",
    breaks: [{ file: `${agents}/rights-now.ts`, find: "had.filter((name) => tools.has(name))", replace: "had" }],
  },
  {
    id: "AH13",
    attack: "a session goes on for a caller from whom the policy has taken its agent",
    test: `${tests}/rights.test.ts`,
    name: "AH13: goes on neither when it is told something nor when it is resumed",
    waits: true,
    breaks: [
      {
        file: `${agents}/create-agents.ts`,
        find: "const isAsked = starter.isAsked ?? isAskedOf(id, starter);",
        replace: "const isAsked = isAskedOf(id, starter);",
      },
    ],
  },
  {
    id: "AH13",
    attack: "a run does not notice that the policy took its agent from whoever began it, because that one has fewer tools than the agent",
    test: `${tests}/rights.test.ts`,
    name: "AH13: ends likewise where whoever began it has fewer tools than the agent",
    waits: true,
    breaks: [
      {
        file: `${agents}/create-agents.ts`,
        find: "return registry.view(withoutInherited(caller)).offered(agent) !== undefined;",
        replace: "return registry.view(caller).offered(agent) !== undefined;",
      },
    ],
  },
  {
    id: "AH14",
    attack: "a session spawns many others at the same moment, before any of them is counted",
    test: `${tests}/sessions-contract.test.ts`,
    contract: contract("children"),
    name: "AH14: a session has five running children at most, none spawns further",
    breaks: [
      {
        file: `${agents}/spawn-session.ts`,
        find: "const next = last.then(() => spawn(spawner, request));",
        replace: "const next = spawn(spawner, request);",
      },
    ],
  },
  {
    id: "AH15",
    attack: "two sessions on a server write to each other without end",
    test: `${tests}/runs.test.ts`,
    name: "AH15: takes no more messages of agents after many runs without a person",
    waits: true,
    breaks: [
      {
        file: `${agents}/create-agents.ts`,
        find: "if (session === undefined || unattended < maxUnattended) return;",
        replace: "if (session === undefined || unattended < 1_000) return;",
      },
    ],
  },
  {
    id: "AH15",
    attack: "a session goes on writing to one that takes no more, which is never told",
    test: `${tests}/ping-pong.test.ts`,
    name: "AH15: end by their budget, and both are told",
    waits: true,
    breaks: [{ file: `${agents}/create-agents.ts`, find: "await leaveNotice(", replace: "Array.of(" }],
  },
  {
    id: "AH12",
    attack: "a caller finds out, or takes, the name of another's session",
    test: `${server}/test/api/sessions.test.ts`,
    name: "AH12: have names that are each caller's own",
    breaks: [
      {
        file: `${server}/src/api/shared/sessions.ts`,
        find: 'if (roles.has("owner") || !key',
        replace: "if (roles.size >= 0 || !key",
      },
    ],
  },
  {
    id: "AH16",
    attack: "a session on a server writes to another as if a person did",
    test: `${tests}/sessions-contract.test.ts`,
    contract: contract("attacks"),
    name: "AH16: where a message is from is told by the host",
    breaks: [
      {
        file: `${agents}/sessions-host.ts`,
        find: "const origin = originOf(caller, isInside ? own.key : undefined);",
        replace: 'const origin = { ...originOf(caller, isInside ? own.key : undefined), kind: "person" } as const;',
      },
    ],
  },
  {
    id: "AH19",
    attack: "a call is made twice because the process ended after its work and before its record",
    test: "packages/agent/test/resume.test.ts",
    name: "AH19: makes no call again that may have done its work",
    breaks: [
      {
        file: "packages/agent/src/calls/settle.ts",
        find: 'if (outcome === "again" || readOnly === true',
        replace: "if (outcome !== undefined || readOnly === true",
      },
    ],
  },
];
