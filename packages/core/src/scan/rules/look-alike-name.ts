import { looseShapeOfName, shapeOfName } from "../../util/look-alikes.ts";
import type { ToolScanRule } from "../rule.ts";

export const lookAlikeNames: ToolScanRule = {
  id: "look-alike-name",
  finds: "Names that look like the name of another tool: in letters of another script, in another case, one letter off.",
  fix: "Find out which of the two you mean. Rename the other one, or do not use it.",
  checkTool({ name, among }, report) {
    if (name === "") return;
    const shape = shapeOfName(name);
    const isForeign = !/^[\u0020-\u007e]*$/.test(name);
    let loose: string | undefined;
    for (const other of among) {
      if (other === name) continue;
      if (Math.abs(other.length - name.length) > 4) continue;
      if (isForeign && /^[\u0020-\u007e]*$/.test(other) && shapeOfName(other) === shape) {
        report("danger", "/name", `"${name}" looks like "${other}" and is written with other characters.`, name);
        return;
      }
      if (shapeOfName(other) === shape) {
        report(sameWords(name, other) ? "info" : "warning", "/name", `"${name}" differs from "${other}" only in case or in - and _.`, name);
        return;
      }
      if (isOneOff(name, other) || (loose ??= looseShapeOfName(name)) === looseShapeOfName(other)) {
        report("warning", "/name", `"${name}" is nearly "${other}": a model or a person may take one for the other.`, name);
        return;
      }
    }
    if (isForeign && shape !== "" && /^[a-z0-9]+$/.test(shape) && /[A-Za-z]/.test(name))
      report("danger", "/name", `"${name}" looks like a plain name and is not.`, name);
  },
};

function sameWords(one: string, other: string): boolean {
  return one === other;
}

/** One letter more, less, other or in the wrong order, in names of at least six letters. Numbers, plurals and prefixes tell apart on purpose. */
function isOneOff(one: string, other: string): boolean {
  if (one.length < 6 || other.length < 6 || Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start++;
  let [a, b] = [one.length, other.length];
  while (a > start && b > start && one[a - 1] === other[b - 1]) {
    a--;
    b--;
  }
  const [left, right] = [one.slice(start, a), other.slice(start, b)];
  if (left.length > 2 || right.length > 2) return false;
  const isSwap = left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
  if (!isSwap && left.length + right.length > 2) return false;
  if (left.length > 1 && !isSwap) return false;
  if (/\d/.test(left + right) && !/[l1o0]/.test(left)) return false;
  // A plural, or a word that begins otherwise: "get_user" and "get_users", "on" and "off", "up" and "dp".
  if (left + right === "s" && (a === one.length || /[_-]/.test(one[a] ?? other[b] ?? "_"))) return false;
  const edges = /[_\-./:]/;
  const wordStart = Math.max(...["_", "-", ".", "/", ":"].map((mark) => one.lastIndexOf(mark, start - 1))) + 1;
  let wordEnd = a;
  while (wordEnd < one.length && !edges.test(one[wordEnd]!)) wordEnd++;
  // In a short word one letter makes another word: "get_tag" and "get_tax".
  return wordEnd - wordStart >= 5 && !edges.test(left + right);
}
