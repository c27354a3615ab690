import { isObject } from "@toolrack/json-schema/internal";
import { ToolError } from "../errors.ts";
import type { Dialect } from "./dialects/dialect.ts";

const defined = new WeakSet<object>();
const methods = ["promptFor", "writeCalls", "readCalls", "writeResult"] as const;
const known = new Set<string>(["family", "models", "form", "resultRole", ...methods]);

/**
 * Makes a dialect of local models, to be given to `dialectFor`. The value is frozen. Throws CONFIG_INVALID and names the field if one is
 * missing, wrong or unknown.
 */
export function defineDialect<const Family extends string>(dialect: Dialect<Family>): Dialect<Family> {
  if (defined.has(dialect)) return dialect;
  const fault = findFault(dialect);
  if (fault !== undefined) {
    const family: unknown = isObject(dialect) ? dialect["family"] : undefined;
    const name = typeof family === "string" && family !== "" ? `Dialect ${JSON.stringify(family.slice(0, 64))}` : "A dialect";
    throw new ToolError("CONFIG_INVALID", `${name}: ${fault}`);
  }
  const made: Dialect<Family> = Object.freeze({
    ...dialect,
    form: Object.freeze({ ...dialect.form, call: Object.freeze({ ...dialect.form.call }) }),
  });
  defined.add(made);
  return made;
}

function findFault(dialect: unknown): string | undefined {
  if (!isObject(dialect)) return `it must be an object with ${[...known].join(", ")}.`;
  const unknown = Object.keys(dialect).find((key) => !known.has(key));
  if (unknown !== undefined) return `the field "${unknown}" is unknown. Known fields: ${[...known].join(", ")}.`;
  if (!isText(dialect["family"])) return '"family" must be a text that is not empty.';
  const { models } = dialect;
  // Such flags keep a position from one test to the next.
  if (models !== undefined && !(models instanceof RegExp && !/[gy]/.test(models.flags)))
    return '"models" must be a regular expression without the flags g and y.';
  if (!isText(dialect["resultRole"])) return '"resultRole" must be a text that is not empty.';
  const method = methods.find((name) => typeof dialect[name] !== "function");
  return method === undefined ? findFormFault(dialect["form"]) : `"${method}" must be a function.`;
}

function findFormFault(form: unknown): string | undefined {
  if (!isObject(form)) return '"form" must be an object with call and list.';
  const { call, list } = form;
  const isObjectCall = isObject(call) && call["kind"] === "object" && isText(call["name"]) && isText(call["arguments"]);
  if (!isObjectCall && !(isObject(call) && call["kind"] === "line"))
    return '"form.call" must be { kind: "object", name, arguments } or { kind: "line" }.';
  if (!["parallel", "always", "never"].includes(list as string)) return '"form.list" must be "parallel", "always" or "never".';
  const wrong = ["open", "close", "begin", "separator"].find((key) => form[key] !== undefined && typeof form[key] !== "string");
  return wrong === undefined ? undefined : `"form.${wrong}" must be a text.`;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
