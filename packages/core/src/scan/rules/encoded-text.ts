import type { TextRule } from "../rule.ts";

/** Any text can be read so: only what the words then say counts. */
const uncertain = new Set(["digits for letters", "spaced letters", "rot13", "reversed letters"]);

export const encodedText: TextRule = {
  id: "encoded-text",
  finds: "Words that are encoded (base64, hex, entities, escapes …), in a text that has no need to be.",
  fix: "Write the text in plain words, or take it out.",
  checkText({ parts, role }, report) {
    for (const { hiddenAs, text, sentences, rangeOf } of parts) {
      if (hiddenAs === undefined || hiddenAs.endsWith("characters") || hiddenAs === "reversed direction" || uncertain.has(hiddenAs))
        continue;
      const [start, end] = sentences[0] ? rangeOf(sentences[0]) : [0, 0];
      const around = parts[0]!.sentences.some(
        (sentence) => sentence.has("decode") && sentence.hasAny("obey", "run", "oblige") && !sentence.has("example"),
      );
      const words = text.split(/\s+/).length;
      if (words < 4) continue;
      const severity = role === "result" ? (around ? "danger" : "info") : around ? "danger" : "warning";
      report(
        severity,
        `The text holds words encoded as ${hiddenAs}: ${JSON.stringify(text.slice(0, 80))}${around ? ", with an order to decode and follow them" : ""}.`,
        start,
        end,
      );
    }
  },
};
