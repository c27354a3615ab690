import type { SentenceRule } from "../rule.ts";
import { isAddressed, isTold } from "./_orders.ts";

export const commands: SentenceRule = {
  id: "commands",
  finds: "Text that has commands run or software installed.",
  fix: "Do not let a model run it. Software is installed by a person, from a source that was checked.",
  checkSentence(s, place) {
    const { isResult } = place;
    const text = s.phrase;
    if (!s.hasAny("shell", "software", "run")) return 0;
    const piped =
      s.has("shell") &&
      ((/\b(?:curl|wget|iwr|invoke webrequest)\b/.test(text) && /\b(?:sh|bash|zsh|python3?|node|iex|source|eval|sudo)\b/.test(text)) ||
        (/\b(?:nc|netcat|ncat)\b/.test(text) && s.has("place")) ||
        /\bauthorized_keys\b/.test(text) ||
        /\bbase64 d\b/.test(text));
    const isTo = isTold(s, place);
    if (isResult) {
      if (
        piped &&
        isTo &&
        /\b(?:execute|run|shell command|your|you|to (?:display|see|show|read|continue))\b/.test(text) &&
        (s.hasAny("model", "tool") || /\bshell command\b|\bto (?:display|see|show|read|continue|view)\b/.test(text))
      )
        return s.hasAny("model", "tool") || /\bshell command\b/.test(text) ? 3 : 2;
      return s.has("model") && s.hasAny("shell", "software") && s.hasAny("run", "install") && isTo ? 2 : 0;
    }
    if (piped) return s.has("example") && !isTo ? 1 : isTo || s.hasAny("oblige", "first", "run") || place.text.role === "value" ? 3 : 2;
    if (place.text.role === "value") return 0;
    const isInstall = s.has("software") && s.has("install") && (s.near("install", "software", 8) || s.near("run", "software", 6));
    const isRun = s.has("shell") && s.hasAny("run", "put", "move") && isTo && !place.isPurpose;
    if (/\bprivileged\b/.test(text) && (isInstall || isRun)) return 3;
    if (isInstall && !place.isPurpose) {
      if (s.has("model") && (s.has("oblige") || s.hasAny("alone"))) return 3;
      if (isAddressed(s) && s.hasAny("first", "place", "alone")) return 3;
      if ((s.orders("install") || s.orders("run")) && s.hasAny("first", "place", "when", "alone", "secretly"))
        return s.hasAny("place", "alone") ? 3 : 2;
      return 0;
    }
    if (isRun) {
      if (s.has("model") || /\byour (?:shell|terminal|bash|command)\b/.test(text)) return 3;
      if (s.orders("run") && s.hasAny("first", "every", "place") && !s.has("example")) return s.has("place") ? 3 : 2;
    }
    return s.has("model") && s.has("run") && s.has("oblige") && s.hasAny("shell", "software") ? 2 : 0;
  },
};
