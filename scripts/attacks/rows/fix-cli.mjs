/** Each row: an attack, the test that shows the defence, and a change of the code that removes the defence and must make that test fail. */
export const rows = [
  {
    id: "SD1",
    attack: "a configuration file that was deleted or replaced meanwhile is put into force by a late approval",
    test: "packages/server/test/rack/settings/config-changes.test.ts",
    name: "SD1: offers a file no longer once it",
    breaks: [
      {
        file: "packages/server/src/rack/settings/config-changes.ts",
        find: "if (!isOnDisk(approved))",
        replace: "if (approved.digest === undefined)",
      },
    ],
  },
  {
    id: "SD1",
    attack: "a configuration file that is no longer there is still offered for approval",
    test: "packages/server/test/rack/settings/config-changes.test.ts",
    name: "SD1: offers a file no longer once it",
    breaks: [
      {
        file: "packages/server/src/rack/settings/config-changes.ts",
        find: "withdraw: () => void (pending = undefined),",
        replace: "withdraw: () => undefined,",
      },
    ],
  },
];
