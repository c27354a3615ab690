import { Ajv2020 } from "ajv/dist/2020.js";
import { handler, inputOf, inputSchema } from "./setting.mjs";

/** What nobody can do without: a compiled check and the handler itself. */
export function create(setting) {
  const check = new Ajv2020().compile(inputSchema);
  const input = inputOf(setting);
  return () => (check(input) ? handler(input) : check.errors);
}
