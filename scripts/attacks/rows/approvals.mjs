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
        find: "isOnePerson([asking.agent, asking.principal], [agent, principal])",
        replace: "asking.agent === agent",
      },
    ],
  },
  {
    id: "SD6",
    attack: "an admin calls as another agent with a key, and approves that with a token of the same name",
    test: "packages/server/test/api/decisions.test.ts",
    name: "SD6: is decided by nobody who calls as another agent",
    breaks: [
      {
        file: "packages/store/src/lifecycle/one-person.ts",
        find: "(/^(?:key|loopback|token \\S+) (.+)$/s.exec(name)?.[1] ?? name)",
        replace: "name",
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
        file: "packages/server/src/rack/keys-and-tokens/api-keys.ts",
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
        find: "const definition = host.definitionNow(call.tool);",
        replace: 'const definition = host.definitionNow(call.tool) === "" ? "" : "same";',
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
        find: "if (host.definitionNow(call.tool) !== definition) {",
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
        file: "packages/mcp/src/upstream/calls/results.ts",
        find: 'if (type === "text" && typeof text === "string") return { type, text: cleanResultText(text), ...facts };',
        replace: 'if (type === "text" && typeof text === "string") return { type, text, ...facts };',
      },
    ],
  },
  {
    id: "SD12",
    attack: "one caller fills the list of waiting calls, so that nobody finds the others",
    test: "packages/server/test/api/duties.test.ts",
    name: "SD12: are bounded for each principal",
    waits: true,
    breaks: [{ file: "packages/server/src/rack/approvals/approvals.ts", find: "if (own >= maxWaiting)", replace: "if (own < 0)" }],
  },
  {
    id: "SD12",
    attack: "large pending calls make the list of approvals too long to read",
    test: "packages/server/test/api/duties.test.ts",
    name: "SD12: are listed page by page",
    breaks: [{ file: "packages/server/src/api/approvals.ts", find: "waiting: waiting.page,", replace: "waiting: asked," }],
  },
  {
    id: "SD16",
    attack: "the log of calls, records, bundles and usage name tools that the policy hides",
    test: "packages/server/test/api/hidden-tools.test.ts",
    name: "SD16: occurs in no answer of any route",
    breaks: [
      {
        file: "packages/server/src/rack/access/visible.ts",
        find: "  if (isOverseer(roles)) return () => true;",
        replace: "  if (isOverseer(roles) || caller.agent !== undefined) return () => true;",
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
        find: "if (base.view(caller).decision(called?.name ?? tool)?.allowed !== true)",
        replace: "if (called === undefined)",
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
        file: "packages/core/src/registry/invoke-once.ts",
        find: "if (plan === undefined || (await isRefused(plan, input, caller)))",
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
        file: "packages/mcp/src/serve/library/catalog.ts",
        find: "if (found === undefined || !list.tools.some((tool) => tool.name === found.tool)) return undefined;",
        replace: "if (found === undefined || list.tools.length === 0) return undefined;",
      },
    ],
  },
  {
    id: "SD5",
    attack: "a curator approves content without saying which content was looked at",
    test: "packages/store/test/lifecycle/decisions.test.ts",
    name: "SD5: names the content that was looked at",
    breaks: [
      {
        file: "packages/store/src/lifecycle/lifecycle.ts",
        find: 'if (typeof decision.hash !== "string")',
        replace: 'if (id === "")',
      },
    ],
  },
  {
    id: "SD5",
    attack: "a curator's key approves by HTTP or by a tool what was changed after it was looked at",
    test: "packages/server/test/api/own-definitions.test.ts",
    name: "SD5: approves with the hash of the content",
    breaks: [
      {
        file: "packages/store/src/lifecycle/lifecycle.ts",
        find: "if (hash !== undefined && hash !== definitionHash(record))",
        replace: 'if (id === "" && hash !== undefined)',
      },
    ],
  },
  {
    id: "SD5",
    attack: "a curator approves a definition by creating it",
    test: "packages/store/test/lifecycle/authors.test.ts",
    name: "SD5: does not approve it by creating",
    breaks: [
      { file: "packages/store/src/store/writer.ts", find: "!undecided && mayApproveOwn(actor)", replace: "!undecided && isCurator(actor)" },
    ],
  },
  {
    id: "SD5",
    attack: "a curator validates and approves its own draft",
    test: "packages/server/test/api/own-definitions.test.ts",
    name: "SD5: does not approve a definition by creating it, nor",
    breaks: [
      {
        file: "packages/store/src/lifecycle/record-decision.ts",
        find: "const opens = isCallable(stateAfter[decision]) && !isCallable(before);",
        replace: "const opens = isCallable(before);",
      },
    ],
  },
  {
    id: "SD5",
    attack: "a curator edits the definition of an emitter and approves the result",
    test: "packages/store/test/lifecycle/authors.test.ts",
    name: "SD5: is the author of what it edited",
    breaks: [
      {
        file: "packages/store/src/lifecycle/authors.ts",
        find: "if (newer?.isOwn === true && newer.hash !== hash) return true;",
        replace: "",
      },
    ],
  },
  {
    id: "SD5",
    attack: "a curator has its content put back by somebody else and approves it",
    test: "packages/store/test/lifecycle/authors.test.ts",
    name: "SD5: stays its author when somebody else",
    breaks: [
      {
        file: "packages/store/src/lifecycle/authors.ts",
        find: "if (page.length < pageSize) return newer?.isOwn === true;",
        replace: "if (page.length <= pageSize) return newer?.isOwn === true;",
      },
    ],
  },
  {
    id: "SD5",
    attack: "a curator approves its own content by importing it",
    test: "packages/store/test/lifecycle/authors.test.ts",
    name: "SD5: does not approve by importing",
    breaks: [
      {
        file: "packages/store/src/lifecycle/record-decision.ts",
        find: "if (opens && !mayApproveOwn(tx.actor)",
        replace: "if (opens && !besideOnly && !mayApproveOwn(tx.actor)",
      },
    ],
  },
  {
    id: "SD5",
    attack: "a model with a curator's key creates a definition and approves it with tools",
    test: "packages/server/test/api/own-definitions.test.ts",
    name: "SD5: does not approve its own definition with tools",
    breaks: [
      {
        file: "packages/server/src/rack/packs/_records.ts",
        find: "...(caller.owner === true && { approvesOwn: true })",
        replace: "approvesOwn: true",
      },
    ],
  },
  {
    id: "SD5",
    attack: "an admin alone approves its own definition",
    test: "packages/server/test/api/own-definitions.test.ts",
    name: "SD5: an admin is no exception",
    breaks: [
      {
        file: "packages/server/src/http/sign-in/identity.ts",
        find: '...(roles.has("owner") && { approvesOwn: true }),',
        replace: '...(roles.has("admin") && { approvesOwn: true }),',
      },
    ],
  },
  {
    id: "SD6",
    attack: "a curator sends a tool's secret to another host by configuration",
    test: "packages/server/test/api/config-secrets.test.ts",
    name: "SD6: is not for a curator to change",
    breaks: [
      {
        file: "packages/server/src/api/configs.ts",
        find: "if (names.length === 0) return;",
        replace: "if (names.length >= 0) return;",
      },
    ],
  },
  {
    id: "SD6",
    attack: "a curator changes where a secret is sent through the record of the configuration",
    test: "packages/server/test/api/config-secrets.test.ts",
    name: "SD6: cannot be changed through records",
    breaks: [
      {
        file: "packages/server/src/rack/access/guarded-writes.ts",
        find: 'schemaName === "tool.config.v1" && !isAdmin',
        replace: 'schemaName === "tool.config.v1" && !isAdmin && schemaName === ""',
      },
    ],
  },
  {
    id: "SD6",
    attack: "a built-in tool has a setting for the host of its secret that is not marked",
    test: "packages/tools/test/setting-marks.test.ts",
    name: "SD6: every setting",
    breaks: [{ file: "packages/tools/src/utility/openrouter.ts", find: ', "x-toolrack-admin": true', replace: "" }],
  },
  {
    id: "SD6",
    attack: "a secret is written into a configuration instead of its name",
    test: "packages/server/test/api/config-secrets.test.ts",
    name: "M4: takes the name of a secret",
    breaks: [
      {
        file: "packages/server/src/api/shared/tool-settings.ts",
        find: "if (checked.ok) return refuseLiteralSecrets(name, partial, values);",
        replace: "if (checked.ok) return;",
      },
      {
        file: "packages/store/src/config/configs.ts",
        find: "if (checked.ok) refuseLiteralSecrets(tool, schema, values);\n  else",
        replace: "if (!checked.ok)",
      },
    ],
  },
  {
    id: "SD6",
    attack: "emitters and subscribers read the configuration of a tool",
    test: "packages/server/test/api/config-secrets.test.ts",
    name: "M4: is read by curators",
    breaks: [{ file: "packages/store/src/config/configs.ts", find: 'visibility: "private", context', replace: "context" }],
  },
  {
    id: "SD6",
    attack: "an Idempotency-Key leaves a hash of a secret in the database",
    test: "packages/server/test/api/secrets.test.ts",
    name: "L1: nothing of a secret",
    breaks: [{ file: "packages/server/src/api/secrets.ts", find: "  keepsIdempotency: true,\n", replace: "" }],
  },
  {
    id: "SD6",
    attack: "an emitter takes the id that a secret or a configuration will have",
    test: "packages/store/test/memory.test.ts",
    contract: "packages/store/src/testing/contract/access.ts",
    name: "SD6: keeps ids that follow from names",
    breaks: [{ file: "packages/store/src/store/writer.ts", find: "    else requireFreeId(id, content);\n", replace: "" }],
  },
  {
    id: "SD16",
    attack: "tools that search and read records show the definitions of hidden tools",
    test: "packages/server/test/api/hidden-tools.test.ts",
    name: "M1: is not shown by the tools",
    breaks: [
      {
        file: "packages/server/src/rack/packs/_records.ts",
        find: "return visibleStore(guarded, {",
        replace: 'if (actor.agent !== "") return guarded;\n  return visibleStore(guarded, {',
      },
    ],
  },
  {
    id: "SD16",
    attack: "a draft or a removed definition of a hidden tool is shown",
    test: "packages/server/test/api/hidden-tools.test.ts",
    name: "M1: is hidden by its name",
    breaks: [
      {
        file: "packages/server/src/rack/access/visible.ts",
        find: "metadata: { ...(isList && { groups }), ...(ownerOnly === true && { ownerOnly }) } }).allowed;",
        replace:
          "metadata: { ...(isList && { groups }), ...(ownerOnly === true && { ownerOnly }) } }).allowed || !(registry as Registry).has(name);",
      },
    ],
  },
  {
    id: "SD16",
    attack: "the event of a removal names a hidden tool",
    test: "packages/server/test/api/hidden-tools.test.ts",
    name: "SD16: is not named by the event",
    breaks: [
      {
        file: "packages/core/src/registry/permission.ts",
        find: "return decide(one, amongWith(one, view), view, caller);",
        replace: 'return { name: tool.name, allowed: true, rule: "none" };',
      },
    ],
  },
  {
    id: "SD16",
    attack: "MCP tasks/get gives a result after the policy hid its tool",
    test: "packages/mcp/test/serve/tasks/tasks.test.ts",
    name: "SD16: show neither status",
    breaks: [
      {
        file: "packages/mcp/src/serve/tasks/task-methods.ts",
        find: "if (!registry.view(exchange.caller).decisionAbout({ name: task.tool }).allowed) throw noTask();",
        replace: "registry.view(exchange.caller);",
      },
    ],
  },
];
