import { build } from "./lib/build.mjs";
import { orExit, ready } from "./ready.mjs";

// `npm run build` builds whether or not anything changed.
await orExit(() => ready({ build: false }));
const { code, output } = await build();
process.stdout.write(output);
process.exitCode = code;
