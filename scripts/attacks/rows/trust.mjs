/** Definitions of servers that one does not own: see rows.mjs for the form. */
export const rows = [
  {
    id: "S1",
    attack: "a server lists a tool with an order to the model in its description",
    test: "packages/server/test/rack/trust/surfaces.test.ts",
    name: "S1: with an order to the model in a description",
    breaks: [
      {
        file: "packages/server/src/rack/trust/judge.ts",
        find: "const isFine = isAgreed",
        replace: "const isFine = seen !== undefined || isAgreed",
      },
    ],
  },
  {
    id: "S3",
    attack: "a server changes a definition after it was approved",
    test: "packages/server/test/rack/trust/fields.test.ts",
    name: "S3: reaches no model with one changed character",
    breaks: [
      {
        file: "packages/server/src/rack/trust/judge.ts",
        find: "if (isWhole && print === upstream.print) return",
        replace: "if (isWhole) return",
      },
    ],
  },
  {
    id: "S4",
    attack: "another program or address takes the place of an approved server",
    test: "packages/server/test/rack/trust/told.test.ts",
    name: "S4: the same definition from another program or address waits",
    breaks: [
      {
        file: "packages/server/src/rack/trust/told.ts",
        find: "if (elsewhere.has(seen.name))",
        replace: "if (elsewhere.has(`no ${seen.name}`))",
      },
    ],
  },
];
