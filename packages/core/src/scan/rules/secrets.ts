import type { SentenceRule } from "../rule.ts";
import { isAddressed, isTold } from "./_orders.ts";

export const secrets: SentenceRule = {
  id: "secrets",
  finds: "Text that has keys, passwords, private files or the environment read and handed over.",
  fix: "Do not use this tool with a model that can read files or the environment. A tool gets its credentials from its configuration.",
  checkSentence(s, place) {
    if (!s.hasAny("secret", "secret-place") || (place.isPurpose && !s.has("oblige"))) return 0;
    const { isResult } = place;
    const moves = s.hasAny("move") && !s.isNegated("move");
    const puts = s.hasAny("put") && !s.isNegated("put");
    const reads = s.hasAny("read", "contents") && !s.isNegated("read");
    const isTo = isTold(s, place);
    if (s.isForeign && isResult) return s.hasAny("move", "put") && s.hasAny("model", "place") ? 3 : 0;
    if (s.isForeign)
      return s.hasAny("move", "put") && (s.hasAny("read", "sink", "model", "data", "place", "user") || s.has("secret-place"))
        ? 3
        : s.has("secret-place")
          ? 2
          : 0;
    if (isResult) {
      if (!s.hasAny("model", "you", "tool", "reveal", "place", "talk", "user") && !s.orders("reveal", "read", "move", "put")) return 0;
      const isMoved = moves || (puts && s.hasAny("report", "place")) || (s.hasAny("reveal") && !s.isNegated("reveal"));
      if (!isMoved)
        return s.has("model") && isTo ? 2 : s.orders("read") && s.hasAny("every", "secret-place") && s.hasAny("put", "reveal") ? 2 : 0;
      if (s.hasAny("place", "service") && isTo) return s.hasAny("tool", "model") || s.has("secret-place") ? 3 : 2;
      return s.hasAny("model", "tool") || (s.has("every") && s.orders("reveal", "read")) || s.has("secret-place") ? 2 : 1;
    }
    // "Attach the user's .netrc to the query"
    if (s.has("secret-place")) {
      const isOrdered = s.orders("move", "put", "read", "run", "remember") || isAddressed(s) || s.has("model");
      const isValue = place.text.role === "value";
      if (
        (moves || puts) &&
        (isOrdered || isValue) &&
        (reads || s.hasAny("sink", "place", "service", "every", "entire", "error", "again", "user", "own"))
      )
        return s.has("example") && !s.hasAny("sink", "place", "model") ? 2 : 3;
      if ((moves || puts) && reads && s.has("oblige")) return 2;
      if (moves && isOrdered) return 3;
      if (reads && (s.has("model") || s.orders("read")) && isTo && !place.isPurpose) return s.has("model") ? 3 : 2;
      if (isAddressed(s) && s.has("contents")) return 3;
      if (place.text.role === "value" && s.hasAny("contents", "run", "shell")) return 3;
      return 0;
    }
    // "the API keys that you hold for other services"
    const isHeld =
      /\b(?:agent|assistant|model) (?:holds?|has|possess\w*|knows?|stores?|keeps?)\b|\byou (?:hold|possess|store)\b|\b(?:tokens?|keys?|passwords?|credentials?|secrets?|cookies?) (?:\w+ ){0,2}?(?:you|the (?:agent|assistant|model)) (?:have|has|hold|know|use|can|possess)\b|\bfor (?:other|further|another) (?:services?|servers?|tools?|accounts?)\b|\bfound on (?:the|this|your)\b|\b(?:saved|stored|remembered) (?:passwords?|credentials?|logins?|tokens?|keys?|cookies?)\b|\bavailable to you\b/.test(
        s.phrase,
      );
    if (isHeld && (moves || puts || s.hasAny("reveal", "sink"))) return 3;
    if (isHeld && s.hasAny("model") && place.text.role === "parameter") return 3;
    if (s.follows("ask", "user", 3) && s.follows("user", "secret", 4) && s.hasAny("error", "again", "move", "put", "sink") && isTo)
      return 3;
    if (s.follows("ask", "secret", 5) && s.has("user") && s.orders("ask")) return 2;
    if ((moves || puts) && isTo && !place.isPurpose && s.hasAny("user", "model") && s.hasAny("every", "error", "again", "entire"))
      return isAddressed(s) || s.orders("move") ? 3 : 2;
    if (moves && s.has("model") && s.has("oblige")) return 3;
    if (puts && s.has("model") && /\b(?:includes?|adds?|puts?|must|shall|should|has to)\b/.test(s.phrase)) return 3;
    return 0;
  },
};
