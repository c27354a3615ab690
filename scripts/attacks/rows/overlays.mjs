/** What an overlay restricts, and calls of what it pins: see rows.mjs for the form. */
export const rows = [
  {
    id: "TD2",
    attack: "a curator's overlay replaces the one of the file, with what that hides, pins, narrows and limits",
    test: "packages/server/test/rack/trust/overlay-roles.test.ts",
    name: "keeps what is hidden, pinned and narrowed there, and adds to it",
    breaks: [
      {
        file: "packages/server/src/rack/trust/overlay-layers.ts",
        find: "const base = laid(file, said.under, limits);",
        replace: "const base = laid(undefined, said.under, limits);",
      },
    ],
  },
  {
    id: "TD2",
    attack: "a curator's overlay says something looser than the file",
    test: "packages/server/test/rack/trust/overlay-roles.test.ts",
    name: "may not loosen",
    breaks: [
      {
        file: "packages/server/src/rack/trust/overlays.ts",
        find: 'if (roleOf(by) !== "admin" && loosens.length > 0)',
        replace: 'if (roleOf(by) === "nobody" && loosens.length > 0)',
      },
    ],
  },
  {
    id: "TD2",
    attack: "a curator replaces or removes what an admin set",
    test: "packages/server/test/rack/trust/overlay-roles.test.ts",
    name: "keeps what the admin said, also when it is removed",
    breaks: [
      {
        file: "packages/server/src/rack/trust/overlay-layers.ts",
        find: 'if (byRole === "curator") return under;',
        replace: "return under;",
      },
    ],
  },
  {
    id: "TD2",
    attack: "an overlay gives a tool more time, results or concurrency than the tool's own limits",
    test: "packages/server/test/rack/trust/overlay-roles.test.ts",
    name: "is refused for everybody, and takes the tool out of service where the file has it",
    breaks: [
      {
        file: "packages/server/src/rack/trust/overlay-apply.ts",
        find: "if (looser !== undefined) throw",
        replace: "if (looser === undefined) throw",
      },
    ],
  },
  {
    id: "TD2",
    attack: "some combination of an overlay of the file and a curator's lets an input through that the file refuses",
    test: "packages/server/test/rack/trust/overlay-merge.test.ts",
    name: "never lets the tool get a whole input that the one below it does not",
    breaks: [
      {
        file: "packages/server/src/rack/trust/overlay-merge.ts",
        find: "if (isWithheld(base)) return",
        replace: 'if (isWithheld(base) && !("value" in over)) return',
      },
    ],
  },
  {
    id: "TD2",
    attack: "a curator confirms an overlay of an older version to own it, then removes it",
    test: "packages/server/test/rack/trust/overlay-roles.test.ts",
    name: "stays of nobody's role, and its author's",
    breaks: [
      {
        file: "packages/server/src/rack/trust/overlays.ts",
        find: "const saidBy = isAdmin ? saidByOf(by) :",
        replace: 'const saidBy = stored.byRole !== "admin" ? saidByOf(by) :',
      },
    ],
  },
  {
    id: "TD2",
    attack: "a curator's confirmation or overlay makes what an admin set hold for another program at the same source",
    test: "packages/server/test/rack/trust/overlay-roles.test.ts",
    name: "is neither confirmed nor set again by a curator where an admin said something",
    breaks: [
      {
        file: "packages/server/src/rack/trust/overlay-layers.ts",
        find: "held === undefined || contextOf(record!).source === sourceIdentity(source)",
        replace: "held === undefined || contextOf(record!).sourceId === source.id",
      },
    ],
  },
  {
    id: "TD2",
    attack: "a curator's overlay lifts the limits that every call has by default",
    test: "packages/server/test/rack/trust/overlay-roles.test.ts",
    name: "is not lifted by a curator",
    breaks: [
      {
        file: "packages/server/src/rack/open-registry.ts",
        find: "limits: { timeoutMs: defaultTimeoutMs, maxResultBytes: defaultMaxResultBytes, ...config.limits },",
        replace: "limits: { ...config.limits },",
      },
    ],
  },
  {
    id: "TD2",
    attack: "a curator saves a setting that gives a hidden parameter a value",
    test: "packages/server/test/api/configs-of-hidden.test.ts",
    name: "is an admin's where the file",
    breaks: [
      {
        file: "packages/server/src/api/configs.ts",
        find: "const withheld = await rack.overlays.adminsWithhold(tool);",
        replace: "const withheld: readonly string[] = [];",
      },
    ],
  },
  {
    id: "TD3",
    attack: "a pinned value slips past conditions and path rules, which look at what the caller gave",
    test: "packages/server/test/rack/trust/pinned-calls.test.ts",
    name: "is seen by conditions and path rules of a call by",
    breaks: [
      {
        file: "packages/core/src/tool/input.ts",
        find: "const whole = Object.fromEntries([...Object.entries(input), ...Object.entries(privateCopy(pins.values))]);",
        replace: "const whole = input;",
      },
    ],
  },
  {
    id: "TD3",
    attack: "an approval for always outlives the value that was pinned when it was given",
    test: "packages/server/test/rack/trust/pinned-calls.test.ts",
    name: "of a question that was open while another value was pinned lets nothing run",
    breaks: [
      {
        file: "packages/core/src/registry/definition-hash.ts",
        find: "contentHash(pins === undefined ? definition : { definition, pinned: pins.values, own: definitionHash(pins.own) })",
        replace: "contentHash(definition)",
      },
    ],
  },
  {
    id: "TD3",
    attack: "a value is pinned while a call waits, and the call runs with the one before",
    test: "packages/core/test/call/pins.test.ts",
    name: "ends a call that waits for something else than a person",
    breaks: [
      {
        file: "packages/core/src/registry/call-host.ts",
        find: "if (call.hasStarted !== true && differsUnderneath(tool, present))",
        replace: "if (call.hasStarted === true && differsUnderneath(tool, present))",
      },
    ],
  },
  {
    id: "TD3",
    attack: "a caller gives a pinned or hidden parameter, under its name, another spelling or an alias",
    test: "packages/core/test/call/pins.test.ts",
    name: "of a caller: the answer names it, and no value",
    breaks: [
      {
        file: "packages/core/src/call/steps/pins.ts",
        find: "if (given.length > 0) return given.map(notTaken);",
        replace: "if (given.length < 0) return given.map(notTaken);",
      },
    ],
  },
  {
    id: "TD3",
    attack: "a kept answer of a call with another pin is given under the same idempotency key",
    test: "packages/server/test/rack/trust/pinned-calls.test.ts",
    name: "answers no call with another pin",
    breaks: [
      {
        file: "packages/core/src/call/idempotency.ts",
        find: "Object.keys(values).length === 0 ? input",
        replace: "Object.keys(values).length >= 0 ? input",
      },
    ],
  },
];
