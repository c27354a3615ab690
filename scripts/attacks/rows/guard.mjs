import { server } from "../places.mjs";

const shownInputs = `${server}/test/api/shown-inputs.test.ts`;
const sealedInput = `${server}/test/rack/automation/sealed-input.test.ts`;
const viewsOnly = `${server}/test/rack/trust/views-only.test.ts`;
const tokens = `${server}/test/http/sign-in/tokens.test.ts`;
const tokensSource = `${server}/src/http/sign-in/tokens.ts`;
const nginx = `${server}/test/serve-nginx.test.ts`;

/** Each row: an attack, the test that shows the defence, and a change of the code that removes the defence and must make that test fail. */
export const rows = [
  {
    id: "TD5",
    attack: "a job shows a subscriber the password that the log of calls hides",
    test: shownInputs,
    name: "as a job, to its maker and to others",
    breaks: [
      {
        file: `${server}/src/rack/jobs/create-jobs.ts`,
        find: "input: options.showInput(content?.input)",
        replace: "input: content?.input",
      },
    ],
  },
  {
    id: "TD5",
    attack: "a schedule shows its input whole, in lists and to the tool of agents",
    test: shownInputs,
    name: "as a schedule, while it waits",
    breaks: [
      {
        file: `${server}/src/rack/automation/schedules/create-schedules.ts`,
        find: "input: show(input) as JsonObject",
        replace: "input",
      },
    ],
  },
  {
    id: "TD5",
    attack: "a trigger or a hook shows the fixed values of its mapping",
    test: shownInputs,
    name: "as the mapping of a trigger and of a hook",
    breaks: [
      {
        file: `${server}/src/rack/calls/shown-input.ts`,
        find: 'const isFixed = key === "value" || key === "default";',
        replace: "const isFixed = false;",
      },
    ],
  },
  {
    id: "TD5",
    attack: "a question to a person shows what the log of calls hides",
    test: shownInputs,
    name: "as a question to a person",
    breaks: [
      {
        file: `${server}/src/rack/approvals/approvals.ts`,
        find: "input: showInput(inputOf(record, sealer))",
        replace: "input: inputOf(record, sealer)",
      },
    ],
  },
  {
    id: "TD5",
    attack: "the messages of a session show what an agent called a tool with",
    test: shownInputs,
    name: "as what an agent said and called",
    breaks: [
      {
        file: `${server}/src/api/shared/sessions.ts`,
        find: 'context: show(context) as SessionRecord["context"]',
        replace: "context",
      },
    ],
  },
  {
    id: "TD5",
    attack: "the input of a schedule is read in the database, or found there by its words",
    test: sealedInput,
    name: "are sealed in the store",
    breaks: [
      {
        file: `${server}/src/rack/automation/sealed-input.ts`,
        find: "if (spec?.input === undefined) return",
        replace: "if (spec !== null) return",
      },
    ],
  },
  {
    id: "TD5",
    attack: "the inputs that an earlier version stored in clear stay so",
    test: sealedInput,
    name: "that an earlier version stored in clear",
    breaks: [{ file: `${server}/src/rack/automation/open-automation.ts`, find: "sealOld().catch(options.onStoreFailed);", replace: "" }],
  },
  {
    id: "TD5",
    attack: "somebody with access to the database makes a schedule run as another agent",
    test: sealedInput,
    name: "with another maker",
    breaks: [
      {
        file: `${server}/src/rack/automation/sealed-input.ts`,
        find: "canonicalJson([noun, id, maker ?? null, plan])",
        replace: "canonicalJson([noun, id, maker === null, plan])",
      },
    ],
  },
  {
    id: "TD6",
    attack: "the link that signs the owner in is read in a log file, in journald or in docker logs",
    test: "packages/cli/test/commands/banner.test.ts",
    name: "TD6: has a link that signs the owner in only on a terminal",
    breaks: [
      {
        file: "packages/cli/src/commands/serve.ts",
        find: "server.socket === undefined && terminal.isInteractive ?",
        replace: "server.socket === undefined ?",
      },
    ],
  },
  {
    id: "TD8",
    attack: "a tool that its server keeps for its views is listed, found, exported or programmed by a model",
    test: viewsOnly,
    name: "is in no list",
    breaks: [
      {
        file: "packages/mcp/src/upstream/tools/definitions.ts",
        find: "isForViewsOnly(definition) && {",
        replace: "definition === undefined && {",
      },
    ],
  },
  {
    id: "TD8",
    attack: "a tool that its server keeps for its views is called by its name",
    test: viewsOnly,
    name: "is not called by name",
    breaks: [
      {
        file: "packages/mcp/src/upstream/tools/definitions.ts",
        find: "isForViewsOnly(definition) && {",
        replace: "definition === undefined && {",
      },
    ],
  },
  {
    id: "TD8",
    attack: "a server opens a tool of its views to models, which nobody has looked at",
    test: viewsOnly,
    name: "is not offered by its server's word alone",
    breaks: [
      { file: `${server}/src/rack/trust/pinned-tool.ts`, find: "...(wasForViews && {", replace: "...(wasForViews === undefined && {" },
    ],
  },
  {
    id: "TD9",
    attack: "an emitter learns the version of a private record by writing to its id",
    test: `${server}/test/api/breadcrumbs.test.ts`,
    name: "TD9: of a private record a PUT says nothing but that its id is taken",
    breaks: [
      {
        file: "packages/store/src/store/writer.ts",
        find: "if (live !== undefined && !mayRead(actor, live.record)) return",
        replace: "if (live !== undefined && expected !== undefined && !mayRead(actor, live.record)) return",
      },
    ],
  },
  {
    id: "TD9",
    attack: "a token never ends, because its exp is 1e400",
    test: tokens,
    name: "an exp that is infinite",
    breaks: [
      { file: tokensSource, find: "if (exp === undefined || exp > latestSeconds) return", replace: "if (exp === undefined) return" },
    ],
  },
  {
    id: "TD9",
    attack: "a token has a claim twice, and two readers take it for two agents",
    test: tokens,
    name: "a claim twice",
    breaks: [{ file: tokensSource, find: "repeatedClaim(token) ?? oddTime", replace: "oddTime" }],
  },
  {
    id: "TD9",
    attack: "a token is said to be made in the future",
    test: tokens,
    name: "an iat to come",
    breaks: [{ file: tokensSource, find: "iat !== undefined && iat > now + toleranceSeconds", replace: "iat === undefined && exp === 0" }],
  },
  {
    id: "TD9",
    attack: "an isolated program reaches the machine below a virtual one through AF_VSOCK",
    test: "packages/tools/test/runtime/isolation.test.ts",
    name: "TD9: make no sockets to the machine below a virtual one",
    breaks: [
      {
        file: "packages/tools/src/operations/seccomp.ts",
        find: "ifEqual(socket, 0, 3)",
        replace: "ifEqual(socket, 3, 3)",
      },
    ],
  },
  {
    id: "TD9",
    attack: "somebody without a sign-in keeps the server busy with large bodies to hooks",
    test: `${server}/test/http/limits/limits.test.ts`,
    name: "TD9: of large bodies to hooks few of one address are worked on at a time",
    breaks: [
      {
        file: `${server}/src/http/request/body.ts`,
        find: "length > largeBytes ? heavy.hold(caller, () => readBytes(request, limits)) : readBytes(request, limits)",
        replace: "readBytes(request, limits)",
      },
      {
        file: `${server}/src/http/request/handle.ts`,
        find: "route.isHeavy === true || bytes.length > largeBytes",
        replace: "route.isHeavy === true",
      },
    ],
  },
  {
    id: "TD9",
    attack: "a signed message is sent again as another one: its id, time and body are divided elsewhere",
    test: `${server}/test/rack/automation/signature.test.ts`,
    name: "TD9: refuses an id with a point",
    breaks: [
      {
        file: `${server}/src/rack/automation/hooks/signature.ts`,
        find: "const messageId = /^[\\w:~/+=-]{1,200}$/;",
        replace: "const messageId = /^[\\w.:~/+=-]{1,200}$/;",
      },
    ],
  },
  {
    id: "TD9",
    attack: "a hook is made with an id that has the separator of what is signed",
    test: `${server}/test/rack/automation/hook-ids.test.ts`,
    name: "have no point",
    breaks: [
      {
        file: `${server}/src/rack/automation/kept.ts`,
        find: 'new Set(["hook", "webhook"])',
        replace: "new Set()",
      },
    ],
  },
  {
    id: "TD9",
    attack: "an error repeats a name of three megabytes",
    test: `${server}/test/api/long-names.test.ts`,
    name: "TD9: an error does not repeat a name of three megabytes",
    breaks: [
      {
        file: "packages/json-schema/src/validate/issues.ts",
        find: "const path = cut(this.path, maxPointer);",
        replace: "const { path } = this;",
      },
    ],
  },
  {
    id: "TD9",
    attack: "a proxy on the owner's machine that adds no header makes everybody a client of this machine",
    test: nginx,
    name: "nobody is on the owner's machine",
    breaks: [{ file: `${server}/src/http/transport/node.ts`, find: 'if (httpVersion === "1.0") return true;', replace: "" }],
  },
  {
    id: "TD9",
    attack: "such a proxy speaks HTTP/1.1, as clients do",
    test: `${server}/test/http/transport/peer-user.test.ts`,
    name: "is told from the lines of the kernel, and is the own one, root or another",
    breaks: [
      {
        file: `${server}/src/http/transport/peer-user.ts`,
        find: "others.every(({ user }) => user === ownUser || user === 0)",
        replace: "others.every(({ user }) => user >= 0)",
      },
    ],
  },
];
