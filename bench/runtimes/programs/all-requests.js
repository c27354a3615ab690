import { runFiles } from "./files.js";
import { run } from "./program.js";
import { callTool } from "./requests.js";
import worker from "./worker.js";

/** The worker of examples/anywhere for what is posted, and what the tests ask beside it. */
export default {
  async fetch(request) {
    if (request.method === "POST") return worker.fetch(request);
    const { pathname } = new URL(request.url);
    return Response.json(pathname === "/" ? [await run(), await runFiles()] : await callTool(pathname.slice(1)));
  },
};
