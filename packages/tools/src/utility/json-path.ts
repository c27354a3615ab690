import { ToolInputError } from "@toolrack/core";
import type { Steps } from "./_steps.ts";

/** One step of a path: a key, the place in a list, or all items. */
type Step = string | number | "*";

/** Finds what a path leads to. With "[*]" in the path it is a list; otherwise one value, or undefined where there is none. */
export interface JsonPath {
  read(value: unknown, steps: Steps): unknown;
}

/** "items[0].name", "items[*].price", "" for the whole; own keys only, so that `__proto__` leads nowhere. */
export function readPath(text: string): JsonPath {
  const way = stepsOf(text);
  const isMany = way.some((step) => step === "*");
  return {
    read(value, { take }) {
      let found = [value];
      for (const step of way) {
        const next: unknown[] = [];
        for (const one of found) {
          const followed = follow(one, step);
          take(1 + followed.length);
          for (const item of followed) next.push(item);
        }
        found = next;
      }
      return isMany ? found : found[0];
    },
  };
}

const maxSteps = 64;

function stepsOf(text: string): readonly Step[] {
  const steps: Step[] = [];
  const pattern = /(?:^|\.)([^.[\]]+)|\[(\d{1,9}|\*)\]/y;
  const start = text.startsWith("$") ? text.slice(1).replace(/^\./, "") : text;
  pattern.lastIndex = 0;
  while (pattern.lastIndex < start.length) {
    const at = pattern.lastIndex;
    const match = pattern.exec(start);
    if (match === null || (match[1] !== undefined && at > 0 && start[at] !== "."))
      throw new ToolInputError(`The path "${text}" is wrong at position ${at + 1}. Write it as items[0].name or items[*].name.`);
    const [, key, index] = match;
    steps.push(key ?? (index === "*" ? "*" : Number(index)));
  }
  if (steps.length > maxSteps) throw new ToolInputError(`The path has more than ${maxSteps} steps.`);
  return steps;
}

function follow(value: unknown, step: Step): readonly unknown[] {
  if (step === "*") return Array.isArray(value) ? value : typeof value === "object" && value !== null ? Object.values(value) : [];
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return [];
  if (Array.isArray(value) && typeof step === "string") return [];
  return [(value as Record<Step, unknown>)[step]];
}
