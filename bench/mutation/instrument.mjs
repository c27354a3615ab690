import { parseSync } from "rolldown/utils";

/**
 * The text with each of its mutants, `{ id, start, end, replacement, prefix? }`, beside the original: which of them runs is decided when it
 * runs. With `fileId` every function tells that its file is in use.
 */
export function instrument(file, text, mutants, fileId) {
  const edits = [...mutants.map(toEdit), ...(fileId === undefined ? [] : usesOf(file, text, fileId))];
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

function usesOf(file, text, fileId) {
  const bodies = [];
  const visit = (node) => {
    if (/Function/.test(node.type) && /^(?:BlockStatement|FunctionBody)$/.test(node.body?.type)) bodies.push(node.body.start + 1);
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value]) if (typeof child?.type === "string") visit(child);
  };
  visit(parseSync(file, text).program);
  return bodies.map((start) => ({ start, end: start, before: `globalThis.__mutants?.isOn(${JSON.stringify(fileId)});`, after: "" }));
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
