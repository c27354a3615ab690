/** Each row: an attack, the test that shows the defence, and a change of the code that removes the defence and must make that test fail. */
export const rows = [
  {
    id: "TD10",
    attack: "three programs of one agent leave another agent's program a quarter of the time",
    test: "packages/server/test/rack/programs/turns.test.ts",
    name: "TD10: programs take turns by their caller",
    breaks: [
      {
        file: "packages/server/src/rack/programs/live-run.ts",
        find: "await heavyTurn(turnOf(this.#context.caller));",
        replace: "await heavyTurn(this.id);",
      },
    ],
    note: "A single regular expression, sort or JSON.parse of a program still holds the server for as long as its steps allow",
  },
  {
    id: "TD10",
    attack: "programs run without a pause until their steps are used up, and no call of anybody else is answered",
    test: "packages/server/test/rack/programs/turns.test.ts",
    name: "TD10: calls of others are answered between",
    breaks: [
      {
        file: "packages/server/src/rack/programs/live-run.ts",
        find: "const stepsAtOnce = 20_000;",
        replace: "const stepsAtOnce = 20_000_000;",
      },
    ],
  },
  {
    id: "TD11",
    attack: "an input with tens of thousands of keys is recorded whole although its tool does not exist",
    test: "packages/core/test/call/input-size.test.ts",
    name: "TD11: of a tool that does not exist looks at the beginning",
    breaks: [
      {
        file: "packages/core/src/call/save-record.ts",
        find: "call.hasStarted || result.ok ? call.input : inBrief(call.input)",
        replace: "structuredClone(call.input)",
      },
    ],
  },
  {
    id: "TD11",
    attack: "an input is copied before the caller's permission is checked",
    test: "packages/core/test/call/input-size.test.ts",
    name: "TD11: of a tool that the caller may not use",
    breaks: [
      {
        file: "packages/core/src/call/plan.ts",
        find: "    isOpen ? checkInherited : checkPermission,\n    boundInput,\n",
        replace: "    copyInput,\n    isOpen ? checkInherited : checkPermission,\n    boundInput,\n",
      },
    ],
  },
  {
    id: "TD11",
    attack: "an input may have any number of keys, and is copied, checked and hashed whole",
    test: "packages/core/test/call/input-size.test.ts",
    name: "TD11: is refused before it is copied",
    breaks: [{ file: "packages/core/src/call/plan.ts", find: "    boundInput,\n    ...when", replace: "    ...when" }],
  },
  {
    id: "TD11",
    attack: "ten bodies with thousands of values keep a small call of somebody else waiting",
    test: "packages/server/test/http/limits/limits.test.ts",
    name: "TD11: takes turns with those of other callers",
    breaks: [
      {
        file: "packages/server/src/http/request/body.ts",
        find: "isLargeJson(bytes) ? heavy.turn(caller).then(parse) : parse()",
        replace: "parse()",
      },
    ],
  },
  {
    id: "TD11",
    attack: "a large body waits for all large bodies that another caller sent before",
    test: "packages/core/test/util/heavy-turn.test.ts",
    name: "TD11: callers take turns",
    breaks: [{ file: "packages/core/src/util/heavy-turn.ts", find: "waiting.get(caller);", replace: 'waiting.get((caller = ""));' }],
  },
  {
    id: "TD11",
    attack: "slow bodies of strangers make the probes of a server fail",
    test: "packages/server/test/http/limits/strangers.test.ts",
    name: "TD11: keeps nobody from probing the server",
    breaks: [
      {
        file: "packages/server/src/http/request/handle.ts",
        find: "return principal === nobody.principal ? strangerAt(remoteAddress) : principal;",
        replace: "return principal;",
      },
    ],
  },
  {
    id: "TD11",
    attack: "strangers with many addresses take every place",
    test: "packages/server/test/http/limits/strangers.test.ts",
    name: "TD11: leaves places to those who signed in",
    breaks: [
      {
        file: "packages/server/src/http/limits/concurrency.ts",
        find: "(stranger === 1 && ofStrangers >= strangersShare(total))",
        replace: "false",
      },
    ],
  },
  {
    id: "TD11",
    attack: "a tool answers with a delay that is no number, and the job that called it can never end",
    test: "packages/core/test/tool/result.test.ts",
    name: "TD11: leaves out a delay that is no number",
    breaks: [{ file: "packages/core/src/tool/result.ts", find: "!(retryAfterMs >= 0)", replace: "retryAfterMs < 0" }],
  },
];
