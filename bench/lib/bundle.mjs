import { bundleSources } from "../../scripts/lib/bundle-sources.mjs";

const core = "packages/core/src/index.ts";

/** Parts of the private test kit that benchmarks share with the tests. */
const testkit = {
  postgres: "packages/testkit/src/postgres.ts",
  nginx: "packages/testkit/src/nginx.ts",
  smallDisk: "packages/testkit/src/small-disk.ts",
  until: "packages/testkit/src/until.ts",
};

/** `{ core, store, postgres }` */
export const bundleStore = (name) =>
  bundleSources({ core, store: "packages/store/src/index.ts", postgres: testkit.postgres }, `packages/store/.build/${name}`);

/** `{ core, mcp }` */
export const bundleMcp = () => bundleSources({ core, mcp: "packages/mcp/src/index.ts" }, "packages/mcp/.build/bench");

/** `{ schema, core, server }` */
export const bundleServer = () =>
  bundleSources(
    { schema: "packages/json-schema/src/index.ts", core, server: "packages/server/src/index.ts" },
    "packages/server/.build/bench",
  );

/** `{ core, store, mcp, server, postgres, nginx, smallDisk, until }`: several servers on one store. */
export const bundleServers = (name) =>
  bundleSources(
    {
      core,
      store: "packages/store/src/index.ts",
      mcp: "packages/mcp/src/index.ts",
      server: "packages/server/src/index.ts",
      ...testkit,
    },
    `packages/server/.build/${name}`,
  );
