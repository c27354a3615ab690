import { compileUnit } from "../compile/compile.ts";
import type { FunctionCode, Unit } from "../compile/code.ts";
import type { NativeDefinition, Natives } from "../machine/machine.ts";
import { FunctionValue, NativeValue, type Value } from "../machine/values.ts";
import { parseProgram } from "../parse/parse.ts";
import { resolveNames } from "../scope/resolve.ts";
import { arrayLibrary } from "./arrays.ts";
import { collectionLibrary } from "./collections.ts";
import { dateLibrary } from "./dates.ts";
import type { Library } from "./define.ts";
import { errorLibrary } from "./errors.ts";
import { globalLibrary } from "./globals.ts";
import { jsonLibrary } from "./json.ts";
import { mathLibrary, numberLibrary } from "./numbers.ts";
import { objectLibrary } from "./objects.ts";
import { prelude } from "./prelude.ts";
import { promiseLibrary } from "./promises.ts";
import { regexpLibrary } from "./regexps.ts";
import { stringLibrary } from "./strings.ts";

const libraries: readonly Library[] = [
  arrayLibrary,
  objectLibrary,
  stringLibrary,
  regexpLibrary,
  numberLibrary,
  mathLibrary,
  jsonLibrary,
  dateLibrary,
  collectionLibrary,
  promiseLibrary,
  errorLibrary,
  globalLibrary,
];

let made: Natives | undefined;

/** All that the language brings, made at the first use. */
export function natives(): Natives {
  made ??= build();
  return made;
}

function build(): Natives {
  const functions = new Map<string, NativeDefinition>();
  const methods = new Map<string, Map<string, NativeValue>>();
  const statics = new Map<string, Map<string, Value>>();
  const globals = new Map<string, Value>();
  const inner = new Map<string, Value>();
  const put = <V>(table: Map<string, Map<string, V>>, owner: string, name: string, value: V): void => {
    const row = table.get(owner) ?? new Map<string, V>();
    row.set(name, value);
    table.set(owner, row);
  };
  const add = (definition: NativeDefinition): void => {
    functions.set(definition.name, definition);
    const value = new NativeValue(definition.name, true);
    const path = definition.name.split(".");
    if (definition.name.startsWith("$")) inner.set(definition.name, value);
    else if (path.length === 1) globals.set(definition.name, value);
    else if (path.length === 3) put(methods, path[0] as string, path[2] as string, value);
    else put(statics, path[0] as string, path[1] as string, value as Value);
  };
  for (const library of libraries) {
    for (const definition of library.functions) add(definition);
    for (const [name, value] of Object.entries(library.constants ?? {})) {
      const [owner, key] = name.split(".") as [string, string];
      put(statics, owner, key, value);
    }
  }
  for (const name of ["$sorted", "$revive", "$replaced", "$replaceWith"]) add({ name, length: 0, prelude: `_${name.slice(1)}` });
  add({ name: "$call", length: 2, call: () => undefined });
  for (const name of ["Math", "JSON", "console"]) globals.set(name, new NativeValue(name, false));
  globals.set("NaN", NaN);
  globals.set("Infinity", Infinity);
  put(statics, "Number", "parseFloat", globals.get("parseFloat") as Value);
  put(statics, "Number", "parseInt", globals.get("parseInt") as Value);
  const units = new Map<boolean, { readonly unit: Unit; readonly byName: Map<string, FunctionValue> }>();
  return {
    functions,
    methods,
    statics,
    globals,
    inner,
    preludeFunction(name, tracked) {
      let known = units.get(tracked);
      if (known === undefined) {
        known = { unit: compilePrelude(tracked), byName: new Map() };
        for (const code of known.unit.functions) {
          if (code.name !== "" && !known.byName.has(code.name)) known.byName.set(code.name, ownFunction(known.unit, code));
        }
        units.set(tracked, known);
      }
      return known.byName.get(name) as FunctionValue;
    },
  };
}

function ownFunction(unit: Unit, code: FunctionCode): FunctionValue {
  return new FunctionValue(unit, code, undefined, undefined);
}

function compilePrelude(tracked: boolean): Unit {
  const parsed = parseProgram(prelude);
  if (!("root" in parsed)) throw new TypeError(parsed.message);
  return compileUnit(parsed.text, parsed.root, resolveNames(parsed.text, parsed.root), tracked, true);
}
