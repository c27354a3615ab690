/** A part of a request, and whether it is in quotation marks: quoted text is usually a value, not something asked for. */
export interface Stretch {
  readonly text: string;
  readonly quoted: boolean;
}

/**
 * "Book a room, then mail 'Ann' and Bob" → [[Book a room], [mail, 'Ann', and Bob]]: the parts of a request that may need a tool
 * each. A list of names or things is not split.
 */
export function splitClauses(request: string): readonly (readonly Stretch[])[] {
  // Several spaces become one: a pattern that begins with a run of spaces would be tried again at each of them.
  return request
    .replace(/\s{2,}|[^\S \n]/g, (run) => (run.includes("\n") ? "\n" : " "))
    .split(boundary)
    .filter((part) => /[\p{L}\p{N}]/u.test(part))
    .slice(0, maxClauses)
    .map(splitQuotes);
}

/** Longer requests are mostly data; what follows says little about tools. */
const maxClauses = 32;

const nextStep = "then|also|afterwards|finally|additionally|furthermore|moreover|next|lastly";
/** Words that begin a request or a statement, before its verb. */
const opening =
  "please|to|for|if|could|can|would|i|we|you|it|let|is|are|what|how|which|who|where|when|whether|" +
  "the|a|an|my|our|your|their|his|her|its|this|that|these|those|any|some|all";
/** Verbs that begin a further request: ", and delete the file". */
const verbs =
  "add|adjust|analyze|apply|arrange|ask|assign|book|build|buy|calculate|call|cancel|change|check|choose|clear|" +
  "compare|compute|confirm|convert|copy|count|create|delete|deliver|describe|design|determine|display|download|" +
  "draft|draw|edit|email|ensure|estimate|evaluate|execute|explain|export|extract|fetch|fill|filter|find|fix|follow|" +
  "forward|generate|get|give|identify|import|include|increase|inform|insert|invite|launch|list|locate|log|look|make|mark|" +
  "measure|merge|message|modify|monitor|move|notify|open|order|organize|pay|perform|pick|plan|play|post|predict|prepare|" +
  "print|process|provide|publish|purchase|put|rank|rate|read|recommend|record|reduce|register|remind|remove|rename|rent|" +
  "replace|reply|report|request|reschedule|reserve|reset|resize|retrieve|return|review|run|save|scan|schedule|search|" +
  "select|sell|send|set|share|show|sort|split|start|stop|store|submit|subscribe|suggest|summarize|take|tell|test|track|" +
  "transfer|translate|turn|update|upload|use|validate|verify|view|watch|withdraw|write";
const boundary = new RegExp(`[.?!;](?=\\s|$)|\\n|,? (?:${nextStep})(?=[ ,])|(?:,? and|,) (?=(?:${opening}|${verbs})\\b)`, "i");

function splitQuotes(clause: string): Stretch[] {
  if (!/["“']/.test(clause)) return [{ text: clause, quoted: false }];
  const stretches: Stretch[] = [];
  let from = 0;
  for (const match of clause.matchAll(quoted)) {
    if (match.index > from) stretches.push({ text: clause.slice(from, match.index), quoted: false });
    stretches.push({ text: match[0].slice(1, -1), quoted: true });
    from = match.index + match[0].length;
  }
  if (from < clause.length) stretches.push({ text: clause.slice(from), quoted: false });
  return stretches;
}

// An apostrophe inside a word does not open a quotation.
const quoted = /"[^"]{1,200}"|“[^”]{1,200}”|(?<![\p{L}\p{N}])'[^']{1,200}'(?![\p{L}\p{N}])/gu;
