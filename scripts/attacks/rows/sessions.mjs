import { core, tools } from "../places.mjs";

const test = `${tools}/test/sessions/memory.test.ts`;
const contract = `${tools}/src/testing/sessions/attacks.ts`;

/** Attacks on sessions of agents. */
export const rows = [
  {
    id: "AH12",
    attack: "an agent reads, steers or ends the session of another",
    test,
    contract,
    name: "AH12: an agent lists, reads, sends to, steers and ends no session of another",
    breaks: [
      {
        file: `${tools}/src/sessions/sight.ts`,
        find: "if (session.agent === viewer.agent) return true;",
        replace: 'if (session.agent !== "") return true;',
      },
    ],
  },
  {
    id: "AH12",
    attack: "a caller claims that the session of another agent is its own",
    test,
    contract,
    name: "AH12: an agent lists, reads, sends to, steers and ends no session of another",
    breaks: [
      {
        file: `${tools}/src/sessions/sight.ts`,
        find: "const isOwn = own !== undefined && own.agent === agent && own.tenant === tenant && own.principal === principal;",
        replace: "const isOwn = own !== undefined;",
      },
    ],
  },
  {
    id: "AH13",
    attack: "a child agent gets a tool that its parent does not have, by another policy",
    test: `${core}/test/policy/gates/inherited.test.ts`,
    name: "AH13: leaves a child no tool that its parent lacks",
    breaks: [
      {
        file: `${core}/src/policy/gates/inherited.ts`,
        find: "inheritedEntry(tool, inherited) !== undefined) return undefined;",
        replace: "inherited.length >= 0) return undefined;",
      },
    ],
  },
  {
    id: "AH13",
    attack: "an agent spawns a child with a tool that it does not have itself",
    test,
    name: "AH13: gives its child no tool that it lacks",
    breaks: [
      {
        file: `${tools}/src/sessions/memory/_view.ts`,
        find: "const { inherited, missing } = inheritTools(parts.toolsOf(caller), request.tools);",
        replace: 'const { inherited, missing } = { inherited: request.tools ?? ["*"], missing: [] };',
      },
    ],
  },
  {
    id: "AH14",
    attack: "agents start agents without end",
    test,
    contract: `${tools}/src/testing/sessions/children.ts`,
    name: "AH14: a session has five running children at most, none spawns further",
    breaks: [
      {
        file: `${tools}/src/sessions/limits.ts`,
        find: "if (facts.children >= maxChildren)",
        replace: "if (facts.children >= maxChildren + 99)",
      },
    ],
  },
  {
    id: "AH14",
    attack: "the children of agents start agents without end",
    test,
    contract: `${tools}/src/testing/sessions/children.ts`,
    name: "AH14: a session has five running children at most, none spawns further",
    breaks: [
      {
        file: `${tools}/src/sessions/limits.ts`,
        find: "if (facts.depth >= maxSpawnDepth)",
        replace: "if (facts.depth >= maxSpawnDepth + 99)",
      },
    ],
  },
  {
    id: "AH16",
    attack: "a message claims to come from a person or from the system",
    test,
    contract,
    name: "AH16: where a message is from is told by the host",
    breaks: [
      {
        file: `${tools}/src/sessions/child-caller.ts`,
        find: 'if (session !== undefined) return { kind: "session", id: session };',
        replace: 'if (session !== undefined) return { kind: "person" };',
      },
    ],
  },
  {
    id: "AH17",
    attack: "the history shows a secret that a tool once printed",
    test,
    contract,
    name: "AH17: a history shows no secret, token or signature",
    breaks: [{ file: `${tools}/src/sessions/shown-history.ts`, find: "const safe = redact(near);", replace: "const safe = near;" }],
  },
];
