import type { SentenceRule } from "../rule.ts";
import { isAddressed } from "./_orders.ts";

export const memory: SentenceRule = {
  id: "memory",
  finds: "Text that wants to outlast the call: notes to the model's memory or to the rule files of a project.",
  fix: "Do not let the model write it. Look through its memory and rule files for what was added.",
  checkSentence(s, { isResult, isPurpose }) {
    if (!s.hasAny("memory", "later")) return 0;
    const text = s.phrase;
    const isOrder = (s.orders("remember", "put", "move", "change", "keep") && !isPurpose) || isAddressed(s);
    if (s.has("memory") && s.hasAny("remember", "put", "move", "change") && isOrder)
      return isResult ? (/\.md\b|rules|long term|lasting|permanent|your/.test(text) ? 3 : 2) : 3;
    if (s.has("later") && s.has("remember") && isOrder)
      return /\b(?:the user asked|what the user|asked you to)\b/.test(text) ? 0 : isResult ? 2 : 3;
    if (/\b(?:leave|write|make) (?:yourself )?an? (?:\w+ )?(?:note|reminder|memo)\b/.test(text) && s.hasAny("later", "you", "memory"))
      return 3;
    if (s.has("later") && s.has("model") && s.hasAny("oblige", "obey", "put", "move")) return 2;
    if (s.has("later") && s.hasAny("own", "name", "tool") && s.hasAny("prefer", "change", "oblige") && !isResult) return 2;
    return 0;
  },
};
