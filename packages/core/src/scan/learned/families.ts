import type { SentencePlace } from "../rule.ts";
import type { Sentence } from "../text/sentence.ts";
import type { Cue } from "../words/cues.ts";

/** What an order to a model has to be about, one way or another. Cues of one family are not independent of each other. */
const families: readonly (readonly Cue[])[] = [
  // somebody is addressed
  ["model", "you", "user"],
  // something of theirs is moved
  ["secret", "secret-place", "talk", "memory"],
  // to a place
  ["place", "service", "sink"],
  // nobody is to know
  ["secretly", "hide", "secret-state", "tell", "asked"],
  // another tool, or a program, is steered
  ["name", "own", "other", "prefer", "shell", "software"],
  // a claim of rank, consent or urgency, or against rules
  ["rank", "oblige", "consent", "granted", "urgent", "compliance", "override", "void", "precedence", "rule", "guard", "right"],
];

/** Verbs that do something to others when they are an order. */
const deeds: readonly Cue[] = ["move", "destroy", "install", "override", "disable", "remember", "obey", "say"];

/** How many families have a cue in the sentence, or say something by where it stands. */
export function countFamilies(sentence: Sentence, { isPurpose, isHidden }: SentencePlace): number {
  const ordered = !isPurpose && sentence.orders(...deeds) ? 1 : 0;
  const talk = sentence.has("talk-word", "entire") && !sentence.has("talk") ? 1 : 0;
  const unread = isHidden || sentence.isForeign ? 1 : 0;
  return families.filter((family) => sentence.hasAny(...family)).length + ordered + talk + unread;
}
