/** Renamed tools, and switches of the file: see rows.mjs for the form. */
const renamed = "packages/server/test/rack/trust/renamed.test.ts";
const policy = "packages/core/test/policy/renamed.test.ts";
const unregistered = {
  file: "packages/server/src/rack/trust/overlay-names.ts",
  find: "  if (!isRenamed && addedGroups.length === 0) return tool;",
  replace: "  if (isRenamed || addedGroups.length === 0) return tool;",
};

export const rows = [
  {
    id: "TD1",
    attack: "a curator's overlay renames `exec` to `calculator`, and an agent that is allowed `calculator` runs programs",
    test: renamed,
    name: "TD1: runs for nobody who is allowed the new name alone",
    breaks: [unregistered],
  },
  {
    id: "TD1",
    attack: "a rename escapes a deny",
    test: renamed,
    name: "TD1: is denied by",
    breaks: [unregistered],
  },
  {
    id: "TD1",
    attack: "a rename escapes an ask",
    test: renamed,
    name: "TD1: waits for a person as before",
    breaks: [unregistered],
  },
  {
    id: "TD1",
    attack: "a rename escapes path rules and conditions",
    test: renamed,
    name: "TD1: has the path rules and the conditions of its registered name",
    breaks: [unregistered],
  },
  {
    id: "TD1",
    attack: "a condition that allows the new name loosens those of the registered one",
    test: policy,
    name: "TD1: does not lose a condition of its registered name, nor gains by one of the other",
    breaks: [
      {
        file: "packages/core/src/policy/calls/rules.ts",
        find: "registrationOf(tool)?.isConfirmed === false ? markNarrow(tool, entries, found) : found",
        replace: "found",
      },
    ],
  },
  {
    id: "TD1",
    attack: "a condition that compares the variable `tool` is escaped by a rename",
    test: policy,
    name: "TD1: has each of its names in the variable `tool` of a condition",
    breaks: [
      {
        file: "packages/core/src/policy/calls/decide.ts",
        find: "const isRenamed = registrationOf(tool) !== undefined;",
        replace: "const isRenamed = false;",
      },
    ],
  },
  {
    id: "TD1",
    attack: "a rename under any policy lets an agent call what it could not call before",
    test: policy,
    name: "TD1: never lets a caller do what the registered name did not",
    breaks: [
      {
        file: "packages/core/src/policy/entries/classes.ts",
        find: "const lookups = grants ? into : into.narrowed();",
        replace: "const lookups = into;",
      },
    ],
  },
  {
    id: "TD1",
    attack: "a rename escapes `tools.disabled`",
    test: renamed,
    name: "TD1: stays disabled, also where it is renamed",
    breaks: [
      {
        file: "packages/core/src/registry/name-switches.ts",
        find: "for (const own of governedNames(tool)) {",
        replace: "for (const own of [tool.name]) {",
      },
    ],
  },
  {
    id: "TD1",
    attack: "a rename escapes `tools.actions`",
    test: renamed,
    name: "TD1: keeps its disabled actions",
    breaks: [
      {
        file: "packages/server/src/rack/tools/action-gates.ts",
        find: "for (const name of governedNames(tool).map(normalizeToolName))",
        replace: "for (const name of [tool.name].map(normalizeToolName))",
      },
    ],
  },
  {
    id: "TD1",
    attack: "a curator changes or removes the name or the groups of an overlay",
    test: renamed,
    name: "TD1: are changed by nobody but an admin",
    breaks: [
      {
        file: "packages/server/src/rack/trust/overlay-names.ts",
        find: 'if (changed.length === 0 || roleOf(by) === "admin") return;',
        replace: "if (changed.length === 0 || roleOf(by) !== undefined) return;",
      },
    ],
  },
  {
    id: "TD4",
    attack: "a curator enables what the file disables",
    test: "packages/server/test/api/switches.test.ts",
    name: "TD4: is enabled by no curator, in any way, and by an admin",
    breaks: [
      {
        file: "packages/server/src/rack/settings/settings.ts",
        find: "    demandAdminForSwitches(changes, by);\n",
        replace: "",
      },
    ],
  },
  {
    id: "TD4",
    attack: "a proposal to enable what the file disables is accepted by a curator",
    test: "packages/server/test/api/switches.test.ts",
    name: "TD4: is not enabled by a proposal that only a curator accepts",
    breaks: [
      {
        file: "packages/server/src/rack/settings/settings.ts",
        find: "    demandAdminForSwitches(changes, by);\n",
        replace: "",
      },
    ],
  },
  {
    id: "TD4",
    attack: "an agent calls an older version of what the file disables",
    test: "packages/server/test/api/switches.test.ts",
    name: "TD4: is called by nobody in an older version",
    breaks: [
      {
        file: "packages/core/src/registry/entries.ts",
        find: "switches.reasonFor(tool);",
        replace: "(tools.find(tool.name)?.tool === tool ? switches.reasonFor(tool) : undefined);",
      },
    ],
  },
  {
    id: "TD4",
    attack: "a version that is added later escapes `tools.disabled`",
    test: "packages/server/test/api/switches.test.ts",
    name: "TD4: is called by nobody in a version that is added later",
    breaks: [
      {
        file: "packages/core/src/registry/entries.ts",
        find: "switches.reasonFor(tool);",
        replace: '(tool.version === "3.0.0" ? undefined : switches.reasonFor(tool));',
      },
    ],
  },
  {
    id: "TD4",
    attack: "an agent calls a disabled tool that a plugin makes for each caller",
    test: "packages/server/test/api/switches.test.ts",
    name: "TD4: is called by nobody where a plugin makes it for each caller",
    breaks: [
      {
        file: "packages/core/src/registry/entries.ts",
        find: "switches.reasonFor(tool);",
        replace: "(tools.entryOf(tool) && switches.reasonFor(tool));",
      },
    ],
  },
  {
    id: "TD4",
    attack: "a curator enables a tool before the file disables it",
    test: "packages/server/test/api/switches.test.ts",
    name: "TD4: is not enabled by what a curator enabled before",
    breaks: [
      {
        file: "packages/server/src/rack/settings/merge-settings.ts",
        find: 'byRole !== "admin" && disabledByFile.has(name)',
        replace: "disabledByFile.has(name) && overrides.size === 0",
      },
    ],
  },
  {
    id: "TD4",
    attack: "a curator enables what an admin disabled",
    test: "packages/server/test/api/switches.test.ts",
    name: "TD4: is disabled in every version by a switch, which only an admin undoes",
    breaks: [
      {
        file: "packages/server/src/rack/settings/settings.ts",
        find: 'return isKept ? "admin" : roleOf(by);',
        replace: "return roleOf(by);",
      },
    ],
  },
];
