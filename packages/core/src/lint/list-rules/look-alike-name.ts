import { normalizeToolName } from "../../tool/name.ts";
import type { ListRule } from "../rule.ts";

export const lookAlikeName: ListRule = {
  id: "look-alike-name",
  severity: "warning",
  finds: "Names that differ only in case, in - and _, or in letters that look the same.",
  checkList(subjects, report) {
    const firsts = new Map<string, string>();
    for (const [index, { name }] of subjects.entries()) {
      if (name === undefined) continue;
      const shapes = [shapeOf(name), shapeOf(name.replace(/[I1]/g, "l").replaceAll("0", "o"))];
      const first = shapes.map((shape) => firsts.get(shape)).find((other) => other !== undefined);
      for (const shape of shapes) if (!firsts.has(shape)) firsts.set(shape, name);
      if (first === undefined || normalizeToolName(first) === normalizeToolName(name)) continue;
      const message = `"${name}" looks like "${first}": a model or a person may take one for the other.`;
      report(index, message, "Give them names that differ in a word.");
    }
  },
};

/** "Read_File", "read-file" and a "readfile" with a Cyrillic е → "readfile" */
function shapeOf(name: string): string {
  const letters = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[-_.\s\p{M}\p{Cf}]/gu, "");
  return Array.from(letters, (letter) => twins.get(letter) ?? letter).join("");
}

/** A letter, and those that many fonts draw like it. */
const twins: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: "аα",
    b: "ьβ",
    c: "сϲ",
    d: "ԁ",
    e: "еε",
    g: "ɡ",
    h: "һ",
    i: "іι",
    j: "ј",
    k: "кκ",
    l: "ӏ|ı",
    m: "м",
    n: "ոη",
    o: "оοօ",
    p: "рρ",
    q: "ԛ",
    s: "ѕ",
    t: "тτ",
    u: "υս",
    v: "ѵν",
    w: "ԝω",
    x: "хχ",
    y: "уγ",
    z: "ᴢ",
  }).flatMap(([letter, likes]) => Array.from(likes, (like) => [like, letter] as const)),
);
