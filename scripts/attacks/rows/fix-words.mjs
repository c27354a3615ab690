/** Each row: an attack, the test that shows the defence, and a change of the code that removes the defence and must make that test fail. */
export const rows = [
  {
    id: "SD9",
    attack: "an operator who follows the remedy for an unlisted agent opens every tool to it",
    test: "packages/core/test/policy/steps/unknown-agents.test.ts",
    name: "SD9: the line that they are told opens the tool that was asked for, and no other",
    breaks: [
      {
        file: "packages/core/src/policy/steps/unknown-agents.ts",
        find: "? `allow: [${name}]` : `profile: minimal, alsoAllow: [${name}]`",
        replace: "? `allow: [${name}]` : `allow: [${name}]`",
      },
    ],
  },
  {
    id: "SD9",
    attack: "callers who have not signed in have every tool, and nobody notices",
    test: "packages/core/test/policy/steps/unknown-agents.test.ts",
    name: "SD9: anonymous without an allow list is a warning",
    breaks: [
      {
        file: "packages/core/src/policy/decide/warnings.ts",
        find: "return [anonymousWarning(steps, caller), ...strangers]",
        replace: "return [...strangers]",
      },
    ],
  },
  {
    id: "S24",
    attack: "a tool is listed and explained as allowed, although a path rule refuses each of its calls",
    test: "packages/core/test/policy/explain/explain.test.ts",
    name: "S24: hides a tool that a path rule refuses every call of",
    breaks: [
      {
        file: "packages/core/src/policy/decide/decide.ts",
        find: "[...gatesWithoutPolicy, unenforceableGate]",
        replace: "[...gatesWithoutPolicy]",
      },
    ],
  },
];
