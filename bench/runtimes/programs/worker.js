import { runFiles } from "./files.js";
import { run } from "./program.js";

export default {
  async fetch() {
    return Response.json([await run(), await runFiles()]);
  },
};
