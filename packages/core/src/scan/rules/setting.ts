import type { SentenceRule } from "../rule.ts";
import { isTold } from "./_orders.ts";

/** Signs that only count beside others: where an order stands, and what it is wrapped in. */
export const setting: SentenceRule = {
  id: "setting",
  finds: "Orders in places that hold no orders, or wrapped in urgency and rules that nobody can check.",
  fix: "Ask who needs this sentence there.",
  checkSentence(s, place) {
    const { text, isResult, previous, next } = place;
    if (isResult) return s.hasAny("urgent", "compliance") && s.has("model") ? 1 : 0;
    const isOrder = isTold(s, place) && s.hits.some(({ isOrder: order }) => order);
    if ((text.role === "value" || text.role === "comment") && s.words.length > 4 && (isOrder || s.has("oblige") || s.has("model")))
      return 1;
    if (text.role === "title" && s.index > 0 && s.words.length > 4) return 1;
    if (s.hasAny("compliance") && s.hasAny("oblige") && /following|step|required/.test(s.phrase)) return 1;
    if (previous?.has("compliance", "oblige") || previous?.has("polite", "new")) return 1;
    if (s.has("urgent") && (isOrder || s.has("oblige")) && /\burgent|effective immediately|failure to do so\b/.test(s.phrase)) return 1;
    return next?.has("urgent", "bad") ? 1 : 0;
  },
};
