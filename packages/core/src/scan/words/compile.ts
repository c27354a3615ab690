import { type Cue, cueNumbers } from "./cues.ts";
import { beforeOrders, clauseOpeners, english, englishWords } from "./english.ts";
import { latinLanguages } from "./latin-languages.ts";
import { otherLanguages } from "./other-languages.ts";

/** The words of a language model's reader, put into tables once: looking a word up costs one or two steps, however many lists there are. */
export interface CueTables {
  /** A word → where phrases that begin with it continue, and what it means by itself. */
  readonly phrases: ReadonlyMap<string, PhraseNode>;
  /** Beginnings of words of other languages, and whole words where there are no spaces. */
  readonly stems: ReadonlyMap<string, readonly Cue[]>;
  /** Of the stems, the longest in UTF-16 units. */
  readonly longestStem: number;
  readonly foreignWords: ReadonlySet<string>;
}

export interface PhraseNode {
  /** Bits of the cues, for a quick look: `cueNumbers` up to 31 in the first, up to 63 in the second, the rest in the third. */
  readonly cues: readonly FoundCue[];
  readonly next?: ReadonlyMap<string, PhraseNode>;
  /** Of `wordMarks`: what the word is by itself. */
  readonly marks: number;
}

/** A common word of English, or of another language; a word after which a clause begins; one that may stand before its verb. */
export const wordMarks = { english: 1, foreign: 2, opener: 4, passing: 8 } as const;

export interface FoundCue {
  readonly cue: Cue;
  readonly number: number;
  /** The base form of a verb, which may be an order: "send", but not "sends". */
  readonly isBase: boolean;
  /** A noun as well: it is a verb only where a verb can stand. "Copy it", "to copy", but not "a copy". */
  readonly isAlsoNoun: boolean;
}

interface OpenNode {
  cues: FoundCue[];
  marks: number;
  next?: Map<string, OpenNode>;
}

let compiled: CueTables | undefined;

export function cueTables(): CueTables {
  return (compiled ??= compile());
}

function compile(): CueTables {
  const root = new Map<string, OpenNode>();
  const add = (phrase: string, cue: Cue, isBase: boolean, isAlsoNoun = false): void => {
    const words = phrase.replaceAll("'s", "").split(" ");
    let level = root;
    for (const [index, word] of words.entries()) {
      let node = level.get(word);
      if (node === undefined) level.set(word, (node = { cues: [], marks: 0 }));
      if (index < words.length - 1) {
        level = node.next ??= new Map();
      } else if (!node.cues.some((found) => found.cue === cue && found.isBase === isBase)) {
        node.cues.push({ cue, number: cueNumbers.get(cue)!, isBase, isAlsoNoun });
      }
    }
  };
  for (const [cue, { verbs, nouns, words }] of Object.entries(english) as [Cue, { verbs?: string; nouns?: string; words?: string }][]) {
    for (const verb of entriesOf(verbs)) {
      const isAlsoNoun = alsoNouns.has(verb);
      add(verb, cue, true, isAlsoNoun);
      for (const [index, form] of verbForms(verb).entries()) add(form, cue, false, isAlsoNoun && index === 0);
    }
    for (const noun of entriesOf(nouns)) for (const form of [noun, pluralOf(noun)]) add(form, cue, false);
    for (const word of entriesOf(words)) add(word, cue, false);
  }
  const stems = new Map<string, Cue[]>();
  const foreignWords = new Set<string>();
  const ours = new Set(englishWords.split(" "));
  for (const { function: common, ...lists } of Object.values({ ...latinLanguages, ...otherLanguages })) {
    for (const word of (common ?? "").split(" ")) if (word !== "" && !ours.has(word)) foreignWords.add(word);
    for (const [cue, list] of Object.entries(lists) as [Cue, string][]) {
      for (const stem of list.split(" ")) {
        const found = stems.get(stem) ?? [];
        if (!found.includes(cue)) found.push(cue);
        stems.set(stem, found);
      }
    }
  }
  const mark = (words: Iterable<string>, bit: number): void => {
    for (const word of words) {
      const node = root.get(word) ?? { cues: [], marks: 0 };
      node.marks |= bit;
      root.set(word, node);
    }
  };
  mark(ours, wordMarks.english);
  mark(foreignWords, wordMarks.foreign);
  mark(clauseOpeners.split(" "), wordMarks.opener);
  mark(beforeOrders.split(" "), wordMarks.passing);
  const longestStem = Math.max(...[...stems.keys()].map((stem) => stem.length));
  return { phrases: root, stems, longestStem, foreignWords };
}

/** "The copy" and "to copy": these verbs are nouns more often than not. */
const alsoNouns: ReadonlySet<string> = new Set(
  "email, mail, e mail, copy, report, post, share, push, transfer, feed, stream, ping, relay, mirror, dump, leak, search, record, store, answer, query, request, state, place, set, list, access, display, print, view, export, prompt, pause, wait, check, flag, log, brief, trouble, mark, label, score, rate, drop, filter, mask, change, use, turn, point, update, format, run, start, source, schedule, trigger, wire, supply, hand, ship, sync, attack, question, claim, format, show, guard, order, need, cover, output, load, pull, open, empty, clear, close, reset, cancel".split(
    ", ",
  ),
);

function entriesOf(list: string | undefined): readonly string[] {
  return list === undefined ? [] : list.split(", ");
}

const irregular: Readonly<Record<string, string>> = {
  send: "sent",
  tell: "told",
  know: "knew known",
  learn: "learnt",
  hear: "heard",
  see: "saw seen",
  say: "said",
  write: "wrote written",
  give: "gave given",
  take: "took taken",
  find: "found",
  get: "got",
  hide: "hid hidden",
  forget: "forgot forgotten",
  keep: "kept",
  run: "ran",
  leave: "left",
  show: "shown",
  pay: "paid",
  bring: "brought",
  hold: "held",
  do: "did done",
  feed: "fed",
  begin: "began begun",
  choose: "chose chosen",
  break: "broke broken",
  override: "overrode overridden",
  set: "set",
  put: "put",
  be: "is are was were been being",
  become: "became",
  speak: "spoke spoken",
  throw: "threw thrown",
  withhold: "withheld",
  overwrite: "overwritten",
  rewrite: "rewritten",
  seek: "sought",
  stick: "stuck",
  go: "went gone",
};

/** "carry out" → "carries out", "carried out", "carrying out" */
function verbForms(verb: string): readonly string[] {
  const [head = "", ...rest] = verb.split(" ");
  const stem = head.endsWith("e") ? head.slice(0, -1) : head;
  const isY = /[^aeiou]y$/.test(head);
  const short =
    /^[^aeiou]*[aeiou][^aeiouwxy]$/.test(head) ||
    ["submit", "embed", "transmit", "omit", "forget", "admit", "begin", "commit"].includes(head);
  const doubled = short ? head + head.at(-1) : stem;
  const forms = [
    isY ? `${head.slice(0, -1)}ies` : /(?:s|sh|ch|x|z|o)$/.test(head) ? `${head}es` : `${head}s`,
    isY ? `${head.slice(0, -1)}ied` : `${doubled}ed`,
    `${doubled}ing`,
    ...(irregular[head] ?? "").split(" ").filter((form) => form !== "" && form !== head),
  ];
  return forms.map((form) => [form, ...rest].join(" "));
}

/** "chain of thought" → "chain of thoughts"; "copy" → "copies" */
function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|sh|ch|x)$/.test(noun) ? `${noun}es` : `${noun}s`;
}
