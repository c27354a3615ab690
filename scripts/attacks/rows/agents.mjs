/** Attacks on the loop of agents. */
const agent = "packages/agent";

export const rows = [
  {
    id: "AH15",
    attack: "two agents call each other without end",
    test: `${agent}/test/as-tool.test.ts`,
    name: "AH15: that calls back without end",
    breaks: [{ file: `${agent}/src/budget/meter.ts`, find: "parent?.addTurn(used);", replace: "" }],
  },
  {
    id: "AH16",
    attack: "a message claims to be from a person, or from the system",
    test: `${agent}/test/run.test.ts`,
    name: "AH16: writes itself where a message comes from",
    breaks: [
      {
        file: `${agent}/src/create-agent.ts`,
        find: 'return { role: "user", content: input.content,',
        replace: 'return { role: "user", ...input, content: input.content,',
      },
      {
        file: `${agent}/src/context/shown-messages.ts`,
        find: "`[${describeOrigin(from)}]\\n${content}`",
        replace: "content",
      },
    ],
  },
  {
    id: "AH16",
    attack: "a person writes the line by which the system tells where a message is from",
    test: `${agent}/test/run-options.test.ts`,
    name: "AH16: is told before a text of a person that claims to be from somebody else",
    breaks: [{ file: `${agent}/src/context/shown-messages.ts`, find: "&& !claimsOrigin.test(content)", replace: "" }],
  },
  {
    id: "AH16",
    attack: "a name with a line break adds a line that tells another origin",
    test: `${agent}/test/run-options.test.ts`,
    name: "AH16: is one line, whatever the name of the one that it comes from",
    breaks: [{ file: `${agent}/src/context/shown-messages.ts`, find: "` ${JSON.stringify(id)}`", replace: '` "${id}"`' }],
  },
  {
    id: "AH24",
    attack: "a reply with a million calls",
    test: `${agent}/test/budget.test.ts`,
    name: "AH24: with a million calls is cut",
    breaks: [{ file: `${agent}/src/calls/answer-calls.ts`, find: "if (index >= maxCallsInReply) {", replace: "if (false) {" }],
  },
  {
    id: "AH24",
    attack: "a call that never ends",
    test: `${agent}/test/budget.test.ts`,
    name: "AH24: of time ends a call that runs",
    breaks: [
      {
        file: `${agent}/src/start-run.ts`,
        find: "const cancelTimer = endInTime(meter, clock, stopping);",
        replace: "const cancelTimer = endInTime({ ...meter, deadline: Infinity }, clock, stopping);",
      },
    ],
  },
  {
    id: "AH25",
    attack: "a process is killed at any step of the loop",
    test: `${agent}/test/resume.test.ts`,
    name: "AH25: goes on from every step",
    breaks: [
      {
        file: `${agent}/src/calls/settle.ts`,
        find: 'if (typeof outcome === "object") return outcome;',
        replace: 'if (typeof outcome === "object") return undefined;',
      },
      { file: `${agent}/src/run.ts`, find: "await answer(open, true);", replace: "await answer(open, false);" },
    ],
  },
];
