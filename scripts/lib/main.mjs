import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Whether the module with this URL is the file that Node was started with, also when it was named through a link. */
export function isMain(url) {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(url);
}
