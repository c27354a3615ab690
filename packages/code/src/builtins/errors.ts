import { errorText, toText } from "../machine/convert.ts";
import type { ErrorName } from "../machine/errors.ts";
import { appendIterable } from "../machine/iterate.ts";
import type { Machine } from "../machine/machine.ts";
import type { NativeDefinition } from "../machine/machine.ts";
import { ArrayValue, ObjectValue, type Value } from "../machine/values.ts";
import { argLabel, native, type Library } from "./define.ts";

const names: readonly ErrorName[] = [
  "Error",
  "TypeError",
  "RangeError",
  "SyntaxError",
  "ReferenceError",
  "URIError",
  "EvalError",
  "AggregateError",
  "ToolError",
];

function make(m: Machine, name: ErrorName, args: readonly Value[]): ObjectValue {
  const at = name === "AggregateError" ? 1 : 0;
  m.touched = argLabel(m, at);
  const given = args[at];
  const error = m.makeError(name, given === undefined ? "" : toText(m, given));
  if (given === undefined) {
    error.slots.delete("message");
    error.shape |= m.touched;
  }
  const options = args[at + 1];
  if (options instanceof ObjectValue && options.slots.has("cause")) {
    error.slots.set("cause", options.slots.get("cause"));
    error.hidden?.add("cause");
    const label = (options.labels?.get("cause") ?? 0) | argLabel(m, at + 1);
    if (label !== 0) (error.labels ??= new Map()).set("cause", label);
  }
  if (name === "AggregateError") {
    const errors = new ArrayValue([]);
    m.touched = argLabel(m, 0);
    appendIterable(m, errors, args[0], argLabel(m, 0));
    error.slots.set("errors", errors);
    error.hidden?.add("errors");
  }
  m.touched = 0;
  return error;
}

export const errorLibrary: Library = {
  functions: [
    ...names.map((name): NativeDefinition => ({
      name,
      length: name === "AggregateError" ? 2 : 1,
      call: (m, _self, args) => make(m, name, args),
      construct: (m, args) => make(m, name, args),
    })),
    native("Error.prototype.toString", 0, (m, self) => {
      if (!(self instanceof ObjectValue)) return m.fail("TypeError", "This method needs an error.");
      return errorText(m, self);
    }),
  ],
};
