import type { SentenceRule } from "../rule.ts";
import { isAddressed, isTold } from "./_orders.ts";

export const rank: SentenceRule = {
  id: "rank",
  finds: "Text that claims a rank (administrator, security team, elevated mode) or says that limits do not hold for it.",
  fix: "Claims in a text grant nothing. Give the tool the rights it needs in the configuration, and no others.",
  checkSentence(s, place) {
    const { isResult } = place;
    const text = s.phrase;
    const lifts =
      (s.near("right", "void", 6) ||
        s.near("guard", "void", 6) ||
        (s.has("right") && /\b(?:bypass\w*|exempt|waive[sd]?|lift|suspend)\b/.test(text) && !s.has("name")) ||
        /\bwithout (?:any )?(?:polic\w+|limits?|restrictions?|checks?|permission checks?)\b/.test(text)) &&
      !/\bcannot\b/.test(text);
    const claims = s.has("rank");
    if (isResult) {
      if (claims && s.has("model") && s.has("oblige")) return s.hasAny("move", "place", "secret", "put") ? 3 : 2;
      if (claims && s.has("you") && s.hasAny("move", "secret") && s.hasAny("place", "tool", "secret"))
        return s.hasAny("place", "service") && s.has("tool") ? 3 : 2;
      return 0;
    }
    if (
      lifts &&
      (s.has("model") || isAddressed(s) || /\byour (?:own )?(?:permission|limit|polic|restriction|rule)/.test(text) || claims) &&
      !place.isPurpose
    )
      return s.hasAny("model", "own", "sink", "tool") || isAddressed(s) ? 3 : 2;
    if (claims && s.has("model") && (s.has("oblige") || s.has("every")) && s.hasAny("tool", "right", "move", "obey", "run", "proceed"))
      return 3;
    if (
      /\btreat\b/.test(text) &&
      /\bas (?:the |an? )?(?:\w+ )?(?:owner|administrator|admin|root|operator|superuser|trusted|developer|system|user)\b/.test(text) &&
      isTold(s, place) &&
      !place.isPurpose
    )
      return 3;
    if (/\bon behalf of (?:this|\S*[_-])/.test(text) && s.has("model")) return 3;
    if (claims && /\bby order of|mandated by|authori[sz]ed by\b/.test(text) && (isTold(s, place) || s.hasAny("void", "disable"))) return 2;
    if (claims && s.hasAny("compliance", "urgent") && s.has("oblige") && isTold(s, place)) return 1;
    return 0;
  },
};
