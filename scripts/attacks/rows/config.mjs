/** Each row: an attack, the test that shows the defence, and a change of the code that removes the defence and must make that test fail. */
export const rows = [
  {
    id: "SD6",
    attack: "a credential in the address or the arguments of a source is shown to those who read sources, settings or the audit",
    test: "packages/server/test/api/source-credentials.test.ts",
    name: "SD6: a credential in the address",
    breaks: [
      {
        file: "packages/server/src/config/shown-source.ts",
        find: 'if (name === "url" && typeof value === "string") return maskUrl(value);',
        replace: "",
      },
    ],
  },
  {
    id: "SD6",
    attack: "a credential in the arguments of a program is shown with a change that waits",
    test: "packages/server/test/config/shown-source.test.ts",
    name: "SD6: has none in what is shown of a change",
    breaks: [
      {
        file: "packages/server/src/config/changes.ts",
        find: 'path[0] === "sources" && path.length > 2 ? shownMember(path[2]!, value, path.slice(3)) : value',
        replace: "value",
      },
    ],
  },
  {
    id: "SD2",
    attack: "a configuration file that is being written in pieces drops the policy for a moment",
    test: "packages/server/test/config/file/file.test.ts",
    name: "SD2: is not used while it is written in pieces, in place",
    breaks: [
      {
        file: "packages/server/src/config/file/file.ts",
        find: "same = isSameReading(last, next) ? same + 1 : 1;",
        replace: "same = 99;",
      },
    ],
  },
  {
    id: "SD2",
    attack: "a slow writer rests between the pieces of a configuration file, and a shorter policy holds meanwhile",
    test: "packages/server/test/config/file/file.test.ts",
    name: "SD2: is not used while a slow writer rests",
    breaks: [{ file: "packages/server/src/config/file/file.ts", find: "shorter: 11", replace: "shorter: 2" }],
  },
  {
    id: "SD2",
    attack: "a configuration file that is half-written when the server starts is taken as it is",
    test: "packages/server/test/config/file/file.test.ts",
    name: "SD2: that is half-written at the start is waited for",
    breaks: [
      {
        file: "packages/server/src/config/file/file.ts",
        find: "clock.now() - first.changedAt >= oldMs",
        replace: "oldMs > 0",
      },
    ],
  },
  {
    id: "SD2",
    attack: "an empty configuration file, or one without its policy, opens every tool",
    test: "packages/server/test/rack/settings/config-changes.test.ts",
    name: "SD2: that lost its policy is not used",
    breaks: [
      {
        file: "packages/server/src/rack/settings/config-changes.ts",
        find: "approvedBy === undefined && changes.length > 0 ? doubtAbout(inForce, next) : undefined",
        replace: "changes.length < 0 ? doubtAbout(inForce, next) : undefined",
      },
    ],
  },
  {
    id: "SD2",
    attack: "a file that is only the beginning of the one before it counts as a new configuration",
    test: "packages/server/test/config/changes.test.ts",
    name: "is the beginning of the one before",
    breaks: [
      { file: "packages/server/src/config/checks/doubt.ts", find: "before.text.startsWith(after.text)", replace: "after.text === null" },
    ],
  },
  {
    id: "SD2",
    attack: "a faulty configuration file floods the log, once for every event in its folder",
    test: "packages/server/test/config/file/file.test.ts",
    name: "SD2: that is gone, or wrong",
    breaks: [{ file: "packages/server/src/config/file/file.ts", find: 'mark !== "" && mark !== reported', replace: 'mark !== ""' }],
  },
  {
    id: "SD1",
    attack: "whoever can write the configuration file starts a program on a running server",
    test: "packages/server/test/rack/settings/config-changes.test.ts",
    name: "SD1: keeps a new source waiting",
    breaks: [
      {
        file: "packages/server/src/rack/settings/config-changes.ts",
        find: 'effect === "approval" && !mayTake',
        replace: 'effect === "approval" && mayTake && !mayTake',
      },
    ],
  },
  {
    id: "SD1",
    attack: "a changed command, argument, variable, URL, header or host of a source holds without a person",
    test: "packages/server/test/config/changes.test.ts",
    name: "SD1: makes a new or changed source wait",
    breaks: [
      {
        file: "packages/server/src/config/changes.ts",
        find: '? "immediate" : "approval"),\n  // A pinned value',
        replace: '? "immediate" : "immediate"),\n  // A pinned value',
      },
    ],
  },
  {
    id: "SD1",
    attack: "a key that nobody thought of holds without a person",
    test: "packages/server/test/config/changes.test.ts",
    name: "SD1: makes everything else wait for approval",
    breaks: [{ file: "packages/server/src/config/changes.ts", find: '(rule ?? "approval")', replace: '(rule ?? "immediate")' }],
  },
  {
    id: "SD1",
    attack: "an approval of one file is used for another",
    test: "packages/server/test/rack/settings/config-changes.test.ts",
    name: "SD1: keeps a new source waiting",
    breaks: [
      {
        file: "packages/server/src/rack/settings/config-changes.ts",
        find: "approved.digest !== digest",
        replace: "approved.digest === undefined",
      },
    ],
  },
  {
    id: "SD1",
    attack: "an old file that was approved once is brought back, and holds without a person",
    test: "packages/server/test/rack/settings/config-changes.test.ts",
    name: "SD1: takes back what waits",
    breaks: [
      {
        file: "packages/server/src/rack/settings/config-changes.ts",
        find: "`config-approval-${base.slice(0, 32)}-${digest}`",
        replace: "`config-approval-${base.slice(0, 0)}-${digest}`",
      },
    ],
  },
  {
    id: "SD1",
    attack: "somebody who is no admin approves a changed configuration",
    test: "packages/server/test/api/config-changes.test.ts",
    name: "SD1: are shown to and approved by admins alone",
    breaks: [
      {
        file: "packages/server/src/api/config-changes.ts",
        find: 'exactly the file with this digest.",\n  needs: ["admin", "owner"],',
        replace: 'exactly the file with this digest.",\n  needs: ["admin", "owner", "curator"],',
      },
    ],
  },
  {
    id: "SD1",
    attack: "values of variables and headers are shown with a change that waits",
    test: "packages/server/test/rack/settings/config-changes.test.ts",
    name: "SD1: holds no secret",
    breaks: [
      {
        file: "packages/server/src/config/changes.ts",
        find: "if (isVariable) return maskVariable(path[3]!, String(value));",
        replace: "if (isVariable) return value;",
      },
    ],
  },
  {
    id: "SD1",
    attack: "a server that takes changes of its file without asking listens to others",
    test: "packages/cli/test/config-file.test.ts",
    name: "SD1: dev serves on this machine alone",
    breaks: [{ file: "packages/cli/src/commands/serve.ts", find: ".test(host)", replace: '.test("localhost")' }],
  },
  {
    id: "S21",
    attack: "adding or changing a source through the API starts a program that nobody approved",
    test: "packages/server/test/api/sources.test.ts",
    name: "S21: a program that nobody approved",
    breaks: [
      {
        file: "packages/server/src/rack/sources/sources.ts",
        find: "return needsApproval(source) ? identityOf(id, source, creating) : undefined;",
        replace: "return undefined;",
      },
    ],
  },
  {
    id: "SD9",
    attack: "an agent that nobody listed may use every tool",
    test: "packages/server/test/rack/access/unknown-agents.test.ts",
    name: "SD9: get nothing on a server",
    breaks: [
      {
        file: "packages/server/src/rack/settings/merge-settings.ts",
        find: "unknownAgents: defaultUnknownAgents, ...policy",
        replace: "...policy",
      },
    ],
  },
  {
    id: "SD9",
    attack: "a caller without an agent passes for a listed one",
    test: "packages/core/test/policy/steps/unknown-agents.test.ts",
    name: "SD9: include a caller without an agent",
    breaks: [
      {
        file: "packages/core/src/policy/steps/unknown-agents.ts",
        find: 'typeof agent === "string" && known',
        replace: 'typeof agent !== "string" || known',
      },
    ],
  },
  {
    id: "SD9",
    attack: "a key for a mistyped agent is made without a word",
    test: "packages/cli/test/config-file.test.ts",
    name: "SD9: makes no key",
    breaks: [
      {
        file: "packages/server/src/rack/keys-and-tokens/api-keys.ts",
        find: 'if (!wanted.includes("owner")) mustBeListed(agent, settings);',
        replace: "",
      },
    ],
  },
];
