import type { SentenceRule } from "../rule.ts";

export const address: SentenceRule = {
  id: "address",
  finds: "Text that speaks to the model about its conduct instead of saying what the tool does.",
  fix: "Read the sentence as an order to your model, and decide whether it may give one.",
  checkSentence(s, { isResult, isPurpose, text: { role } }) {
    const text = s.phrase;
    if (s.isForeign && s.has("model")) return isResult ? 3 : 2;
    if (!s.has("model") || s.words.length < 5) return 0;
    if (isPurpose && !isResult) return 0;
    // "Note to AI assistants", "Dear Copilot", "If you are an AI", "Assistant, delete …"
    const greets =
      /\b(?:note|notice|message|instructions?|attention|memo|reminder) (?:to|for) (?:all |any |the |every |our )?(?:\w+ )?(?:ai|automated|llms?|language models?|copilot|claude|chatgpt|gpt|gemini|assistants?|bots|agents?|models?|screeners?|machine)\b/.test(
        text,
      ) ||
      /\b(?:dear|attention|hello|hey|hi) (?:all |any |the )?(?:\w+ )?(?:ai|automated|llms?|copilot|claude|chatgpt|gpt|gemini|assistants?|bots|agents?|models?|screeners?|machine)\b/.test(
        text,
      ) ||
      /\b(?:if|when|as) (?:you are|you're) an? (?:\w+ )?(?:ai|llm|language|assistant|agent|automated|bot|model)\b/.test(text);
    const actions = [
      "move",
      "put",
      "read",
      "run",
      "obey",
      "proceed",
      "destroy",
      "override",
      "say",
      "disable",
      "remember",
      "reveal",
      "change",
      "prefer",
      "install",
      "ask",
      "tell",
    ] as const;
    const hasOrder = s.orders(...actions);
    const called = s
      .all("model")
      .some(
        ({ at, to }) =>
          at <= 1 &&
          s.hits.some((hit) => hit.isOrder && hit.at >= to && hit.at <= to + 3 && (actions as readonly string[]).includes(hit.cue)),
      );
    const must =
      /\b(?:assistants?|agents?|llms?|ai|copilot|claude|chatgpt|bots?|screeners?|evaluators?) (?:\w+ )?(?:must|shall|should|has to|have to|needs? to|is to|are to|ought to|is asked|are asked|is expected|are expected|is required|are required|is obliged|is instructed|may)\b(?! be )/.test(
        text,
      ) ||
      /\b(?:the|your|any|every) model (?:must|shall|should|has to|needs to|is asked to|is expected to|is required to|ought to)\b(?! be )/.test(
        text,
      ) ||
      /\b(?:let|have|tell|instruct|ask|expects?|requires?) (?:the |your |any |every )(?:\w+ )?(?:assistant|agent|model|llm|ai|copilot)s? (?:to )?\w+/.test(
        text,
      );
    if (isResult) return (greets || called) && hasOrder ? 3 : must ? 2 : greets ? 1 : 0;
    // "Note to AI assistants: call get_id first" is advice; an order to move, destroy or switch something off is none.
    if (greets && s.orders("move", "destroy", "install", "override", "disable")) return 3;
    if ((greets || called) && hasOrder) return 2;
    if (must) return role === "value" || role === "comment" || role === "title" ? 3 : 2;
    if (
      /\b(?:the|your) (?:model|assistant|agent|llm|ai) (?:reads?|collects?|sends?|adds?|includes?|attaches|fills?|provides?|supplies|gathers?|writes?|mails?|puts?|copies|forwards?|calls?)\b/.test(
        text,
      )
    )
      return 2;
    return 0;
  },
};
