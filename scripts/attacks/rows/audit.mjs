const store = "packages/store/src";

/** Each row: an attack, the test that shows the defence, and a change of the code that removes the defence and must make that test fail. */
export const rows = [
  {
    id: "SD11",
    attack: "somebody changes a back-up and makes a digest that fits, so that restoring it approves another tool",
    test: "packages/store/test/copy/back-up.test.ts",
    name: "BK6",
    breaks: [{ file: `${store}/copy/restore.ts`, find: 'if (Buffer.from(digest).toString("hex") !== sha256)', replace: "if (false)" }],
  },
  {
    id: "SD11",
    attack: "somebody who can write to the database recomputes the whole chain of the audit",
    test: "packages/server/test/rack/audit/audit-key.test.ts",
    name: "SD11",
    breaks: [
      {
        file: "packages/server/src/rack/open-state.ts",
        find: "  await openAudit({ store: inner, masterKey: keys, log, file: opened.auditKeyFile });\n",
        replace: "",
      },
    ],
  },
  {
    id: "SD11",
    attack: "the record of the audit's key is removed with every line under it",
    test: "packages/server/test/rack/audit/audit-key.test.ts",
    name: "SD11: does not verify when the record of its key was removed",
    breaks: [{ file: `${store}/audit/verify.ts`, find: "if (auditKeys.gone !== undefined)", replace: "if (false)" }],
  },
  {
    id: "SD1",
    attack: "an agent replaces a link in the workspace that leads to a module of the server",
    test: "packages/server/test/rack/files/code-in-workspace.test.ts",
    name: "SD1: is refused where a link in the workspace",
    breaks: [
      {
        file: "packages/server/src/rack/files/writable.ts",
        find: "writable.find(({ folder }) => leadsThrough(file, folder))",
        replace: "writable.find(({ folder }) => isInside(folder, realPlace(file)))",
      },
    ],
  },
  {
    id: "SD1",
    attack: "an agent changes a file that a module of the server imports",
    test: "packages/server/test/rack/files/code-in-workspace.test.ts",
    name: "SD1: is refused where it lies in the workspace",
    breaks: [
      {
        file: "packages/server/src/rack/files/writable.ts",
        find: "...(writesFiles ?",
        replace: "...(false ?",
      },
    ],
  },
  {
    id: "SD2",
    attack: "the configuration file is replaced by a pipe",
    test: "packages/server/test/config/file/whole-file.test.ts",
    name: "SD2: a pipe, a folder and a huge file",
    breaks: [{ file: "packages/server/src/config/file/whole-file.ts", find: "if (!before.isFile)", replace: "if (false)" }],
  },
  {
    id: "SD11",
    attack: "lines without a MAC stand behind the line that gave the audit its key",
    test: "packages/store/test/audit/tampering.test.ts",
    name: "SD11",
    breaks: [
      {
        file: `${store}/audit/verify.ts`,
        find: 'return count === 0 ? undefined : "it has no MAC, although the audit had a key by then";',
        replace: "return undefined;",
      },
      {
        file: `${store}/audit/verify.ts`,
        find: 'if (count === 0 && unkeyed > 0 && row.kind !== keyedKind) return "lines before it have no MAC, and no line confirms them";',
        replace: "",
      },
      {
        file: `${store}/audit/verify.ts`,
        find: "const fault = auditKeys.hasKey ? keys.findFaultOfWhole() : undefined;",
        replace: "const fault = undefined;",
      },
    ],
  },
  {
    id: "SD11",
    attack: "the oldest lines of the audit are removed, and its beginning is moved",
    test: "packages/store/test/audit/tampering.test.ts",
    name: "whose older lines are gone",
    breaks: [
      {
        file: `${store}/audit/verify.ts`,
        find: `let anchor: AuditBegin["anchor"];`,
        replace: `let anchor: AuditBegin["anchor"] = { number: 0, at: 0 };`,
      },
    ],
  },
  {
    id: "SD11",
    attack: "a line is changed under an audit key that the server does not know",
    test: "packages/store/test/audit/tampering.test.ts",
    name: "with a line under a key that nobody has",
    breaks: [
      { file: `${store}/audit/verify.ts`, find: 'if (row.keyId !== "" && key === undefined)', replace: "if (false)" },
      { file: `${store}/audit/verify.ts`, find: "if (hashRow(row, key) !== row.hash)", replace: "if (false)" },
      {
        file: `${store}/audit/verify.ts`,
        find: 'return count === 0 ? undefined : "it has no MAC, although the audit had a key by then";',
        replace: "return undefined;",
      },
    ],
  },
  {
    id: "SD11",
    attack: "the chain is recomputed with hashes that need no key",
    test: "packages/store/test/calls/line-writer.test.ts",
    name: "HMAC",
    breaks: [{ file: `${store}/engine/chain.ts`, find: "if (key !== undefined) return { chain", replace: "if (false) return { chain" }],
  },
  {
    id: "S28",
    attack: "a tool answers with its secret in base64, hex or a URL",
    test: "packages/core/test/util/redactor.test.ts",
    name: "S28",
    breaks: [
      {
        file: "packages/core/src/util/secret-forms.ts",
        find: "for (const form of base64Forms(bytes)) forms.add(form)",
        replace: 'for (const form of [bytes.toString("base64")]) forms.add(form)',
      },
    ],
  },
];
