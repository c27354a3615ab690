import { loadOpenApi, readOpenApi } from "../../src/index.ts";

/**
 * Reads "- " over and over, in a process of its own, since one that reads it near the end of its stack may be ended by V8: `read 1000` or `load 10000`. Twice,
 * since a regular expression is compiled when it is used again. Prints what each reading said.
 */
const [way, count] = process.argv.slice(2);
for (let round = 0; round < 2; round++)
  try {
    if (way === "load") await loadOpenApi("- ".repeat(Number(count)));
    else readOpenApi("- ".repeat(Number(count)));
  } catch (error) {
    console.log((error as Error).message);
  }
