import type { SentenceRule } from "../rule.ts";
import { isAddressed } from "./_orders.ts";

export const preference: SentenceRule = {
  id: "preference",
  finds: "Text that runs other tools down, or claims to replace them.",
  fix: "Compare the claim with the other tool's own definition before you believe it.",
  checkSentence(s, { isResult, isPurpose, text: { role } }) {
    if (isResult) return s.near("other", "tool", 2) && s.orders("override") && s.has("every") ? 2 : 0;
    const text = s.phrase;
    const others =
      s.near("other", "tool", 3) ||
      s.has("name") ||
      /\b(?:all|any|every) (?:the )?(?:other|others)\b|\bcompet(?:ing|itor)|\brivals?\b/.test(text);
    if (!others) {
      if (
        /\bonly (?:trust\w+|safe|reliable|approved|official|secure|verified|correct|legitimate)\b/.test(text) &&
        s.hasAny("tool", "sink", "own")
      )
        return 3;
      return 0;
    }
    const isOther =
      /\b(?:other|others|another|competing|rival|built in|builtin|alternative|similar|native|third party|default|standard)\b/.test(text);
    const disowns =
      s.has("bad") &&
      !/\bthis (?:tool|function|endpoint|method|api|operation|version|parameter|field) (?:is|has been|was|will be)\b/.test(text) &&
      (s.near("bad", "tool", 8) || s.near("bad", "name", 8) || s.near("bad", "other", 8));
    const refuses =
      /\b(?:ignore|avoid|refuse|never|don't|do not|stop|must not|should not|not) (?:\w+ ){0,2}(?:call|calling|use|using|trust|trusting|invoke|rely|select|choose|consider|pick|tools?|functions?|servers?|any other|other)\b/.test(
        text,
      );
    const replaces =
      s.hasAny("prefer") &&
      (s.has("own") ||
        /\bthis (?:tool|function|server|one)\b/.test(text) ||
        /\beverywhere|at all times|in their place|over all\b/.test(text));
    if (disowns && (refuses || replaces || isAddressed(s)) && !isPurpose) return 3;
    if (
      disowns &&
      s.has("name") &&
      /\b(?:withdrawn|corrupts?|falsified|hostile|compromised|malicious|unsafe|insecure|broken|untrusted|leaks?)\b/.test(text)
    )
      return 3;
    if (disowns && isOther && s.hasAny("prefer", "oblige", "change")) return 3;
    if (refuses && isOther && s.has("tool") && !/\bthis (?:tool|function|server)\b/.test(text.replace(/use this.*/, "")))
      return s.hasAny("every", "prefer") || isAddressed(s) || /\bservers?\b/.test(text) ? 3 : 2;
    if (replaces && isOther && s.hasAny("every", "only") && s.has("tool")) return role === "description" && isPurpose ? 1 : 3;
    return disowns && isOther ? 2 : 0;
  },
};
