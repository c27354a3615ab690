/** One registry for a whole process. */

export { registry } from "../registry/default.ts";
