/** Each row: an attack, the test that shows the defence, and a change of the code that removes the defence and must make that test fail. */
export const rows = [
  {
    id: "SD5",
    attack: "a curator's unrelated edit approves a definition that an emitter wrote",
    test: "packages/store/test/lifecycle/decisions.test.ts",
    name: "SD5: an unrelated edit by a curator",
    breaks: [
      {
        file: "packages/store/src/catalog/state.ts",
        find: 'return decided === "approved" || decided === "deprecated" ? decided : "draft";',
        replace: 'return decided === "approved" || decided === "deprecated" ? decided : updated_as === "curator" ? "approved" : "draft";',
      },
    ],
  },
  {
    id: "SD5",
    attack: "an emitter writes the approval of its definition into its own record",
    test: "packages/store/test/lifecycle/decisions.test.ts",
    name: "SD5: what an author writes of itself",
    breaks: [
      {
        file: "packages/store/src/catalog/state.ts",
        find: "const decided = decision && decisionOn({ title, context, decision })?.decision;",
        replace:
          'const decided = context["approved"] === true ? "approved" : decision && decisionOn({ title, context, decision })?.decision;',
      },
    ],
  },
  {
    id: "SD5",
    attack: "content that changed after its approval is called as if it were approved",
    test: "packages/store/test/lifecycle/decisions.test.ts",
    name: "SD5: counts for exactly the content",
    breaks: [
      {
        file: "packages/store/src/record/decision.ts",
        find: "decision !== undefined && decision.hash === definitionHash(record) ? decision : undefined",
        replace: "decision",
      },
    ],
  },
  {
    id: "SD5",
    attack: "export and import approve what was a draft",
    test: "packages/store/test/lifecycle/decisions.test.ts",
    name: "SD5: export and import approve nothing",
    breaks: [{ file: "packages/store/src/files/transfer.ts", find: "{ undecided: true }", replace: "{ undecided: false }" }],
  },
  {
    id: "SD5",
    attack: "a curator approves content that was changed after it was looked at",
    test: "packages/store/test/lifecycle/decisions.test.ts",
    name: "SD5: is refused where the content is no longer",
    breaks: [
      {
        file: "packages/store/src/lifecycle/lifecycle.ts",
        find: "if (hash !== undefined && hash !== definitionHash(record))",
        replace: "if (hash === definitionHash({ title: '', context: {} }))",
      },
    ],
  },
  {
    id: "SD6",
    attack: "an admin approves its own call by making it as another agent",
    test: "packages/server/test/api/duties.test.ts",
    name: "SD6: an admin does not decide",
    breaks: [
      {
        file: "packages/server/src/api/approvals.ts",
        find: "asking.agent === agent || asking.principal === principal",
        replace: "asking.agent === agent && principal !== ''",
      },
    ],
  },
  {
    id: "SD6",
    attack: "an admin makes a key with the owner's role",
    test: "packages/server/test/api/duties.test.ts",
    name: "SD6: nobody gives a key a role",
    breaks: [
      {
        file: "packages/server/src/rack/keys.ts",
        find: "return wanted.find((role) => !held.includes(role));",
        replace: "return wanted.find((role) => held.length < 0 && role === '');",
      },
    ],
  },
  {
    id: "SD6",
    attack: "a remembered yes for an agent is used by another principal that acts as that agent",
    test: "packages/core/test/call/approval-definition.test.ts",
    name: "SD6: holds for one principal",
    breaks: [
      {
        file: "packages/core/src/policy/approvals.ts",
        find: "[scope, caller.tenant, caller.principal, caller.agent,",
        replace: "[scope, caller.tenant, caller.agent,",
      },
    ],
  },
  {
    id: "SD6",
    attack: "a grant to write a record is used to open the record to others",
    test: "packages/server/test/api/duties.test.ts",
    name: "SD6: a grant to write a record",
    breaks: [
      {
        file: "packages/store/src/store/writer.ts",
        find: "if (isCurator(actor) || record.created_by === actor.agent) return;",
        replace: "if (actor.agent !== '') return;",
      },
    ],
  },
  {
    id: "SD7",
    attack: "a yes for always survives a change of the tool's definition",
    test: "packages/core/test/call/approval-definition.test.ts",
    name: "SD7: ends with the definition",
    breaks: [
      {
        file: "packages/core/src/call/approval.ts",
        find: "const definition = desk.definitionNow(call.tool);",
        replace: 'const definition = desk.definitionNow(call.tool) === "" ? "" : "same";',
      },
    ],
  },
  {
    id: "SD7",
    attack: "a tool changes while a person is asked about it, and the answer opens the new one",
    test: "packages/server/test/api/duties.test.ts",
    name: "SD7: a yes for always ends",
    breaks: [
      {
        file: "packages/core/src/call/approval.ts",
        find: "if (desk.definitionNow(call.tool) !== definition) {",
        replace: "if (definition === '') {",
      },
    ],
  },
  {
    id: "SD7",
    attack: "a description carries instructions in characters that only a model reads",
    test: "packages/core/test/tool/hidden-text.test.ts",
    name: "SD7: stand in no tool that is defined",
    breaks: [
      {
        file: "packages/core/src/tool/tool.ts",
        find: 'description: clean.text(description, "description"),',
        replace: "description,",
      },
    ],
  },
  {
    id: "SD7",
    attack: "an MCP server hides text in a tool's name, its results or its errors",
    test: "packages/mcp/test/upstream/hidden-text.test.ts",
    name: "SD7: are taken out of the text of results",
    breaks: [
      {
        file: "packages/mcp/src/upstream/results.ts",
        find: 'if (type === "text" && typeof text === "string") return { type, text: cleanResultText(text) };',
        replace: 'if (type === "text" && typeof text === "string") return { type, text };',
      },
    ],
  },
  {
    id: "SD12",
    attack: "one caller fills the list of waiting calls, so that nobody finds the others",
    test: "packages/server/test/api/duties.test.ts",
    name: "SD12: are bounded for each principal",
    breaks: [{ file: "packages/server/src/rack/approvals.ts", find: "if (own >= maxWaiting)", replace: "if (own < 0)" }],
  },
  {
    id: "SD12",
    attack: "large pending calls make the list of approvals too long to read",
    test: "packages/server/test/api/duties.test.ts",
    name: "SD12: are listed page by page",
    breaks: [{ file: "packages/server/src/api/approvals.ts", find: "waiting: waiting.page.map(cut),", replace: "waiting: asked," }],
  },
  {
    id: "SD16",
    attack: "the log of calls, records, bundles and usage name tools that the policy hides",
    test: "packages/server/test/api/hidden-tools.test.ts",
    name: "SD16: occurs in no answer of any route",
    breaks: [
      {
        file: "packages/server/src/api/_visible.ts",
        find: "return (tool) => decision(tool)?.allowed ?? !rack.registry.has(tool);",
        replace: "return (tool) => decision(tool) !== undefined || !rack.registry.has(tool);",
      },
    ],
  },
  {
    id: "SD16",
    attack: "a kept answer is given again for a tool that the policy hides by now",
    test: "packages/server/test/api/hidden-tools.test.ts",
    name: "SD16: is not shown again by a kept answer",
    breaks: [
      {
        file: "packages/server/src/rack/open-registry.ts",
        find: "if (base.view(caller).decision(base.get(tool)?.name ?? tool)?.allowed !== true)",
        replace: "if (base.get(tool) === undefined)",
      },
    ],
  },
  {
    id: "SD16",
    attack: "the library gives a kept answer again for a tool that the policy hides by now",
    test: "packages/core/test/call/approval-definition.test.ts",
    name: "SD16: is not given again",
    breaks: [
      {
        file: "packages/core/src/registry/create.ts",
        find: "if (plan === undefined || permission.decision(plan.tool.name, caller)?.allowed !== true)",
        replace: "if (plan === undefined)",
      },
    ],
  },
  {
    id: "SD16",
    attack: "the stream of events tells of calls of tools that the policy hides",
    test: "packages/server/test/api/hidden-tools.test.ts",
    name: "SD16: has no part in the events",
    breaks: [
      {
        file: "packages/server/src/feed/follow.ts",
        find: "if (!maySeeCallsOf(caller) || !maySeeTool(tool) || !fits(filter, tool, caller.agent)) continue;",
        replace: "if (!maySeeCallsOf(caller) || !fits(filter, tool, caller.agent)) continue;",
      },
    ],
  },
  {
    id: "SD16",
    attack: "a page of a long result is read over MCP after the policy hid its tool",
    test: "packages/server/test/api/hidden-tools.test.ts",
    name: "SD16: occurs in no answer of MCP",
    breaks: [
      {
        file: "packages/mcp/src/serve/catalog.ts",
        find: "if (found === undefined || !list.tools.some((tool) => tool.name === found.tool)) return undefined;",
        replace: "if (found === undefined || list.tools.length === 0) return undefined;",
      },
    ],
  },
  {
    id: "SD7",
    attack: "a call that waited for a person runs although the policy denies it by then",
    test: "packages/core/test/call/recheck.test.ts",
    name: "SD7: does not run where the policy meanwhile denies it",
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
        file: "packages/core/src/registry/create.ts",
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
    name: "SD7: ends at once where its tool is denied by then",
    breaks: [
      {
        file: "packages/server/src/rack/approvals.ts",
        find: "        about.refused = refused;\n        waiting.get(id)?.(undefined);",
        replace: "",
      },
    ],
  },
  {
    id: "SD16",
    attack: "a call that waited for its turn runs although its tool was switched off meanwhile",
    test: "packages/core/test/call/recheck.test.ts",
    name: "SD16: for its turn does not run where the policy meanwhile is followed by the tool being switched off",
    breaks: [
      {
        file: "packages/core/src/call/run-handler.ts",
        find: "const refused = call.recheck();",
        replace: "const refused = call.attempts > 1 ? call.recheck() : undefined;",
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
        find: "const refused = call.recheck();",
        replace: "const refused = call.attempts > 1 ? undefined : call.recheck();",
      },
    ],
  },
  {
    id: "SD14",
    attack: "a curator switches the shell on by a saved setting, although the file says that it is off",
    test: "packages/server/test/api/configs.test.ts",
    name: "SD14: is switched on by the file alone",
    breaks: [
      { file: "packages/tools/src/code/code.ts", find: "const shell = bash === false ? []", replace: "const shell = root === '' ? []" },
    ],
  },
  {
    id: "SD21",
    attack: "an administrator's deed is in the audit under an agent's name that somebody else has, too",
    test: "packages/server/test/api/audit-principals.test.ts",
    name: "SD21, M6: what an administrator does",
    breaks: [{ file: "packages/server/src/rack/audit.ts", find: "...signedBy(by), body", replace: "agent: signedBy(by).agent, body" }],
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
