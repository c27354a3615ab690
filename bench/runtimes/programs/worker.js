import { runFiles } from "./files.js";
import { run } from "./program.js";
import { callWhile } from "./requests.js";

export default {
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname !== "/") return Response.json(await callWhile(pathname));
    return Response.json([await run(), await runFiles()]);
  },
};
