export default [
  {
    name: "double",
    description: "Doubles a number.",
    inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"], additionalProperties: false },
    handler: ({ n }: { readonly n: number }): { readonly doubled: number } => ({ doubled: n * 2 }),
  },
];
