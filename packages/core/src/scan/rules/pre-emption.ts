import type { SentenceRule } from "../rule.ts";

export const preEmption: SentenceRule = {
  id: "pre-emption",
  finds: "Text that wants the tool called before all others, or for every request whatever it is.",
  fix: "Let the model choose the tool that fits the request. Remove the claim on every conversation.",
  checkSentence(s, { isResult }) {
    if (!s.hasAny("first", "every", "only")) return 0;
    const text = s.phrase;
    if (s.isForeign)
      return s.has("first", "tool") && s.hasAny("every", "other") ? (isResult ? 2 : 3) : s.has("first", "every", "tool") ? 2 : 0;
    const anyRequest =
      /\b(?:every|each|any|all|whatever the|no matter (?:what|which|the)|irrespective of (?:what|the)|regardless of (?:what|the|which)|independent of (?:what|the)|whatever) (?:\w+ ){0,2}(?:conversations?|tasks?|requests?|sessions?|questions?|prompts?|queries|chats?|turns?|messages?|asked|asks|topics?|interactions?|user says)\b|\brelated or not\b|\bwhatever (?:was|is|has been) asked\b|\bwhat (?:was|is|has been) asked\b/.test(
        text,
      );
    const beforeAll =
      /\b(?:before|prior to|ahead of|preced\w+|until|in front of) (?:\w+ ){0,4}?(?:any|every|all|each) (?:other |of the other |further )?(?:\w+ )?(?:tools?|functions?|actions?|steps?|calls?|others?|answers?|operations?)\b|\bbefore (?:any(?:thing)?|everything) (?:else|other)\b|\bbefore (?:anything|everything)\b/.test(
        text,
      );
    const nothingElse =
      /\b(?:nothing else|no other (?:\w+ )?(?:tools?|functions?|calls?|server)|none of the other|no (?:tools?|functions?) (?:may|can|must|should|other))\b/.test(
        text,
      ) && s.hasAny("first", "oblige", "when");
    const isThis =
      s.has("own") ||
      /\b(?:this (?:tool|function|one|server|call|must|has to|should|first)|start here|begin here|come back|here first|it first)\b/.test(
        text,
      );
    const isCall =
      s.hasAny("own", "sink", "tool", "first") ||
      /\b(?:call|called|invoke|invoked|run|use|used|start|begin|consult|consulted)\b/.test(text);
    if (isResult) return (anyRequest || beforeAll) && s.has("tool") && s.hasAny("model", "you") ? 2 : 0;
    if (nothingElse) return 3;
    if (beforeAll && anyRequest && isCall) return 3;
    if (
      beforeAll &&
      /\b(?:tools?|functions?|else|anything|everything)\b/.test(text) &&
      isCall &&
      !/\b(?:tools?|functions?) (?:of|in|from|on) (?:this|the same)\b/.test(text)
    )
      return s.hasAny("oblige", "every") && /\bother (?:tools?|functions?)|any tool|anything|everything\b/.test(text) ? 3 : 2;
    if (
      anyRequest &&
      isThis &&
      !/\b(?:http|api|network|web) requests?\b/.test(text) &&
      (s.hasAny("first", "oblige") || /\b(?:call|invoke|run|use|calling|come back|consult|go through|start|treat)\b/.test(text))
    )
      return s.has("own") || s.has("first") || s.has("oblige") ? 3 : 2;
    if (
      /\b(?:skipping|omitting|not calling|failing to call)\b/.test(text) &&
      /\b(?:failure|fails?|violation|error|breach|refusal)\b/.test(text)
    )
      return 3;
    return 0;
  },
};
