import type { TextRule } from "../rule.ts";

export const hiddenCharacters: TextRule = {
  id: "hidden-characters",
  finds: "Characters that nobody sees and a model reads: tags, zero width, reversed direction, escape sequences of terminals.",
  fix: "Remove the characters. Toolrack removes most of them before a model sees the text.",
  checkText({ parts: [main], role }, report) {
    const folded = main?.folded;
    if (folded === undefined) return;
    const isResult = role === "result";
    const hidden = folded.hidden.filter(({ kind, code }) => !isResult || kind !== "control" || code === 0);
    const [first] = hidden;
    if (first !== undefined) {
      const last = hidden.at(-1)!;
      const isSpelled = hidden.some(({ kind, code }) => kind === "tag" || code === 0x202d || code === 0x202e);
      const insideWords = /[A-Za-z]/.test(folded.text);
      // One lone space without width may be left over from a web page.
      const isMany = hidden.length > 1;
      const severity = isResult
        ? isSpelled
          ? "warning"
          : hidden.length > 12 && insideWords
            ? "warning"
            : "info"
        : isSpelled || isMany
          ? "danger"
          : "warning";
      report(
        severity,
        `The text has ${hidden.length} invisible ${hidden.length === 1 ? "character" : "characters"} (${namesOf(hidden)}).`,
        first.at,
        Math.min(last.at + 2, first.at + 400),
      );
    }
    const escape = folded.escapes.find(({ conceals }) => conceals) ?? folded.escapes.find(({ isColour }) => !isColour) ?? folded.escapes[0];
    if (escape === undefined) return;
    const severity = isResult
      ? escape.conceals
        ? "danger"
        : escape.isColour
          ? undefined
          : "info"
      : escape.isColour && !escape.conceals
        ? "warning"
        : "danger";
    if (severity !== undefined)
      report(
        severity,
        escape.conceals ? "An escape sequence conceals text in terminals." : "The text has escape sequences for terminals.",
        escape.start,
        Math.min(escape.end + 160, escape.start + 400),
      );
  },
};

function namesOf(hidden: readonly { readonly code: number }[]): string {
  const names = [...new Set(hidden.map(({ code }) => `U+${code.toString(16).toUpperCase().padStart(4, "0")}`))];
  return names.length > 4 ? `${names.slice(0, 4).join(", ")} and ${names.length - 4} more` : names.join(", ");
}
