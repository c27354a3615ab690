import type { SentenceRule } from "../rule.ts";
import { isTold } from "./_orders.ts";

export const outbound: SentenceRule = {
  id: "outbound",
  finds: "Text that has results, arguments or files sent to an address of its own.",
  fix: "Find out whose address it is. Allow only hosts that the tool needs, by an egress policy.",
  checkSentence(s, place) {
    if (!s.hasAny("place", "service")) return 0;
    const { isResult } = place;
    const text = s.phrase;
    // "For more information, see https://…"
    if (
      /\b(?:see|more (?:information|details|about)|documentation|documented|refer to|learn more|described (?:at|in)|read more)\b/.test(
        text,
      ) &&
      !place.isHidden &&
      !s.has("user")
    )
      return 0;
    if (/!\[|<img|!\s?\[/.test(text) && s.hasAny("data", "talk", "secret", "output")) return 3;
    const moves = s.hasAny("move") && !s.isNegated("move");
    const puts = s.hasAny("put") && !s.isNegated("put");
    if (!moves && !puts) {
      // "Resolve <api key>.host.example", "log in at … with the saved credentials"
      if (s.has("place") && s.hasAny("secret") && s.has("tool") && (s.has("you") || isTold(s, place))) return isResult ? 3 : 2;
      return s.has("place") && s.hasAny("secret", "talk") && s.hits.some(({ isOrder }) => isOrder) && !s.has("example") ? 2 : 0;
    }
    const isData = s.hasAny("data", "output", "talk", "secret", "contents", "secret-place", "sink");
    const isTo =
      s.follows("move", "place", 14) || s.follows("move", "service", 14) || s.follows("put", "place", 10) || s.near("place", "move", 8);
    if (!isTo) return 0;
    if (s.has("example") && !place.isHidden) return isResult ? 0 : 1;
    const isOrder =
      s.orders("move", "put") || isTold(s, place) || /\b(?:is to be|are to be|must be|should be|has to be|shall be)\b/.test(text);
    if (isResult) {
      if (!isOrder || !isData) return 0;
      if (s.has("model") || s.has("tool")) return 3;
      return s.has("user") && s.hasAny("data", "talk", "secret") ? 3 : s.orders("move") ? 2 : 1;
    }
    if (!isData) return isOrder && !place.isPurpose ? 2 : 0;
    if (s.hasAny("place") && isOrder && !place.isPurpose) return s.has("move") ? 3 : 2;
    if (s.has("service") && isOrder && !place.isPurpose && s.hasAny("every", "entire", "user", "model", "oblige")) return 3;
    return s.has("place") && s.has("move") ? 2 : 0;
  },
};
