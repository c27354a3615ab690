import { runFiles } from "./files.js";
import { run } from "./program.js";

globalThis.answers = Promise.all([run(), runFiles()]);
