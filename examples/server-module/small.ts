// The shortest module: a list of tools. Plain objects do, so that the file needs no import.
export default [
  {
    name: "greet",
    description: "Greets a person by name.",
    inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    handler: ({ name }: { readonly name: string }): string => `Hello, ${name}.`,
  },
];
