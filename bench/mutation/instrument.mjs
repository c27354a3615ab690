import { parseSync } from "rolldown/utils";

/**
 * The text with each of its mutants beside the original: which of them runs is decided when it runs. Every function tells that its file
 * is in use, for the mutants that are not in a function. Without mutants the text is as it was.
 */
export function instrument(file, text, mutants) {
  if (mutants.length === 0) return text;
  const edits = [...mutants.map(toEdit), ...usesOf(file, text)];
  return write(
    text,
    0,
    text.length,
    edits.toSorted((a, b) => a.start - b.start || b.end - a.end),
  );
}

// A function whose text is handed to another process finds no switch there, and runs as it is.
function toEdit({ id, start, end, replacement, prefix = "" }) {
  return { start, end, prefix, before: `(globalThis.__mutants?.isOn(${JSON.stringify(id)}) ? (${replacement}) : (`, after: "))" };
}

function usesOf(file, text) {
  const use = `globalThis.__mutants?.use(${JSON.stringify(file)})`;
  const bodies = [];
  const visit = (node) => {
    const isFunction = /Function/.test(node.type) && typeof node.body?.start === "number";
    if (isFunction && node.body.type === "BlockStatement") bodies.push(node.body.start + 1);
    if (isFunction && node.body.type === "FunctionBody") bodies.push(node.body.start + 1);
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value]) if (typeof child?.type === "string") visit(child);
  };
  visit(parseSync(file, text).program);
  return bodies.map((start) => ({ start, end: start, before: `${use};`, after: "" }));
}

function write(text, from, to, edits) {
  let [at, written] = [from, ""];
  for (let index = 0; index < edits.length;) {
    const { start, end, prefix = "", before, after } = edits[index++];
    const inner = [];
    while (index < edits.length && edits[index].start < end) inner.push(edits[index++]);
    // A second change of the very same shorthand property has its name already.
    const nested = inner.map((other) => (other.start === start && other.end === end ? { ...other, prefix: "" } : other));
    written += `${text.slice(at, start)}${prefix}${before}${write(text, start, end, nested)}${after}`;
    at = end;
  }
  return written + text.slice(at, to);
}
