/** Attacks on what runs by itself. */
export const rows = [
  {
    id: "AH9",
    attack: "a tool plans something in a run of the owner, and no person looks at it",
    test: "packages/server/test/rack/packs/automation-pack.test.ts",
    name: "AH9: asks a person about every new plan",
    breaks: [
      {
        file: "packages/server/src/rack/packs/_schedules-host.ts",
        find: "by: authorOf(caller), asksPerson: true",
        replace: "by: authorOf(caller)",
      },
    ],
  },
  {
    id: "AH10",
    attack: "a child agent stops or runs a plan that a person approved for its parent",
    test: "packages/server/test/rack/packs/automation-pack.test.ts",
    name: "AH10: lets a child neither stop nor change nor run a plan",
    breaks: [
      { file: "packages/server/src/rack/packs/_schedules-host.ts", find: "if (isDeeper || isNarrower || isBoxed)", replace: "if (false)" },
    ],
  },
  {
    id: "AH9",
    attack: "a schedule is made without a person",
    test: "packages/server/test/rack/automation/schedules.test.ts",
    name: "AH9: wait for a person when they were made without one",
    breaks: [
      {
        file: "packages/server/src/rack/automation/schedules/create-schedules.ts",
        find: "const isWaiting = asksPerson || foreign !== undefined || !hasPerson(caller);",
        replace: "const isWaiting = foreign !== undefined;",
      },
    ],
  },
  {
    id: "AH9",
    attack: "a schedule is made of text that somebody else wrote",
    test: "packages/server/test/rack/automation/schedules.test.ts",
    name: "AH9: wait for a person when text of others is in them",
    breaks: [
      {
        file: "packages/server/src/rack/automation/schedules/create-schedules.ts",
        find: "const isWaiting = asksPerson || foreign !== undefined || !hasPerson(caller);",
        replace: "const isWaiting = !hasPerson(caller);",
      },
    ],
  },
  {
    id: "AH10",
    attack: "a schedule runs with rights that its maker has lost",
    test: "packages/server/test/rack/automation/schedules.test.ts",
    name: "AH10: a run is never the owner's",
    waits: true,
    breaks: [
      {
        file: "packages/server/src/rack/automation/schedules/create-schedules.ts",
        find: 'if (typeof maker === "string") return stop(stored, maker);',
        replace: 'if (typeof maker === "string") return;',
      },
    ],
  },
  {
    id: "AH10",
    attack: "an agent that an admin began as another agent goes on, and begins others, once that person is no admin any more",
    test: "packages/server/test/rack/agents/rights.test.ts",
    name: "once the admin who acts as another agent is none any more",
    waits: true,
    breaks: [
      {
        file: "packages/server/src/rack/jobs/present-caller.ts",
        find: 'if (acting === true && !held.has("admin"))',
        replace: "if (false)",
      },
    ],
  },
  {
    id: "AH10",
    attack: "a job's call that waits for a person is made with rights that its caller has lost meanwhile",
    test: "packages/server/test/http/sign-in/revoked.test.ts",
    name: "AH10: ends the call that a job makes",
    waits: true,
    breaks: [
      {
        file: "packages/server/src/rack/calls/end-lost-calls.ts",
        find: "if (looksItself(call.tool) || ![...ended].some((agent) => isOfKey(call.caller.principal, agent))) continue;",
        replace: "if (isOfKey || !isOfKey) continue;",
      },
    ],
  },
  {
    id: "AH10",
    attack: "a program that waited for a person goes on, on another server, with rights that its caller has lost",
    test: "packages/server/test/rack/programs/faults.test.ts",
    name: "AH10: an admin who acts as another agent goes on only as long as that is an admin",
    waits: true,
    breaks: [
      {
        file: "packages/server/src/rack/programs/take-over.ts",
        find: "const caller = await options.callerNow(content.caller);",
        replace: "const caller = content.caller as Caller | string;",
      },
    ],
  },
  {
    id: "AH11",
    attack: "schedules make schedules without end",
    test: "packages/server/test/rack/automation/schedules.test.ts",
    name: "AH11: depth and count have limits",
    breaks: [
      {
        file: "packages/server/src/rack/automation/schedules/create-schedules.ts",
        find: "if (depth > deepest)",
        replace: "if (depth > deepest + 99)",
      },
    ],
  },
  {
    id: "AH11",
    attack: "schedules are made together, so that each of them finds room",
    test: "packages/server/test/api/automation-attacks.test.ts",
    name: "AH11: make no more schedules than one after the other",
    breaks: [
      {
        file: "packages/server/src/rack/automation/kept.ts",
        find: "const made = before.then(() => {",
        replace: "const made = Promise.resolve().then(() => {",
      },
    ],
  },
  {
    id: "AH21",
    attack: "an incoming hook is replayed where the input of the tool would be another one",
    test: "packages/server/test/api/automation-attacks.test.ts",
    name: "AH21: is refused when it sends an id again",
    breaks: [
      {
        file: "packages/server/src/rack/automation/hooks/create-receivers.ts",
        find: 'if (ToolError.is(error) && error.code === "INPUT_INVALID") return undefined;',
        replace: "",
      },
    ],
  },
  {
    id: "AH20",
    attack: "a webhook leads to a private address when it is saved",
    test: "packages/server/test/rack/automation/webhooks-out.test.ts",
    name: "AH20: a webhook cannot be turned inward",
    breaks: [
      {
        file: "packages/server/src/rack/automation/hooks/target.ts",
        find: "if (addresses.length === 0 || addresses.some(isRefused))",
        replace: "if (addresses.length === 0)",
      },
    ],
  },
  {
    id: "AH20",
    attack: "a webhook leads to the server itself, whose host is allowed",
    test: "packages/server/test/rack/automation/webhooks-out.test.ts",
    name: "refuses the server itself",
    breaks: [
      {
        file: "packages/server/src/rack/automation/hooks/target.ts",
        find: " ?? refusedOwn(host, address, port, reserved)",
        replace: "",
      },
      {
        file: "packages/server/src/rack/automation/hooks/target.ts",
        find: " || isOwnAddress(address, port, host)",
        replace: "",
      },
      {
        file: "packages/server/src/rack/automation/open-automation.ts",
        find: "createSafeFetch({ ...rules, allowHostsKey })",
        replace: "createSafeFetch({ ...rules, isOwnAddress: () => false, allowHostsKey })",
      },
    ],
  },
  {
    id: "AH20",
    attack: "a webhook is redirected to a private address",
    test: "packages/server/test/rack/automation/webhooks-out.test.ts",
    name: "AH20: a webhook cannot be turned inward",
    breaks: [
      {
        file: "packages/server/src/rack/automation/hooks/deliver.ts",
        find: 'redirect: "error",',
        replace: 'redirect: "follow",',
      },
    ],
  },
  {
    id: "AH21",
    attack: "an incoming hook is replayed, changed or unsigned",
    test: "packages/server/test/api/automation.test.ts",
    name: "AH21: an old time, a known id",
    breaks: [
      {
        file: "packages/server/src/rack/automation/hooks/create-receivers.ts",
        find: 'if (stored === undefined || fault !== undefined) return refused(name, fault ?? "");',
        replace: 'if (stored === undefined) return refused(name, fault ?? "");',
      },
      {
        file: "packages/server/src/rack/automation/hooks/create-receivers.ts",
        find: "return added?.isNew === true ?",
        replace: "return added !== undefined ?",
      },
    ],
  },
];
