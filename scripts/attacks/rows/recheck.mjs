/** Each row: an attack, the test that shows the defence, and a change of the code that removes the defence and must make that test fail. */
export const rows = [
  {
    id: "SD7",
    attack: "a call that waited for a person runs although the policy denies it by then",
    test: "packages/core/test/call/recheck.test.ts",
    name: "SD7: does not run where the policy meanwhile",
    breaks: [
      {
        file: "packages/core/src/call/context.ts",
        find: "if (this.revision === revision) return undefined;",
        replace: "if (revision >= 0) return undefined;",
      },
    ],
  },
  {
    id: "SD7",
    attack: "a call that waited for a person runs although a rule denies its arguments by then",
    test: "packages/core/test/call/recheck.test.ts",
    name: "SD7: does not run where a rule meanwhile denies its arguments",
    breaks: [
      {
        file: "packages/core/src/registry/call-host.ts",
        find: "if (!permission.isActive) return undefined;",
        replace: "if (tool.name !== '') return undefined;",
      },
    ],
  },
  {
    id: "SD7",
    attack: "a handler that asked a person goes on although its tool was switched off meanwhile",
    test: "packages/core/test/call/recheck.test.ts",
    name: "SD7: asked by its own handler",
    breaks: [
      {
        file: "packages/core/src/call/context.ts",
        find: "if (refused !== undefined) throw new ToolError(refused.code, refused.error);",
        replace: "",
      },
    ],
  },
  {
    id: "SD7",
    attack: "a question stays open although its call is denied by now",
    test: "packages/server/test/api/duties.test.ts",
    name: "SD7: ends at once where its tool",
    breaks: [
      {
        file: "packages/server/src/rack/approvals/approvals.ts",
        find: "        about.refused = refused;\n        waiting.get(id)?.(undefined);",
        replace: "",
      },
    ],
  },
  {
    id: "SD7",
    attack: "a call that waited for a person runs although the tool that made it is denied by then",
    test: "packages/core/test/call/recheck.test.ts",
    name: "SD7: that was made by a tool that",
    breaks: [
      {
        file: "packages/core/src/call/context.ts",
        find: "if (above !== undefined) return this.fail(above.code, above.error);",
        replace: "",
      },
    ],
  },
  {
    id: "SD7",
    attack: "a question stays open although the tool that made its call is denied by now",
    test: "packages/server/test/api/duties.test.ts",
    name: "SD7: ends at once where the tool that made",
    breaks: [
      {
        file: "packages/server/src/rack/approvals/approvals.ts",
        find: "{ tools: [tool, ...(request.parents ?? [])], caller }",
        replace: "{ tools: [tool], caller }",
      },
    ],
  },
  {
    id: "SD16",
    attack: "a call that waited for its turn runs although its tool was switched off meanwhile",
    test: "packages/core/test/call/recheck.test.ts",
    name: "SD16: for its turn does not run where the policy meanwhile",
    breaks: [
      {
        file: "packages/core/src/call/run-handler.ts",
        find: "call.refusal = call.recheck();",
        replace: "call.refusal = call.attempts > 1 ? call.recheck() : undefined;",
      },
    ],
  },
  {
    id: "SD16",
    attack: "a call is tried again although its tool was denied meanwhile",
    test: "packages/core/test/call/recheck.test.ts",
    name: "SD16: to be tried again",
    breaks: [
      {
        file: "packages/core/src/call/run-handler.ts",
        find: "call.refusal = call.recheck();",
        replace: "call.refusal = call.attempts > 1 ? undefined : call.recheck();",
      },
    ],
  },
  {
    id: "SD14",
    attack: "a curator switches the shell on by a saved setting, although the file says that it is off",
    test: "packages/server/test/api/configs.test.ts",
    name: "SD14: is switched on by the file alone",
    breaks: [
      {
        file: "packages/tools/src/code/code.ts",
        find: "const shell = bash === false ? []",
        replace: "const shell = root === '' ? []",
      },
    ],
  },
  {
    id: "SD21",
    attack: "an administrator's deed is in the audit under an agent's name that somebody else has, too",
    test: "packages/server/test/api/audit-principals.test.ts",
    name: "SD21, M6: what an administrator does",
    breaks: [
      {
        file: "packages/server/src/rack/audit/audit.ts",
        find: "...signedBy(by), body",
        replace: "agent: signedBy(by).agent, body",
      },
    ],
  },
  {
    id: "SD21",
    attack: "a decision about a definition is in the audit without the principal that decided",
    test: "packages/server/test/api/audit-principals.test.ts",
    name: "SD21, M6: a decision about a definition",
    breaks: [
      {
        file: "packages/store/src/audit/audit.ts",
        find: "    principal,\n    ...entry,",
        replace: "    ...entry,",
      },
    ],
  },
];
