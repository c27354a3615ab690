import type { SentenceRule } from "../rule.ts";
import { isAddressed } from "./_orders.ts";

export const consent: SentenceRule = {
  id: "consent",
  finds: "Text that claims the user's consent, or tells the model not to ask for it.",
  fix: "Ask for approval of this tool's calls. Consent is given by a person at the time, never by a text.",
  checkSentence(s, place) {
    const { isResult, isPurpose } = place;
    if (!s.hasAny("consent", "ask", "granted", "proceed", "alone")) return 0;
    const text = s.phrase;
    if (s.isForeign) {
      if (s.has("consent") && (s.has("granted") || s.has("not"))) return isResult ? 2 : 3;
      return s.has("not", "ask") && s.hasAny("user", "destroy", "consent") ? 2 : 0;
    }
    const isTo =
      isAddressed(s) ||
      s.has("model") ||
      (!isPurpose && s.orders("proceed", "ask", "say", "put", "obey", "run", "destroy", "move", "disable", "prefer"));
    // "without asking", "do not wait for confirmation", "no need to check back"
    const notAsking =
      /\b(?:without|do not|don't|never|no need to|needn't|need not|must not|should not|shall not|avoid|instead of|rather than|refrain from) (?:\w+ ){0,2}?(?:ask|asking|confirm|confirming|check(?:ing)? (?:back|with|in)|consult|consulting|wait|waiting|pause|pausing|prompt|prompting|request|requesting|seek|seeking|bother|bothering|hesitate)\b|\bstop (?:asking|waiting|prompting|checking)\b/.test(
        text,
      );
    const noConsent =
      /\b(?:without|no|skip|bypass|omit|ignore|suppress|dismiss|disable|waive) (?:\w+ ){0,3}?(?:approval|confirmation|consent|permission|go ahead|authori[sz]ation|sign off|prompt|review|confirmation dialog|checks?)\b(?! header)/.test(
        text,
      );
    const byItself =
      /\b(?:unprompted|unattended|always allow|auto ?approve|auto ?confirm|automatically (?:approve|confirm|accept|allow))\b/.test(text);
    const isCondition =
      /\b(?:after|once|unless|until|if|when|whether|only|requires?|before) (?:\w+ ){0,5}?(?:agreed|approv\w*|confirm\w*|consent\w*|permission|granted|given|accepted|authori[sz]ed)\b/.test(
        text,
      );
    const given =
      s.near("consent", "granted", 6) &&
      !isCondition &&
      !/\b(?:after|once|unless|until|if|when|only|requires?|must) (?:\w+ ){0,4}?(?:approv|confirm|consent|permission|granted|given)/.test(
        text,
      );
    const agreed =
      !isCondition &&
      (/\b(?:user|person|owner|human|customer|operator|admin\w*|they|he|she|client|holder)(?: \w+){0,3} (?:has|have|had|already|was|is|did)(?: already| previously| explicitly| in advance)? (?:agreed|consented|approved|accepted|authori[sz]ed|given|granted|signed|okayed|confirmed|allowed|permitted)\b/.test(
        text,
      ) ||
        /\bpre ?-?(?:authori[sz]ed|approved|confirmed|cleared)\b/.test(text));
    if (isResult) {
      if (given || agreed) return s.hasAny("model", "proceed", "remember") && s.hasAny("model", "you", "remember", "later") ? 2 : 1;
      if ((notAsking || noConsent) && (s.has("model") || /\b(?:you|your)\b/.test(text)) && s.hits.some(({ isOrder }) => isOrder))
        return s.has("model") ? 3 : 1;
      return noConsent && s.has("model") ? 3 : 0;
    }
    if (/\b(?:unless|until) /.test(text) && !byItself) return 0;
    if (byItself && isTo) return 3;
    if (agreed && (s.hasAny("proceed", "model", "destroy", "you", "every", "consent") || isTo)) return 3;
    if (given && (isTo || s.hasAny("proceed", "every", "without"))) return isTo || s.hasAny("proceed") ? 3 : 2;
    if (notAsking && (s.hasAny("user", "consent") || /\banybody|anyone|first|person\b/.test(text)) && isTo)
      return s.orders("ask") || s.hasAny("proceed", "destroy", "move", "you", "model") ? 3 : 2;
    if (notAsking && isTo && s.hasAny("proceed", "move", "destroy", "data")) return 2;
    if (noConsent && isTo && s.hasAny("proceed", "destroy", "move", "model", "you", "put"))
      return s.hasAny("model", "you") || s.orders("proceed", "move", "destroy") ? 3 : 2;
    if (/\bset \W?confirm/.test(text) && s.hasAny("alone")) return 3;
    if (
      /\basking\b/.test(text) &&
      /\bnot (?:wanted|needed|necessary|required|desired)|slows?|unnecessary\b/.test(text) &&
      s.hasAny("user", "put", "proceed")
    )
      return 3;
    return given || agreed ? 1 : 0;
  },
};
