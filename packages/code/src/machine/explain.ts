import type { Frame } from "./values.ts";
import type { Machine } from "./machine.ts";
import { nearest } from "./nearest.ts";
import { placeAt } from "./places.ts";
import { ToolsValue, type Value } from "./values.ts";

/** `customer.address is undefined (from get_customer)`. */
export function explainMissing(m: Machine, f: Frame, base: undefined | null, key: string, writes = false): never {
  const text = sourceOf(f);
  const tool = base === undefined ? missedFrom(m, text) : undefined;
  const from = tool === undefined ? "" : ` (from ${tool})`;
  const what = text === "" ? "The value" : text;
  const member = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) ? `.${key}` : `[${JSON.stringify(key.slice(0, 40))}]`;
  const way = writes
    ? "Create the object first."
    : text.length > 0 && text.length < 60
      ? `Check it first, or use ${text}?.${member.startsWith(".") ? member.slice(1) : member}.`
      : "Check it first.";
  return m.fail(
    "TypeError",
    `${what} is ${base === null ? "null" : "undefined"}${from}, so ${member} cannot be ${writes ? "set" : "read"}. ${way}`,
  );
}

/** The tool whose answer lacks what a text reads, as far as the message may tell. */
function missedFrom(m: Machine, text: string): string | undefined {
  const known = m.touched | m.context;
  for (const [label, { tool, key }] of m.missed)
    if ((label & ~known) === 0 && (text.endsWith(`.${key}`) || text.endsWith(`["${key}"]`))) return tool;
  return undefined;
}

/** Something that is called is not a function. */
export function explainNotCallable(m: Machine, f: Frame, self: Value, value: Value, made = false): never {
  const text = sourceOf(f);
  const what = text === "" ? "The value" : text;
  if (self instanceof ToolsValue) {
    const name = /(?:\.|\[["'])([^."'\]]+)["'\]]*$/.exec(text)?.[1] ?? text;
    const near = nearest(m, name, m.toolNames);
    const way =
      near === undefined
        ? "See tools.search, or Object.keys(tools)."
        : `Did you mean ${/^[\w$]+$/.test(near) ? `tools.${near}` : `tools[${JSON.stringify(near)}]`}?`;
    return m.fail("TypeError", `There is no tool "${name}". ${way}`);
  }
  const method = /^(.*)\.(\w+)$/s.exec(text);
  if (method !== null && Object.hasOwn(insteadOf, method[2] as string)) {
    return m.fail("TypeError", `${what} is not supported. ${insteadOf[method[2] as string]}`);
  }
  const kind =
    value === undefined ? "undefined" : value === null ? "null" : `a value of type ${typeof value === "object" ? "object" : typeof value}`;
  return m.fail("TypeError", `${what} is not a ${made ? "constructor" : "function"}: it is ${kind}.`);
}

const insteadOf: Readonly<Record<string, string>> = {
  call: "Call the function itself: f(…).",
  apply: "Call the function with a spread: f(...args).",
  bind: "Use an arrow function: (...args) => f(...args).",
  normalize: "Compare the text as it is.",
  toLocaleUpperCase: "Use toUpperCase.",
  toLocaleLowerCase: "Use toLowerCase.",
  substr: "Use slice(start, end).",
};

/** The source of the present instruction, if it is short. */
function sourceOf(f: Frame): string {
  if (f.unit.builtin) return "";
  const place = placeAt(f);
  if (place === undefined) return "";
  const text = f.unit.text.slice(place.start, place.end).replace(/\s+/g, " ");
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
