import type { Unit } from "../compile/code.ts";
import { lineStartsOf, placeOf, type Place } from "../parse/source.ts";
import type { Frame } from "./values.ts";
import type { Machine } from "./machine.ts";

/** The part of the source that the last instruction of a frame comes from. */
export function placeAt(f: Frame): { readonly start: number; readonly end: number } | undefined {
  const { places } = f.fn;
  let low = 0;
  let high = places.length / 3 - 1;
  let found = -1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if ((places[middle * 3] as number) < f.pc) {
      found = middle;
      low = middle + 1;
    } else high = middle - 1;
  }
  return found === -1 ? undefined : { start: places[found * 3 + 1] as number, end: places[found * 3 + 2] as number };
}

/** Where the program is: the offset of the instruction of its innermost own frame. */
export function currentOffset(m: Machine): number | undefined {
  for (let frame = m.frame; frame !== undefined; frame = frame.caller) {
    if (!frame.unit.builtin) return placeAt(frame)?.start ?? frame.fn.start;
  }
  return undefined;
}

export function currentPlace(m: Machine): Place | undefined {
  const at = currentOffset(m);
  return at === undefined ? undefined : placeIn(m.unit, at);
}

/** The lines of an error's stack: those of the program alone. */
export function traceOf(m: Machine): string {
  let text = "";
  let count = 0;
  for (let frame = m.frame; frame !== undefined && count < 10; frame = frame.caller) {
    if (frame.unit.builtin) continue;
    const { line, column } = placeIn(frame.unit, placeAt(frame)?.start ?? frame.fn.start);
    text += `\n    at ${frame.fn.name || "(anonymous)"} (line ${line}:${column})`;
    count++;
  }
  return text;
}

/** Kept, since a program may make an error in each of its steps. */
const lineStarts = new WeakMap<Unit, readonly number[]>();

function placeIn(unit: Unit, offset: number): Place {
  let starts = lineStarts.get(unit);
  if (starts === undefined) lineStarts.set(unit, (starts = lineStartsOf(unit.text)));
  return placeOf(unit.text, offset, starts);
}
