import type { TextRule } from "../rule.ts";

export const fakeTurns: TextRule = {
  id: "fake-turns",
  finds: "Marks of chat templates, and turns, results or directives that somebody made up.",
  fix: "Remove the marks. Only the host writes turns, results and directives.",
  checkText({ parts, role }, report) {
    const isResult = role === "result";
    for (const { text, rangeOf, sentences, hiddenAs, folded } of parts) {
      const place = (index: number): number =>
        folded === undefined ? (sentences[0] ? rangeOf(sentences[0])[0] : 0) : folded.placeOf(index);
      const say = (severity: "warning" | "danger", message: string, index: number): void =>
        report(hiddenAs === undefined ? severity : "danger", message, place(index), place(index) + 160);
      const marker = findMarker(text);
      if (marker !== undefined) say("danger", `"${text.slice(marker, marker + 24)}" is a mark of a chat template.`, marker);
      const tag = findTag(text);
      if (tag !== undefined)
        say(
          tag.isStrong || !isResult ? (tag.isStrong ? "danger" : "warning") : "warning",
          `<${tag.name}> poses as a part of the conversation that the host writes.`,
          tag.at,
        );
      const turns = text.includes(":") ? findTurns(text) : [];
      if (turns.length > 0) {
        const roles = new Set(turns.map((turn) => turn.role));
        const isDialogue = roles.has("assistant") && roles.size > 1;
        if (isDialogue || (roles.has("system") && !isResult))
          say(
            isResult && !isOrderAfter(text, turns[0]!.at) ? "warning" : "danger",
            "The text poses as turns of a conversation.",
            turns[0]!.at,
          );
      }
      const role1 = findRoleObject(text);
      if (role1 !== undefined)
        say(role1.isForged || !isResult ? "danger" : "warning", "The text holds a message with the role of the system.", role1.at);
      const heading = headingTask.test(text)
        ? /^[ \t]*(?:#{1,6}|={3,}|-{3,}|\*{2,}|\[)[ \t]*(?:new |updated |hidden |important |system |urgent )*(?:task|instructions?|system|directive|assignment|orders?|prompt|message)\b[^\n]{0,40}\b(?:agent|assistant|model|ai|llm|system|prompt|override)\b/im.exec(
            text,
          )
        : null;
      if (heading !== null) say("danger", "A heading gives the model a task.", heading.index);
    }
  },
};

/** A line that begins like a heading: without one there is nothing to look for. */
const headingTask = /(?:^|\n)[ \t]{0,8}[#=\-*[]/;

const markers = [
  "<|im_start|>",
  "<|im_end|>",
  "<|system|>",
  "<|user|>",
  "<|assistant|>",
  "<|endoftext|>",
  "<|eot_id|>",
  "<|start_header_id|>",
  "[INST]",
  "[/INST]",
  "<<SYS>>",
  "<</SYS>>",
  "<start_of_turn>",
  "<end_of_turn>",
  "<|begin_of_text|>",
  "<|channel|>",
  "<｜User｜>",
  "<｜Assistant｜>",
  "<|tool_call|>",
  "<|message|>",
  "<|start|>",
  "<|end|>",
  "[SYSTEM]",
  "[/SYSTEM]",
];

function findMarker(text: string): number | undefined {
  if (!text.includes("<") && !text.includes("[")) return undefined;
  const found = markers.map((marker) => text.indexOf(marker)).filter((index) => index >= 0);
  return found.length === 0 ? undefined : Math.min(...found);
}

/** Elements that only a host writes into a conversation, and those that shout at a model. */
const strongTags =
  /^(?:system|sys|system[_-]?\w*|assistant[_-]?\w*|developer[_-]?\w*|function[_-]?(?:results?|calls?|response)|tool[_-]?(?:results?|calls?|response|output|use)|instructions?|directives?|\w*[_-]directives?|\w*[_-]instructions?|admin[_-]?\w*|hidden|secret|override|prompt|user[_-]?(?:message|prompt|query|turn)|human|inst|policy[_-]override|ai[_-]\w+|agent[_-]?\w*|llm[_-]?\w*|model[_-]?\w*|context[_-]?update|task[_-]?override)$/;
const weakTags =
  /^(?:important|critical|urgent|warning|attention|priority|mandatory|note[_-]to[_-]\w+|thinking|reasoning|result|results|message|rules?|task|user|context|notice)$/;

function findTag(text: string): { name: string; at: number; isStrong: boolean } | undefined {
  if (!text.includes("</") && !text.includes("/>")) return undefined;
  for (const match of text.matchAll(/<([a-zA-Z][a-zA-Z0-9_-]{2,30})(?:\s[^<>]{0,200})?\/?>/g)) {
    const name = match[1]!.toLowerCase();
    if (!strongTags.test(name) && !weakTags.test(name)) continue;
    const inner = text.slice(match.index + match[0].length, match.index + match[0].length + 2000);
    const close = inner.toLowerCase().indexOf(`</${name}`);
    if (close < 0 || inner.slice(0, close).trim().split(/\s+/).length < 3) continue;
    if (strongTags.test(name)) return { name, at: match.index, isStrong: true };
    if (weakTags.test(name)) return { name, at: match.index, isStrong: false };
  }
  return undefined;
}

/** "Assistant: Sure" at the beginning of a line, or after two spaces or a sentence. */
function findTurns(text: string): readonly { role: string; at: number }[] {
  const found: { role: string; at: number }[] = [];
  for (const match of text.matchAll(
    /(?:^|\n|\\n|[.!?]\s|\s{2}|# |\/\/ |WARN |INFO )[ \t"'*#>]*(system|assistant|human|user|developer|ai|bot|model|agent)[*"']{0,2}:\s+\S/gi,
  )) {
    const role = match[1]!.toLowerCase();
    found.push({
      role: role === "ai" || role === "bot" || role === "model" || role === "agent" ? "assistant" : role === "user" ? "human" : role,
      at: match.index,
    });
    if (found.length > 50) break;
  }
  return found;
}

function isOrderAfter(text: string, at: number): boolean {
  return /\b(?:now|please|then|next)\b|\b(?:i will|i'll|sure|understood|okay|yes|of course|right away|done)\b/i.test(
    text.slice(at, at + 600),
  );
}

function findRoleObject(text: string): { at: number; isForged: boolean } | undefined {
  if (!text.includes("role")) return undefined;
  const match = /["']role["']\s*:\s*["'](?:system|developer)["']\s*,\s*["']content["']\s*:\s*["'][^"']{8}/.exec(text);
  return match === null
    ? undefined
    : { at: match.index, isForged: /["}\]]{3,}\s*[,{]*\s*\{*\s*$/.test(text.slice(Math.max(0, match.index - 20), match.index)) };
}
