import type { SentenceRule } from "../rule.ts";
import { isAddressed, isTold } from "./_orders.ts";

export const conversation: SentenceRule = {
  id: "conversation",
  finds: "Text that asks for the conversation, the system prompt, the model's reasoning or its list of tools.",
  fix: "Give the tool only what its task needs. No argument should carry the conversation or the model's instructions.",
  checkSentence(s, place) {
    if (!s.hasAny("talk", "talk-word")) return 0;
    const { isResult, isPurpose } = place;
    const moves = s.hasAny("move", "put", ...(isResult ? (["reveal"] as const) : [])) && !s.isNegated("move") && !s.isNegated("reveal");
    const text = s.phrase;
    if (s.isForeign) return s.has("talk") && s.hasAny("move", "put", "sink", "entire") ? 3 : 0;
    if (isResult) {
      if (!s.has("talk") || !moves) return 0;
      return (s.hasAny("place", "service", "every") && (isTold(s, place) || s.has("oblige"))) ||
        /\byour (?:system )?(?:prompt|instructions|context|reply|conversation)\b/.test(text)
        ? s.hasAny("place", "service", "model")
          ? 3
          : 2
        : 0;
    }
    const isOwn =
      /\b(?:your|you|model|assistant|agent|llm|user|person|human|everything|so far|up to now|verbatim|word for word|hidden|initial|complete|entire|full|whole|unabridged|earlier|prior|previous)\b/.test(
        text,
      );
    const isTarget =
      s.hasAny("sink", "every", "entire", "oblige", "place", "service") ||
      /\b(?:to|in|into|with|at) (?:the |this |each |every |our )?/.test(text);
    if (s.has("talk")) {
      const isOrdered = s.orders("move", "put", "read") || isAddressed(s) || s.has("model");
      if (moves && isOwn && isTarget && isOrdered && !isPurpose) return s.has("example") ? 2 : 3;
      if (moves && isOwn && s.hasAny("sink", "entire") && s.hasAny("entire", "oblige", "you") && !isPurpose) return 3;
      if (s.has("entire", "talk") && isOwn && (s.has("oblige") || / expected /.test(text)) && !isPurpose) return 3;
      if (
        place.text.role === "parameter" &&
        /\b(?:model|assistant|you|your|so far|earlier|prior|started with|up to now)\b/.test(text) &&
        /\b(?:verbatim|word for word|unabridged|unshortened|not shortened|complete|completely|in full|entire|whole|full)\b/.test(text) &&
        !s.has("example")
      )
        return 3;
      if (place.text.role === "property-name") return 1;
      return 0;
    }
    if (moves && s.has("entire") && s.hasAny("model", "you", "user") && s.hasAny("sink", "oblige") && !isPurpose) return 3;
    if (place.text.role === "parameter" && s.has("entire") && s.hasAny("model", "user") && s.has("talk-word")) return 3;
    return 0;
  },
};
