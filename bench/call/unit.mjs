import { Ajv2020 } from "ajv/dist/2020.js";
import { handler, inputSchema, valid } from "./setting.mjs";

/** What nobody can do without: a compiled check that passes, and the handler itself. */
export function create() {
  const check = new Ajv2020().compile(inputSchema);
  return () => (check(valid) ? handler(valid) : check.errors);
}
