export const rows = [
  {
    id: "S15",
    attack: "a server that other machines reach without signing in",
    test: "packages/server/test/attacks.test.ts",
    name: "S15:",
    breaks: [
      { file: "packages/server/src/serve.ts", find: "const isExposed = !isLoopbackName(host);", replace: "const isExposed = false;" },
    ],
  },
];
