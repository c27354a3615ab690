import type { Cue } from "../scan/words/cues.ts";
import { readSentences } from "../scan/text/read-sentences.ts";
import { foldText } from "../scan/text/fold.ts";
import type { AddChange } from "./change.ts";

/** Longer texts would take seconds, and say more than a tool has to say. Whether a change of them is wording is for a person to tell. */
const longestText = 50_000;

/** Compares two texts by what they bring: words that were there before are no news, wherever they stand now. */
export function diffText(before: string, after: string, path: string, add: AddChange): void {
  if (before === after) return;
  if (before.length > longestText || after.length > longestText)
    return add(path, "behaviour", `The text has more than ${longestText} characters, and is compared as a whole.`, before, after);
  const news = findNews(before, after);
  if (news === undefined) add(path, "wording", "The wording changed.", before, after);
  else add(path, "behaviour", `The text brings ${news}.`, before, after);
}

/** What the second text has and the first has not, in words; undefined if it is wording alone. */
function findNews(before: string, after: string): string | undefined {
  const known = new Set(addressesIn(before));
  const address = addressesIn(after).find((one) => !known.has(one));
  if (address !== undefined) return `a new address (${address.slice(0, 100)})`;
  const old = signsOf(before);
  for (const sign of signsOf(after)) if (!old.has(sign)) return newsOf(sign);
  return undefined;
}

// Before the "@" at most 64 characters, as in the standard: without a limit, each place of a long word would be tried to its end.
const addresses = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>)\]`]+|[\w.+-]{1,64}@[\w-]+\.[\w.-]+|\b\d{1,3}(?:\.\d{1,3}){3}\b/gi;

function addressesIn(text: string): readonly string[] {
  return (foldText(text).text.match(addresses) ?? []).map((address) => address.replace(/[.,;:!?]+$/, "").toLowerCase());
}

/** Cues that say what happens, to what, and who is told to do it: "move:send", "order:call". */
const telling: ReadonlyMap<Cue, string> = new Map([
  ["model", "who"],
  ["rank", "who"],
  ["secret", "data"],
  ["secret-place", "data"],
  ["talk", "data"],
  ["place", "place"],
  ["service", "place"],
  ["name", "tool"],
  ["oblige", "order"],
  ["override", "order"],
  ["move", "effect"],
  ["destroy", "effect"],
  ["run", "effect"],
  ["install", "effect"],
  ["shell", "effect"],
  ["memory", "effect"],
  ["guard", "effect"],
  ["disable", "effect"],
  ["secretly", "effect"],
  ["consent", "order"],
  ["ask", "order"],
]);

/** Beginnings of verbs that say what a tool does to the world. */
const effects =
  /^(?:delet|remov|eras|overwrit|overwrote|wip|purg|drop|truncat|destroy|send|sent|upload|mirror|forward|publish|shar(?:e|ing)|charg|bill|pay|paid|transfer|execut|run|ran|install|writ|wrote|modif|chang|updat|creat|logs|logged|logging|stor(?:e|ing)|record|archiv|revok|disabl|enabl|restart|reboot|email|mail|notif|invit|grant|lock|merg|push|copy|copie|copied|retain|collect|track|trigger|mov(?:e|ing)|replac|reset|cancel|purchas|buys|bought|sells|sold|order|subscrib|unsubscrib|bypass|skip|ignor|overrid|post(?:s|ed|ing)|submit|stream|sync|persist|cach|expos|leak|scrap|download|encrypt|decrypt|sign(?:s|ed)|approv|reject|clos|open|book|deploy|commit|import|export|kill|terminat|shut|suspend|block|ban|assign|reassign|mark(?:s|ed)|flag|hid(?:e|den)|escalat|elevat|impersonat|act(?:s|ing) as|call(?:s|ed|ing)?$|invok|automatically|afterwards|silently|without)/;

function signsOf(text: string): Set<string> {
  const signs = new Set<string>();
  for (const sentence of readSentences(foldText(text).text)) {
    for (const { cue, at, to, isOrder } of sentence.hits) {
      const words = sentence.words.slice(at, to).join(" ");
      const kind = telling.get(cue);
      if (kind !== undefined) signs.add(`${kind}:${words}`);
      if (isOrder && at === 0 && sentence.index > 0) signs.add(`order:${words}`);
    }
    if (sentence.isForeign) signs.add(`order:${sentence.phrase}`);
    for (const word of sentence.words) if (effects.test(word)) signs.add(`effect:${word.slice(0, 5)}`);
  }
  return signs;
}

function newsOf(sign: string): string {
  const [kind = "", words = ""] = [sign.slice(0, sign.indexOf(":")), sign.slice(sign.indexOf(":") + 1)];
  const shown = JSON.stringify(words.slice(0, 60));
  if (kind === "place") return `a new address (${shown})`;
  if (kind === "tool") return `the name of a tool (${shown})`;
  if (kind === "effect") return `a new effect (${shown})`;
  if (kind === "data") return `data that it did not speak of (${shown})`;
  return `a new order (${shown})`;
}
