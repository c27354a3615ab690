/** Each row: an attack, the test that shows the defence, and a change of the code that removes the defence and must make that test fail. */
export const rows = [
  {
    id: "SD8",
    attack: "a caller without a role has the usage of tools counted from every body in the log",
    test: "packages/server/test/http/limits/limits.test.ts",
    name: "SD8: usage is counted without reading a call",
    breaks: [
      {
        file: "packages/server/src/api/usage.ts",
        find: 'const own = identity.roles.has("subscriber") ? {} :',
        replace: "const own = true ? {} :",
      },
    ],
  },
  {
    id: "SD8",
    attack: "one query of the log looks at more lines than fit between two requests",
    test: "packages/store/test/memory.test.ts",
    contract: "packages/store/src/testing/contract/usage.ts",
    name: "SD8: reads sums and no line of the log",
    breaks: [{ file: "packages/store/src/usage/usage.ts", find: "linesAtOnce: 1_000", replace: "linesAtOnce: 100_000" }],
  },
  {
    id: "SD8",
    attack: "json_transform compares every item with a value that is written out each time",
    test: "packages/tools/test/utility/load.test.ts",
    name: "SD8: filters 2,000 items by a large value",
    breaks: [
      {
        file: "packages/tools/src/utility/json-values.ts",
        find: "  const keys = Object.keys(a);",
        replace: "  if (JSON.stringify(a) === JSON.stringify(b)) return true;\n  const keys = Object.keys(a);",
      },
    ],
  },
  {
    id: "SD8",
    attack: "json_transform makes a result many times as large as its data",
    test: "packages/tools/test/utility/load.test.ts",
    name: "SD8: refuses to make a result that is many times the data",
    breaks: [
      { file: "packages/tools/src/utility/json-transform.ts", find: "if (length > maxResultBytes)", replace: "if (length > Infinity)" },
    ],
  },
  {
    id: "SD8",
    attack: "json_transform works for seconds on paths into large lists",
    test: "packages/tools/test/utility/load.test.ts",
    name: "SD8: ends with a clear error when it would take too many steps",
    breaks: [{ file: "packages/tools/src/utility/_steps.ts", find: "if (left < 0)", replace: "if (left < -Infinity)" }],
  },
  {
    id: "SD8",
    attack: "logit builds the machines of thousands of ranges",
    test: "packages/tools/test/utility/load.test.ts",
    name: "SD8: leaves what is too much work looser",
    breaks: [{ file: "packages/tools/src/utility/logit.ts", find: "const maxEffort = 20_000;", replace: "const maxEffort = 500_000_000;" }],
  },
  {
    id: "SD8",
    attack: "50 heavy requests of one caller run before anybody else's",
    test: "packages/server/test/http/limits/limits.test.ts",
    name: "SD8: of requests whose work takes long, few of one caller wait",
    breaks: [{ file: "packages/server/src/api/usage.ts", find: "  isHeavy: true,\n", replace: "" }],
  },
  {
    id: "SD12",
    attack: "one caller keeps any number of requests open",
    test: "packages/server/test/http/limits/limits.test.ts",
    name: "SD12: one caller may have so many requests under way",
    breaks: [
      {
        file: "packages/server/src/http/request/handle.ts",
        find: "if (route.isProbe !== true) leave = services.requests.enter(caller);",
        replace: "",
      },
    ],
  },
  {
    id: "SD12",
    attack: "a page of the log of calls is tens of megabytes",
    test: "packages/server/test/api/pages.test.ts",
    name: "SD12: a list of large calls comes in pages",
    breaks: [{ file: "packages/server/src/api/_pages.ts", find: "pageBytes = 1_048_576", replace: "pageBytes = 1_048_576_000" }],
  },
  {
    id: "SD12",
    attack: "one caller's idempotency answers push out everybody's",
    test: "packages/store/test/memory.test.ts",
    contract: "packages/store/src/testing/contract/answers.ts",
    name: "SD12: of one caller are bounded",
    breaks: [
      {
        file: "packages/store/src/answers/claims.ts",
        find: "if (claim.prefix !== undefined) await tx.trimNotes",
        replace: 'if (claim.prefix === "") await tx.trimNotes',
      },
    ],
  },
  {
    id: "SD12",
    attack: "one MCP client's sessions push out what is kept for others",
    test: "packages/mcp/test/serve/limits.test.ts",
    name: "SD12: what is kept for the sessions of one principal is bounded",
    breaks: [
      { file: "packages/mcp/src/serve/http/sessions/sessions.ts", find: "own.size >= perPrincipal", replace: "own.size >= Infinity" },
    ],
  },
  {
    id: "SD12",
    attack: "one MCP client's tasks take every place",
    test: "packages/mcp/test/serve/limits.test.ts",
    name: "SD12: the tasks of one owner are bounded",
    breaks: [{ file: "packages/mcp/src/serve/tasks/memory-task-store.ts", find: "      makeRoomFor(task.owner);\n", replace: "" }],
  },
  {
    id: "SD12",
    attack: "one MCP client's long results push out those of others",
    test: "packages/mcp/test/serve/limits.test.ts",
    name: "SD12: long results of one principal",
    breaks: [
      { file: "packages/mcp/src/serve/long-results/result-handles.ts", find: "      makeRoomFor(principal, text.length);\n", replace: "" },
    ],
  },
  {
    id: "SD12",
    attack: "any number of questions to one client wait",
    test: "packages/mcp/test/serve/limits.test.ts",
    name: "SD12: so many questions to one client may wait",
    waits: true,
    breaks: [
      { file: "packages/mcp/src/serve/questions/client-requests.ts", find: "if (open >= mostAsked)", replace: "if (open >= Infinity)" },
    ],
  },
  {
    id: "SD8",
    attack: "a body of 4 MB without a quote makes the JSON reader search its rest for every character",
    test: "packages/core/test/util/strict-json.test.ts",
    name: "SD8: looks at each character once",
    breaks: [
      {
        file: "packages/core/src/util/strict-json.ts",
        find: "        isEscaped = false;\n",
        replace: "        isEscaped = text.indexOf('\"', index + 1) === -2;\n",
      },
    ],
  },
  {
    id: "SD8",
    attack: "a body of a million numbers is made and looked through before it is refused",
    test: "packages/core/test/util/strict-json.test.ts",
    name: "SD8: refuses more values than are allowed",
    breaks: [{ file: "packages/core/src/util/strict-json.ts", find: "if (++values > maxValues)", replace: "if (++values > Infinity)" }],
  },
  {
    id: "SD8",
    attack: "an MCP message has more JSON values than a body of the HTTP API may have",
    test: "packages/server/test/http/limits/limits.test.ts",
    name: "SD8: a body may have so many JSON values, over HTTP and over MCP",
    breaks: [
      {
        file: "packages/mcp/src/serve/http/http-handler.ts",
        find: "readMessage(request.body, parts.maxBodyValues)",
        replace: "readMessage(request.body)",
      },
    ],
  },
  {
    id: "SD8",
    attack: "one caller has any number of large bodies held at a time",
    test: "packages/server/test/http/limits/limits.test.ts",
    name: "SD8: of large bodies few of one caller are held at a time",
    breaks: [
      {
        file: "packages/core/src/util/heavy-turn.ts",
        find: "const largeBytes = 65_536;",
        replace: "const largeBytes = 65_536_000;",
      },
    ],
  },
  {
    id: "SD8",
    attack: "pieces of long work follow each other so closely that a small request waits for many of them",
    test: "packages/core/test/util/heavy-turn.test.ts",
    name: "SD8: what needs several turns of the loop is done between",
    breaks: [{ file: "packages/core/src/util/heavy-turn.ts", find: "if (tookMs >= shortestRestMs)", replace: "if (tookMs < 0)" }],
  },
  {
    id: "SD8",
    attack: "a grammar that takes for ever keeps a thread for ever",
    test: "packages/core/test/grammar/in-thread.alone.test.ts",
    name: "SD8: the thread is ended at the deadline",
    breaks: [
      {
        file: "packages/core/src/grammar/in-thread.ts",
        find: "      void thread.terminate();\n",
        replace: "      keep(thread);\n",
      },
    ],
  },
  {
    id: "SD8",
    attack: "a client that goes away leaves its grammar being built",
    test: "packages/core/test/grammar/in-thread.alone.test.ts",
    name: "SD8: the thread is ended when the one who asked has gone",
    breaks: [
      {
        file: "packages/core/src/grammar/in-thread.ts",
        find: '    signal?.addEventListener("abort", giveUp, { once: true });\n',
        replace: "",
      },
    ],
  },
];
