#!/usr/bin/env node
import { existsSync } from "node:fs";
import module from "node:module";

// Where Node can keep what it compiled (22.1 and newer), the next start is faster.
module.enableCompileCache?.();

// A file that is there before anything is built, so that installing the workspace puts the command into place.
const main = new URL("../lib/main.js", import.meta.url);
if (existsSync(main)) await import(main.href);
else {
  console.error("The command is not built yet. In a clone of the repository: npm run build");
  process.exitCode = 1;
}
