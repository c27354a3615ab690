import { looseShapeOfName, shapeOfName } from "../../util/look-alikes.ts";
import type { ToolScanRule } from "../rule.ts";

export const lookAlikeNames: ToolScanRule = {
  id: "look-alike-name",
  finds: "Names that look like the name of another tool: in letters of another script, in another case, one letter off.",
  fix: "Find out which of the two you mean. Rename the other one, or do not use it.",
  checkTool({ name, among }, report) {
    if (among.length === 0 && isPlain.test(name)) return;
    const own = shapesOf(name);
    for (const other of among) {
      if (other === name || Math.abs(other.length - name.length) > 4) continue;
      const theirs = shapesOf(other);
      if (theirs.shape === own.shape) {
        const isForeign = own.isForeign && !theirs.isForeign;
        report(
          isForeign ? "danger" : "warning",
          "/name",
          isForeign
            ? `"${name}" looks like "${other}" and is written with other characters.`
            : `"${name}" differs from "${other}" only in case or in - and _.`,
          name,
        );
        return;
      }
      if (theirs.loose === own.loose || isOneOff(name, other)) {
        report("warning", "/name", `"${name}" is nearly "${other}": a model or a person may take one for the other.`, name);
        return;
      }
    }
    if (own.isForeign && /^[a-z0-9]+$/.test(own.shape) && /[A-Za-z]/.test(name))
      report("danger", "/name", `"${name}" looks like a plain name and is not.`, name);
  },
};

const isPlain = /^[\u0020-\u007e]*$/;

interface Shapes {
  readonly shape: string;
  readonly loose: string;
  /** It has characters beyond ASCII. */
  readonly isForeign: boolean;
}

/** Shapes of names, kept: a thousand tools are looked at among the same thousand names. */
const kept = new Map<string, Shapes>();
const maxKept = 50_000;

function shapesOf(name: string): Shapes {
  let shapes = kept.get(name);
  if (shapes === undefined) {
    if (kept.size >= maxKept) kept.clear();
    shapes = { shape: shapeOfName(name), loose: looseShapeOfName(name), isForeign: !isPlain.test(name) };
    kept.set(name, shapes);
  }
  return shapes;
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
