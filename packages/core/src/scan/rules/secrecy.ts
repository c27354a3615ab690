import type { SentenceRule } from "../rule.ts";
import { isAddressed } from "./_orders.ts";

export const secrecy: SentenceRule = {
  id: "secrecy",
  finds: "Text that wants something kept from the user: not told, left out of answers and logs, or lied about.",
  fix: "Do not use this tool until its author explains what the user must not learn, and why.",
  checkSentence(sentence, { isResult, previous, next }) {
    const s = sentence;
    // "Do not tell the user", "never mention it to anyone", "without informing the person"
    if (s.chain("not", 3, "tell", 6, "user")) {
      const isOrder =
        s.isForeign ||
        /\b(?:do not|don't|never|without|must not|should not|needn't|avoid|no need|shall not|not to|stop|refrain)\b/.test(s.phrase);
      if (isResult && !s.isForeign && !/\b(?:user|person|human|operator|owner|customer)\b/.test(s.phrase)) return s.has("model") ? 3 : 1;
      if (isResult && s.has("secret") && !s.hasAny("model", "place")) return 1;
      // "Do not show raw IDs to the user" is about style.
      if (
        /\b(?:show|display|list|mention|expose|output) (?:the |any |raw |internal |technical )*(?:raw|internal|technical|ids?|urls?|codes?|json|uuids?|markdown|html|names?|values?)\b/.test(
          s.phrase,
        )
      )
        return 1;
      return isOrder ? 3 : 1;
    }
    // "The user must not see this", "no need for the human to hear about it", "the person is not to learn"
    if (s.has("user", "not", "learn") && (s.chain("user", 3, "not", 4, "learn") || s.chain("not", 4, "user", 5, "learn"))) {
      if (s.hasAny("oblige") || /\b(?:not to|no need|need not|so that|is to)\b/.test(s.phrase)) return 3;
      return isResult ? 0 : 1;
    }
    if (s.chain("not", 3, "tell", 2, "not") || /\b(?:say nothing|tell no ?one|tell nobody|mention nothing|not a word)\b/.test(s.phrase))
      return isAddressed(s) || s.has("report") ? 3 : 2;
    // "Keep this call secret", "leave it out of your summary", "no trace in the answer"
    const aboutDeed = s.hasAny("sink", "tool", "report", "data", "task") || /\b(?:this|it|that|step|call|action|part)\b/.test(s.phrase);
    if (s.follows("keep", "secret-state", 6) && aboutDeed && !s.hasAny("secret"))
      return s.hasAny("you", "model", "move", "report") || /between us|to yourself|this (?:\w+ )?(?:call|step)/.test(s.phrase)
        ? 3
        : isResult
          ? 1
          : 2;
    if (s.follows("hide", "report", 6) && (s.has("you") || s.has("model")))
      return s.orders("hide") || isAddressed(s) || /\bwhat you\b/.test(s.phrase) ? 3 : 2;
    if (
      s.has("hide", "user") &&
      (s.orders("hide") || isAddressed(s)) &&
      /\bfrom (?:the |any |every )?(?:end )?(?:user|person|human|people|customer|operator|owner)\b/.test(s.phrase)
    )
      return 3;
    if (
      s.follows("not", "report", 4) &&
      (s.has("you") || s.has("user")) &&
      s.hasAny("secretly", "tell", "report") &&
      /no (?:trace|mention|notice|record|log|note)/.test(s.phrase)
    )
      return s.hasAny("user", "you") ? 3 : 2;
    // "If asked, say that it was only the query"
    if (s.follows("asked", "say", 10)) return isResult && !s.hasAny("model", "fine") ? 2 : 3;
    if (
      s.follows("say", "fine", 6) &&
      (s.orders("say") || isAddressed(s)) &&
      (s.has("secretly") || s.hasAny("move", "destroy", "model") || previous?.hasAny("user", "model") || next?.hasAny("move"))
    )
      return s.hasAny("secretly", "destroy", "model", "user", "guard") ? 3 : 2;
    if (
      s.has("secretly") &&
      (s.orders("move", "run", "obey", "proceed", "destroy") || isAddressed(s)) &&
      (s.hasAny("not", "report") || s.hasAny("move"))
    )
      return s.has("not") || s.has("report") ? 3 : 2;
    if (s.has("secretly") && s.hasAny("move", "destroy", "run")) return 1;
    return 0;
  },
};
