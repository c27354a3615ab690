// One program that runs in Node, Bun, Deno, browsers and Cloudflare's workerd, and prints the same everywhere.
import { run } from "./program.ts";

for (const line of await run()) console.log(line);
