import type { SentenceRule } from "../rule.ts";
import { isAddressed } from "./_orders.ts";

export const guards: SentenceRule = {
  id: "guards",
  finds: "Text that speaks to scanners and reviewers, or wants them, logs or filters switched off.",
  fix: "Leave every check on. A text that talks to its reviewer has a reason to.",
  checkSentence(s, { isResult, isPurpose }) {
    if (!s.hasAny("guard", "fine", "model")) return 0;
    const text = s.phrase;
    const isTo = isAddressed(s) || s.has("model") || (!isPurpose && s.orders("disable", "say", "override", "hide"));
    if (
      s.has("guard") &&
      s.hasAny("disable", "void", "override") &&
      (s.near("guard", "disable", 7) || s.near("guard", "void", 7) || s.near("guard", "override", 6))
    ) {
      if (isResult)
        return s.has("model") ? 3 : s.orders("disable") && isAddressed(s) ? 2 : s.orders("override", "disable", "destroy") ? 1 : 0;
      if (s.has("model") || (s.has("sink") && !isPurpose && s.orders("disable")) || isAddressed(s)) return 3;
      return isTo ? 2 : s.hasAny("own") || /\bthis (?:tool|description|text|entry|server)\b/.test(text) ? 2 : 0;
    }
    if (s.has("guard") && s.near("say", "fine", 8) && (isTo || s.has("asked"))) return 3;
    if (s.has("guard") && /\b(?:false positives?|by mistake|mistakenly|wrongly|erroneously|misread|misjudge)\b/.test(text) && !isResult)
      return 3;
    if (s.follows("asked", "fine", 12)) return isResult ? 2 : 3;
    if (
      s.has("model") &&
      s.near("say", "fine", 6) &&
      (s.has("oblige") || /\bto (?:rate|classify|label|mark|judge|score|report|treat)\b/.test(text))
    )
      return 3;
    if (
      s.has("model") &&
      /\b(?:rate|score|rank|evaluate|select|recommend|approve|choose)\b/.test(text) &&
      /\b(?:best|highest|top|first|positive\w*|excellent|stop evaluating|above)\b/.test(text) &&
      s.has("oblige")
    )
      return 3;
    return 0;
  },
};
