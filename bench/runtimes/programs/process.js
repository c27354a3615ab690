import { runFiles } from "./files.js";
import { run } from "./program.js";

console.log(JSON.stringify([await run(), await runFiles()]));
