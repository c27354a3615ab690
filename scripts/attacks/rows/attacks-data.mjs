import { core, store, mcp, server, onServer, onMcp, fromUpstream } from "../places.mjs";

/** Attacks on tool systems in general, S24 to S34: lists, parsers, secrets, floods, packages, approvals, audit, imports. */
export const rows = [
  {
    id: "S24",
    attack: "a list shows what may not be called",
    test: onServer,
    name: "S24:",
    breaks: [
      {
        file: `${server}/src/api/shared/tools.ts`,
        find: "if (all) return entries.map",
        replace: "if (all || entries.length > 0) return entries.map",
      },
    ],
  },
  {
    id: "S24",
    attack: "what is hidden can be called all the same",
    test: onServer,
    name: "S24:",
    breaks: [
      {
        file: `${core}/src/registry/permission.ts`,
        find: "if (!decisionIn(viewOf(caller), tool, caller).allowed) return hidden(tool, caller);",
        replace: "",
      },
      {
        file: `${core}/src/registry/call-host.ts`,
        find: 'if (verdict.outcome === "allow") return undefined;',
        replace: 'if (verdict.outcome !== "ask") return undefined;',
      },
    ],
  },
  {
    id: "S24",
    attack: "the same over MCP",
    test: onMcp,
    name: "S24 lists and calls",
    breaks: [
      {
        file: `${mcp}/src/serve/lists/tool-lists.ts`,
        find: "const { tools } = registry.view(caller);",
        replace: "const tools = registry.list();",
      },
    ],
  },
  {
    id: "S24",
    attack: "the library, HTTP and the command answer differently",
    test: "packages/cli/test/surfaces.test.ts",
    name: "(S24)",
    breaks: [
      {
        file: `${server}/src/api/shared/tools.ts`,
        find: "if (all) return entries.map",
        replace: "if (all || entries.length > 0) return entries.map",
      },
    ],
  },
  {
    id: "S25",
    attack: "a header or a body claims to come from somebody else",
    test: onServer,
    name: "S25:",
    breaks: [{ file: `${server}/src/api/shared/callers.ts`, find: 'if (!identity.roles.has("admin"))', replace: "if (false)" }],
  },
  {
    id: "S25",
    attack: "headers of a request name another tool than its body",
    test: onMcp,
    name: "decides by the body",
    breaks: [
      {
        file: `${mcp}/src/serve/http/era.ts`,
        find: "readHeaderValue(sent) !== params[field]",
        replace: "false",
      },
    ],
  },
  {
    id: "S26",
    attack: "two parsers read one body differently: a key twice, a number that is rounded",
    test: onServer,
    name: "S26:",
    breaks: [
      {
        file: `${server}/src/http/request/json.ts`,
        find: "export function parseJson(",
        replace:
          'export function parseJson(body: string | Uint8Array): unknown {\n  return JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body));\n}\n\nexport function unusedParser(',
      },
    ],
  },
  {
    id: "S27",
    attack: "a word that is searched for is read as SQL",
    test: onServer,
    name: "S27:",
    breaks: [
      {
        file: `${store}/src/engines/_sql/audit.ts`,
        find: 'narrowed.where("subject", "=", filter.subject)',
        replace: "narrowed.where(sql<boolean>`subject = ${sql.raw(`'${filter.subject}'`)}`)",
      },
    ],
  },
  {
    id: "S28",
    attack: "a tool tells its secret in a result",
    test: onServer,
    name: "S28:",
    breaks: [
      {
        file: `${core}/src/call/wrappers/redact.ts`,
        find: "const content = redactor.text(result.content);",
        replace: "const content = result.content;",
      },
    ],
  },
  {
    id: "S28",
    attack: "a tool tells its secret in an error",
    test: onServer,
    name: "S28:",
    breaks: [{ file: `${core}/src/call/wrappers/redact.ts`, find: "error: redactor.text(error),", replace: "error," }],
  },
  {
    id: "S28",
    attack: "a secret stands in the log",
    test: onServer,
    name: "S28:",
    breaks: [
      { file: `${server}/src/telemetry/log/log.ts`, find: "redact(message, fields)", replace: "({ message, fields })" },
      { file: `${core}/src/call/context.ts`, find: "log[level](redactor.text(message)", replace: "log[level](message" },
    ],
  },
  {
    id: "S29",
    attack: "a proxy keeps one user's answer for another",
    test: onServer,
    name: "S29:",
    breaks: [
      { file: `${server}/src/http/reply/respond.ts`, find: '"cache-control": "no-store"', replace: '"cache-control": "max-age=60"' },
    ],
  },
  {
    id: "S29",
    attack: "a list that was made for one caller is given to another",
    test: onMcp,
    name: "gives two users with different rights",
    breaks: [
      {
        file: `${mcp}/src/serve/lists/tool-lists.ts`,
        find: "const kept = byTools[scope].get(tools);",
        replace: "const kept = [...bySignature.values()][0];",
      },
    ],
  },
  {
    id: "S29",
    attack: "a list that hides something is marked as public",
    test: onMcp,
    name: "marks a list public only",
    breaks: [
      {
        file: `${mcp}/src/serve/lists/tool-lists.ts`,
        find: 'isAnonymous && tools.length === count ? "public" : "private"',
        replace: '"public"',
      },
    ],
  },
  {
    id: "S30",
    attack: "one caller takes all streams",
    test: onServer,
    name: "S30:",
    breaks: [
      {
        file: `${server}/src/http/reply/answer.ts`,
        find: "const leave = services.streams.enter(open.identity.principal);\n  let isGone",
        replace: "const leave = () => undefined;\n  let isGone",
      },
    ],
  },
  {
    id: "S30",
    attack: "a body has no end",
    test: onServer,
    name: "S30:",
    breaks: [{ file: "packages/core/src/util/read-limited.ts", find: "if (bytes > maxBytes) return undefined;", replace: "" }],
  },
  {
    id: "S30",
    attack: "a tool answers without end",
    test: onServer,
    name: "S30:",
    breaks: [
      {
        file: `${core}/src/call/cut-result.ts`,
        find: "return cutBlocks(cutContent(result, call, maxBytes), call, maxBytes, maxMediaBytes);",
        replace: "return result;",
      },
    ],
  },
  {
    id: "S30",
    attack: "a body comes one byte at a time",
    test: onMcp,
    name: "keeps a bounded number of streams",
    breaks: [
      {
        file: `${mcp}/src/serve/http/streams/streams.ts`,
        find: "if (own >= perPrincipal || taken >= total) return undefined;",
        replace: "",
      },
    ],
  },
  {
    id: "S31",
    attack: "a package that was taken over is fetched at the next start",
    test: `${server}/test/config/checks/unpinned-package.test.ts`,
    name: "S31: is refused",
    breaks: [
      {
        file: `${server}/src/config/checks/source-fault.ts`,
        find: "allowUnpinned === true ? undefined : findUnpinnedPackage(source)",
        replace: "undefined as string | undefined",
      },
    ],
  },
  {
    id: "S31",
    attack: "a range or a tag passes for a version",
    test: `${server}/test/config/checks/unpinned-package.test.ts`,
    name: "S31: is found unpinned",
    breaks: [
      {
        file: `${server}/src/config/checks/unpinned-package.ts`,
        find: "!isLocal(spec) && !isExact(spec)",
        replace: '!isLocal(spec) && !spec.slice(1).includes("@")',
      },
    ],
  },
  {
    id: "S31",
    attack: "a package runs a script while it is installed",
    test: fromUpstream,
    name: "S31:",
    breaks: [{ file: `${mcp}/src/upstream/stdio/stdio.ts`, find: "fetchesPackages.test(options.command) &&", replace: "false &&" }],
  },
  {
    id: "S32",
    attack: "an agent agrees to its own call",
    test: onServer,
    name: "S32:",
    breaks: [
      {
        file: `${server}/src/api/approvals.ts`,
        find: "async run({ rack, identity, params, body }) {",
        replace:
          'async run({ rack, identity: real, params, body }) {\n    const identity = { ...real, agent: "somebody else", principal: "somebody else" };',
      },
    ],
  },
  {
    id: "S32",
    attack: "an answer is used for other arguments than those that were shown",
    test: onServer,
    name: "S32:",
    breaks: [
      { file: `${server}/src/api/approvals.ts`, find: "if (question.digest !== body.digest)", replace: "if (false)" },
      {
        file: `${server}/src/rack/approvals/approvals.ts`,
        find: 'decision.digest !== undefined && decision.digest !== record.context["digest"]',
        replace: "false",
      },
    ],
  },
  {
    id: "S32",
    attack: "the program of an agent answers for the person",
    test: `${server}/test/rack/mcp/clients.test.ts`,
    name: "(S32)",
    breaks: [
      {
        file: `${server}/src/rack/approvals/choose-approver.ts`,
        find: "return { ask: (request) =>",
        replace: "if (desk !== undefined) return { ask: (request) => client.ask(request) };\n  return { ask: (request) =>",
      },
    ],
  },
  {
    id: "S32",
    attack: "nobody can be asked, and the call goes on",
    test: `${mcp}/test/serve/questions/approvals.test.ts`,
    name: "S32:",
    breaks: [
      {
        file: `${mcp}/src/serve/calls/run-tool.ts`,
        find: "      if (response === undefined) return result;\n      approvals.push({ digest: ticket.digest, answer: toAnswer(response) });",
        replace:
          '      approvals.push({ digest: ticket.digest, answer: response === undefined ? { action: "accept" } : toAnswer(response) });',
      },
    ],
  },
  {
    id: "S33",
    attack: "a line of the audit is edited",
    test: onServer,
    name: "S33:",
    breaks: [{ file: `${store}/src/audit/verify.ts`, find: "if (hashRow(row, key) !== row.hash)", replace: "if (false)" }],
  },
  {
    id: "S33",
    attack: "a line of the audit is removed",
    test: onServer,
    name: "S33:",
    breaks: [
      { file: `${store}/src/audit/verify.ts`, find: "if (row.number !== last.number + 1)", replace: "if (false)" },
      { file: `${store}/src/audit/chain-check.ts`, find: "if (row.previous !== before.hash)", replace: "if (false)" },
    ],
  },
  {
    id: "S34",
    attack: "a file nests without end",
    test: `${store}/test/files/bombs.test.ts`,
    name: "S34: a file that is nested",
    breaks: [{ file: `${store}/src/files/parse.ts`, find: "maxDepth + around, name)", replace: "Infinity, name)" }],
  },
  {
    id: "S34",
    attack: "an import is larger than anything honest",
    test: `${store}/test/files/bombs.test.ts`,
    name: "S34: more bytes",
    breaks: [{ file: `${store}/src/files/read-plain-file.ts`, find: "if (found.size > maxBytes)", replace: "if (false)" }],
  },
  {
    id: "S34",
    attack: "an import has more records than anything honest",
    test: `${store}/test/files/bombs.test.ts`,
    name: "S34: more bytes",
    breaks: [{ file: `${store}/src/files/folder.ts`, find: "if (values.length > left)", replace: "if (false)" }],
  },
  {
    id: "S34",
    attack: "a link among the files leads somewhere else",
    test: `${store}/test/files/bombs.test.ts`,
    name: "S34: a link and a pipe",
    breaks: [
      {
        file: `${store}/src/files/read-plain-file.ts`,
        find: "constants.O_RDONLY | neverFollow",
        replace: "constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)",
      },
    ],
  },
  {
    id: "S34",
    attack: "an id names a file outside of the folder",
    test: `${store}/test/files/bombs.test.ts`,
    name: "S34: an id cannot",
    breaks: [{ file: `${store}/src/files/folder.ts`, find: "[^A-Za-z0-9._@+~-]", replace: "[^A-Za-z0-9._@+~/-]" }],
  },
  {
    id: "S34",
    attack: "a small configuration unfolds into a huge one",
    test: `${server}/test/config/file/bombs.test.ts`,
    name: "S34:",
    breaks: [{ file: `${server}/src/config/file/positions.ts`, find: "maxAliasCount: 0", replace: "maxAliasCount: -1" }],
    note: "Nothing is imported from archives.",
  },
];
