import { ToolInputError } from "@toolrack/core";

/** Whether a path with "/" between its names matches. */
export type PathMatcher = (path: string) => boolean;

/**
 * Patterns for files, as shells and .gitignore have them; the patterns of policies know "*" alone. Compiles "*.ts", "src/**", "**\/test_?.{js,ts}", "[a-c]*". A pattern without a slash is held against the last name alone.
 * Matching takes time in proportion to pattern times path, whatever they are.
 */
export function compileFileGlob(pattern: string): PathMatcher {
  const alternatives = expandBraces(pattern).map(compileOne);
  return (path) => alternatives.some((matches) => matches(path));
}

function compileOne(pattern: string): PathMatcher {
  const names = pattern.replace(/^\.?\//, "").split("/");
  if (names.length === 1 && !pattern.startsWith("/")) {
    const matches = compileName(names[0]!);
    return (path) => matches(path.slice(path.lastIndexOf("/") + 1));
  }
  return compilePath(names);
}

/** A pattern for a whole path: "**" matches any number of names, at the end at least one. */
export function compilePath(names: readonly string[]): PathMatcher {
  const parts = (names.at(-1) === "**" ? [...names, "*"] : names).map((name) => (name === "**" ? "any" : compileName(name)));
  return (path) =>
    matchSequence(
      parts.length,
      path.split("/"),
      (part) => parts[part] === "any",
      (part, name) => (parts[part] as PathMatcher)(name),
    );
}

/** A pattern for one name: "*", "?" and "[…]" are special, "\" makes the next character plain. */
export function compileName(pattern: string): PathMatcher {
  const tokens = tokensOf(pattern);
  if (tokens.every((token) => typeof token === "string")) return (name) => name === tokens.join("");
  return (name) =>
    matchSequence(
      tokens.length,
      [...name],
      (token) => tokens[token] === star,
      (token, letter) => fits(tokens[token]!, letter),
    );
}

/** On a mismatch only the latest star has to take one more: earlier ones could not do better. */
function matchSequence<Item>(
  length: number,
  items: readonly Item[],
  isStar: (at: number) => boolean,
  matches: (at: number, item: Item) => boolean,
): boolean {
  let [at, item, starAt, starItem] = [0, 0, -1, 0];
  while (item < items.length) {
    if (at < length && isStar(at)) [starAt, starItem, at] = [at, item, at + 1];
    else if (at < length && matches(at, items[item]!)) [at, item] = [at + 1, item + 1];
    else if (starAt !== -1) [starItem, item, at] = [starItem + 1, starItem + 1, starAt + 1];
    else return false;
  }
  while (at < length && isStar(at)) at++;
  return at === length;
}

const star = Symbol("*");
const any = Symbol("?");

interface LetterClass {
  readonly negated: boolean;
  readonly ranges: readonly (readonly [from: string, to: string])[];
}

type Token = string | typeof star | typeof any | LetterClass;

function fits(token: Token, letter: string): boolean {
  if (typeof token === "string") return token === letter;
  if (typeof token === "symbol") return token === any;
  return token.ranges.some(([from, to]) => from <= letter && letter <= to) !== token.negated;
}

function tokensOf(pattern: string): Token[] {
  const letters = [...pattern];
  const tokens: Token[] = [];
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at]!;
    if (letter === "*") {
      if (tokens.at(-1) !== star) tokens.push(star);
    } else if (letter === "?") tokens.push(any);
    else if (letter === "\\" && at + 1 < letters.length) tokens.push(letters[++at]!);
    else if (letter === "[" && letters.indexOf("]", at + 2) !== -1) {
      const end = letters.indexOf("]", at + 2);
      tokens.push(classOf(letters.slice(at + 1, end)));
      at = end;
    } else tokens.push(letter);
  }
  return tokens;
}

function classOf(letters: readonly string[]): LetterClass {
  const negated = letters[0] === "!" || letters[0] === "^";
  const ranges: [string, string][] = [];
  for (let at = negated ? 1 : 0; at < letters.length; at++) {
    const isRange = letters[at + 1] === "-" && at + 2 < letters.length;
    ranges.push([letters[at]!, isRange ? letters[at + 2]! : letters[at]!]);
    if (isRange) at += 2;
  }
  return { negated, ranges };
}

const maxAlternatives = 100;

/** "a.{js,ts}" → ["a.js", "a.ts"]; braces without a comma or without an end are plain. */
function expandBraces(pattern: string): string[] {
  const done: string[] = [];
  const pending = [pattern];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const brace = innermostBrace(next);
    if (brace === undefined) done.push(next);
    else for (const choice of brace.choices) pending.push(next.slice(0, brace.from) + choice + next.slice(brace.to));
    if (done.length + pending.length > maxAlternatives)
      throw new ToolInputError(
        `The pattern ${JSON.stringify(pattern.slice(0, 100))} has more than ${maxAlternatives} alternatives. Use several calls.`,
      );
  }
  return done.toReversed();
}

function innermostBrace(pattern: string): { readonly from: number; readonly to: number; readonly choices: readonly string[] } | undefined {
  let from = -1;
  for (let at = 0; at < pattern.length; at++) {
    if (pattern[at] === "\\") at++;
    else if (pattern[at] === "{") from = at;
    else if (pattern[at] === "}" && from !== -1) {
      const choices = pattern.slice(from + 1, at).split(",");
      if (choices.length > 1) return { from, to: at + 1, choices };
      from = -1;
    }
  }
  return undefined;
}
