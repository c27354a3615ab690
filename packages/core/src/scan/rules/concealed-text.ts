import type { TextRule } from "../rule.ts";

export const concealedText: TextRule = {
  id: "concealed-text",
  finds: "Text in comments, behind pages of white space or in elements that are not shown, which a model reads all the same.",
  fix: "Write it where people see it, or take it out.",
  checkText({ parts: [main], role }, report) {
    if (main === undefined || role === "result") return;
    const hidden = main.sentences.filter((sentence) => sentence.words.length > 2 && main.carrierOf(sentence) !== undefined);
    const [first] = hidden;
    if (first === undefined) return;
    const [start] = main.rangeOf(first);
    report("warning", `The text has ${main.carrierOf(first)!.kind} with words in it.`, start, main.rangeOf(hidden.at(-1)!)[1]);
  },
};
