import { isObject } from "@toolrack/json-schema/internal";
import { toText } from "./encode.ts";

/** The texts of a value on the wire, through its lists and members. */
export function valuesIn(value: unknown): readonly string[] {
  return walk(value).values;
}

/** The names of its members, and its texts. */
export function textsIn(value: unknown): readonly string[] {
  const { names, values } = walk(value);
  return names.concat(values);
}

function walk(value: unknown): { readonly names: string[]; readonly values: string[] } {
  const names: string[] = [];
  const values: string[] = [];
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next !== "object" || next === null) {
      values.push(toText(next));
      continue;
    }
    if (isObject(next)) for (const name of Object.keys(next)) names.push(name);
    for (const inner of Object.values(next) as unknown[]) if (inner !== undefined && inner !== null) waiting.push(inner);
  }
  return { names, values };
}
