import type { SentenceRule } from "../rule.ts";

export const foreignLanguage: SentenceRule = {
  id: "foreign-language",
  finds: "Sentences in another language than the rest of the definition, with orders in them.",
  fix: "Have the sentence translated before a model reads it.",
  checkSentence(s, { isResult, text }) {
    if (!s.isForeign || !text.isAmongEnglish) return 0;
    if (s.has("override") && s.hasAny("rule", "prior")) return 3;
    const asks = s.hasAny("move", "read", "destroy", "run", "obey") && s.hasAny("secret", "secret-place", "talk", "data", "sink", "user");
    const hides = s.has("not") && s.hasAny("tell", "learn") && s.has("user");
    if (hides) return isResult ? 2 : 3;
    if (isResult) return s.has("model") && s.hasAny("move", "destroy", "override", "say") ? 3 : asks && s.has("place") ? 3 : 0;
    if (asks) return s.hasAny("secret", "secret-place", "talk", "sink") ? 3 : 2;
    if (s.has("consent", "granted") || s.has("not", "consent")) return 3;
    return s.words.length > 3 ? 2 : 1;
  },
};
