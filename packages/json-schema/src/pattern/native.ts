import { type CharSet, isDisjoint } from "./charset.ts";
import { type Regex, someRegex } from "./parse.ts";

/**
 * Whether the backtracking engine of JavaScript provably needs time linear in the text, for one of two reasons:
 * - From one start it can take only a bounded number of steps, all detours included: /foo|ba[rz]/, /^(get|getAll)$/.
 * - It is anchored, and at no point can one character be read in two ways, so that no detour survives its first
 *   character: /^[a-z]+(-[a-z]+)*$/ but not /^(a+)+$/ and not /^.*a$/.
 * A "no" is not a proof of the opposite.
 */
export function canRunNatively(regex: Regex): boolean {
  if (isAnchored(regex)) return effortOf(regex).steps <= anchoredSteps || isDeterministic(regex);
  // V8 also begins a search between the two halves of a surrogate pair, where only these could match and must not.
  if (someRegex(regex, (part) => part.kind === "look" || (part.kind === "assert" && part.at === "notWord"))) return false;
  return effortOf(withoutFreeTail(regex)).steps <= stepsPerStart;
}

const anchoredSteps = 10_000;
const stepsPerStart = 200;
const stepsPerLook = 100;
const maxEdges = 20_000;

function isAnchored(regex: Regex): boolean {
  switch (regex.kind) {
    case "assert":
      return regex.at === "start";
    case "sequence":
      return regex.items.length > 0 && isAnchored(regex.items[0]!);
    case "choice":
      return regex.options.every(isAnchored);
    default:
      return false;
  }
}

/** /\d+/ has its answer at the first digit: what may be read at the very end of a search takes no part in it. */
function withoutFreeTail(regex: Regex): Regex {
  if (regex.kind === "repeat" && regex.item.kind === "set") return { ...regex, max: regex.min };
  if (regex.kind === "choice") return { kind: "choice", options: regex.options.map(withoutFreeTail) };
  if (regex.kind !== "sequence" || regex.items.length === 0) return regex;
  return { kind: "sequence", items: [...regex.items.slice(0, -1), withoutFreeTail(regex.items.at(-1)!)] };
}

/** All steps a backtracking engine can take from one start, and in how many ways it can reach the end. */
interface Effort {
  readonly steps: number;
  readonly paths: number;
}

function effortOf(regex: Regex): Effort {
  switch (regex.kind) {
    case "set":
      return { steps: 1, paths: 1 };
    case "assert":
      return { steps: 1, paths: 1 };
    case "look":
      return { steps: 1 + effortOf(regex.item).steps, paths: 1 };
    case "sequence":
      return regex.items
        .map(effortOf)
        .reduce((all, item) => ({ steps: all.steps + all.paths * item.steps, paths: all.paths * item.paths }), nothing);
    case "choice": {
      const options = regex.options.map(effortOf);
      return { steps: sum(options.map((option) => option.steps)), paths: sum(options.map((option) => option.paths)) };
    }
    case "repeat":
      return effortOfRepeat(effortOf(regex.item), regex.min, regex.max);
  }
}

const nothing: Effort = { steps: 0, paths: 1 };
const unbounded: Effort = { steps: Infinity, paths: Infinity };

function effortOfRepeat(item: Effort, min: number, max: number): Effort {
  if (max > anchoredSteps || item.steps > anchoredSteps || item.paths > anchoredSteps) return unbounded;
  let steps = 0;
  let paths = min === 0 ? 1 : 0;
  let reached = 1;
  for (let count = 1; count <= max; count++) {
    steps += reached * (item.steps + 1);
    reached *= item.paths;
    if (count >= min) paths += reached;
    if (steps > anchoredSteps || paths > anchoredSteps) return unbounded;
  }
  return { steps, paths };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** One place in the pattern where a character is read, and the places where the next one may be. */
interface Place {
  readonly set: CharSet;
  readonly next: Place[];
}

interface Part {
  readonly first: readonly Place[];
  readonly last: readonly Place[];
  readonly mayBeEmpty: boolean;
}

/**
 * Joins the places of the pattern by every way that leads from one to another. A place that can be reached in two ways is
 * listed twice, and then overlaps with itself, so nested loops such as (a*)* are told from plain ones.
 */
function isDeterministic(regex: Regex): boolean {
  const places: Place[] = [];
  let edges = 0;
  let ambiguous = false;

  const join = (from: readonly Place[], to: readonly Place[]): void => {
    edges += from.length * to.length;
    if (edges > maxEdges) ambiguous = true;
    else for (const place of from) place.next.push(...to);
  };
  const partOf = (part: Regex): Part => {
    if (ambiguous) return empty;
    switch (part.kind) {
      case "set": {
        const place: Place = { set: part.set, next: [] };
        places.push(place);
        return { first: [place], last: [place], mayBeEmpty: false };
      }
      case "assert": // only ever cuts ways off
        return empty;
      case "look":
        if (effortOf(part.item).steps > stepsPerLook) ambiguous = true;
        return empty;
      case "sequence":
        return part.items.map(partOf).reduce((before, item) => {
          join(before.last, item.first);
          return {
            first: before.mayBeEmpty ? [...before.first, ...item.first] : before.first,
            last: item.mayBeEmpty ? [...before.last, ...item.last] : item.last,
            mayBeEmpty: before.mayBeEmpty && item.mayBeEmpty,
          };
        }, empty);
      case "choice": {
        const options = part.options.map(partOf);
        if (options.filter((option) => option.mayBeEmpty).length > 1) ambiguous = true;
        return {
          first: options.flatMap((option) => option.first),
          last: options.flatMap((option) => option.last),
          mayBeEmpty: options.some((option) => option.mayBeEmpty),
        };
      }
      case "repeat": {
        if (part.max === 0) return empty;
        const item = partOf(part.item);
        if (item.mayBeEmpty && (part.min !== 1 || part.max !== 1)) ambiguous = true;
        if (part.min === part.max && part.max > 1) {
          // Exactly five times is, for this question, one time after another; one to five times is a loop.
          const again = partOf(part.item);
          join(item.last, again.first);
          return { first: item.first, last: again.last, mayBeEmpty: false };
        }
        if (part.max > 1) join(item.last, item.first);
        return part.min === 0 ? { ...item, mayBeEmpty: true } : item;
      }
    }
  };

  const whole = partOf(regex);
  if (ambiguous) return false;
  return isDisjoint(whole.first.map((place) => place.set)) && places.every((place) => isDisjoint(place.next.map(({ set }) => set)));
}

const empty: Part = { first: [], last: [], mayBeEmpty: true };
