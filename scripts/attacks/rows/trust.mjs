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
        find: 'if (isFine) return { print, definition, serve: "seen", write: "pin" };',
        replace: 'if (isFine || seen !== undefined) return { print, definition, serve: "seen", write: "pin" };',
      },
    ],
  },
  {
    id: "S2",
    attack: "the order stands in another field of the definition than its description",
    test: "packages/server/test/rack/trust/fields.test.ts",
    name: "S2: is held at first sight with an order to the model",
    breaks: [
      {
        file: "packages/server/src/rack/trust/judge.ts",
        find: "[] : scanTool(seen.definition, { among: others, accept });",
        replace: "[] : scanTool({ description: seen.definition.description }, { among: others, accept });",
      },
    ],
  },
  {
    id: "S2",
    attack: "the order stands in the instructions, a prompt or a resource of the server",
    test: "packages/server/test/rack/trust/passed-on.test.ts",
    name: "S2: with an order to the model in its",
    breaks: [
      {
        file: "packages/server/src/rack/open-registry.ts",
        find: "texts.through(trust.guard(seen.through(source)))",
        replace: "trust.guard(texts.through(seen.through(source)))",
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
  {
    id: "S5",
    attack: "a tool imitates or steers a tool of another source",
    test: "packages/server/test/rack/trust/told.test.ts",
    name: "S5: a tool whose name imitates one of another source waits",
    breaks: [
      {
        file: "packages/server/src/rack/trust/lock-source.ts",
        find: "const others = look.others(source.id);",
        replace: "const others = look.others(source.id).slice(0, 0);",
      },
    ],
  },
];
