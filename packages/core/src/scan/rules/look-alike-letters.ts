import type { TextRule } from "../rule.ts";

export const lookAlikeLetters: TextRule = {
  id: "look-alike-letters",
  finds: "Words that mix letters of two scripts, or use letters in mathematical or other forms, so that they are not what they look like.",
  fix: "Write the words in letters of one script.",
  checkText({ parts: [main], role }, report) {
    const folded = main?.folded;
    if (folded === undefined) return;
    const [first] = folded.mixed;
    if (first !== undefined) {
      const count = folded.mixed.length;
      const severity =
        role === "result"
          ? count > 2
            ? "warning"
            : "info"
          : count > 1 || role === "name" || role === "property-name"
            ? "danger"
            : "warning";
      report(
        severity,
        `${count === 1 ? "A word mixes" : `${count} words mix`} letters of two scripts.`,
        first.start,
        Math.min(folded.mixed.at(-1)!.end, first.start + 300),
      );
    }
    if (folded.styled >= 8 && role !== "result")
      report("warning", "Latin letters are written in another form (mathematical, full width or enclosed).", 0, 200);
  },
};
