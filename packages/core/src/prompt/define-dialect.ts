import { isObject } from "@toolrack/json-schema/internal";
import {
  checkFields,
  type FieldKind,
  type FieldsOf,
  method,
  objectWith,
  oneOf,
  required,
  someText,
  text as anyText,
} from "../util/check-fields.ts";
import type { Dialect, DialectForm } from "./dialects/dialect.ts";

const defined = new WeakSet<object>();
const text: FieldKind = { ...someText, required: true };
const fields: FieldsOf<Dialect> = {
  family: text,
  // Such flags keep a position from one test to the next.
  models: {
    is: "a regular expression without the flags g and y",
    test: (value) => value instanceof RegExp && !/[gy]/.test(value.flags),
  },
  form: required(
    objectWith({
      call: required({ is: '{ kind: "object", name, arguments } or { kind: "line" }', test: isCall }),
      open: anyText,
      close: anyText,
      begin: anyText,
      list: required(oneOf("parallel", "always", "never")),
      separator: anyText,
    } satisfies FieldsOf<DialectForm>),
  ),
  resultRole: text,
  promptFor: required(method),
  writeCalls: required(method),
  readCalls: required(method),
  writeResult: required(method),
};

/**
 * Makes a dialect of local models, to be given to `dialectFor`. The value is frozen. Throws CONFIG_INVALID and names the field if one is
 * missing, wrong or unknown.
 */
export function defineDialect<const Family extends string>(dialect: Dialect<Family>): Dialect<Family> {
  if (defined.has(dialect)) return dialect;
  const family: unknown = isObject(dialect) ? dialect["family"] : undefined;
  const subject = typeof family === "string" && family !== "" ? `Dialect ${JSON.stringify(family.slice(0, 64))}` : "A dialect";
  checkFields(dialect, fields, { subject, word: "field" });
  const made: Dialect<Family> = Object.freeze({
    ...dialect,
    form: Object.freeze({ ...dialect.form, call: Object.freeze({ ...dialect.form.call }) }),
  });
  defined.add(made);
  return made;
}

function isCall(call: unknown): boolean {
  if (!isObject(call)) return false;
  return call["kind"] === "line" || (call["kind"] === "object" && someText.test(call["name"]) && someText.test(call["arguments"]));
}
