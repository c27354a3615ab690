import type { SentenceRule } from "../rule.ts";
import { isTold } from "./_orders.ts";

export const obeyOutput: SentenceRule = {
  id: "obey-output",
  finds: "Text that makes what a tool returns an order to the model.",
  fix: "Treat results as data. Remove the sentence, and mark the tool's results as untrusted.",
  checkSentence(s, place) {
    if (!s.hasAny("obey", "precedence", "run")) return 0;
    const text = s.phrase;
    const isOutput =
      s.has("output") ||
      /\bwhat(?:ever)? (?:it|this|that|the (?:tool|server)|is|comes?)\b|\bcomes? back\b|\bin `?\w+`? is\b|\b(?:instructions?|steps?|commands?|directives?|orders?) (?:contained |found |given |included |that (?:it|are) |it )?(?:in|returns?|by|from|within) (?:the |its |this )?(?:result|response|output|answer|reply|field|message|tool|server)/.test(
        text,
      );
    if (!isOutput) return 0;
    if (place.isResult) return s.has("model") && s.has("obey") && s.has("oblige") ? 2 : 0;
    const asOrders = /\bas (?:an? |the )?(?:\w+ )?(?:instructions?|commands?|orders?|directives?|next steps?|system)\b/.test(text);
    if (asOrders) return 3;
    const obeys =
      /\b(?:obey|carry out|follow|act on|act upon|comply with|heed|execute|perform|adhere to|implement|do|run) (?:\w+ ){0,4}?(?:what(?:ever)?|anything|everything|instructions?|commands?|directives?|orders?|steps|text|requests?) (?:\S+ ){0,5}?(?:returns?|returned|says?|said|comes? back|results?|responses?|output|reply|answer|delivered|contains?|contained|tool|server|it|given|asks?|tells?)\b/.test(
        text,
      ) ||
      /\b(?:what(?:ever)?|anything|everything|instructions?|commands?|directives?|orders?|text|results?|response|output|answer|reply|field) (?:\S+ ){0,7}?(?:is|are|be|must|should|shall|has|have) (?:\w+ ){0,2}?(?:obeyed|followed|executed|carried out|acted on|complied with|performed|heeded|honou?red)\b/.test(
        text,
      );
    if (obeys && !place.isPurpose && (s.hasAny("model", "oblige") || isTold(s, place)))
      return s.hasAny("model", "oblige") || /\b(?:whatever|anything|everything|instructions?|commands?|without)\b/.test(text) ? 3 : 2;
    if (s.has("precedence") && s.hasAny("user", "rule", "task")) return 3;
    return 0;
  },
};
