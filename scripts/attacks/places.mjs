/** Where the rows find packages, and the files of tests that most of them name. */
export const core = "packages/core";
export const fetch = "packages/fetch";
export const store = "packages/store";
export const tools = "packages/tools";
export const mcp = "packages/mcp";
export const server = "packages/server";
export const onServer = `${server}/test/attacks.test.ts`;
export const onMcp = `${mcp}/test/attacks-serve.test.ts`;
export const fromUpstream = `${mcp}/test/attacks-upstream.test.ts`;
