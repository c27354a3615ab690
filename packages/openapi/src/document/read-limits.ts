/** What a text may hold, with the facts that are told where it holds more. Plain data, for the thread that reads YAML. */
export const readLimits = {
  /** How deeply objects and lists may lie in each other: nothing that reads them comes near the end of its stack, where V8 may end the process. */
  levels: 200,
  tooDeep: "is nested too deeply. Use references in place of depth: its text may have 200 levels",
  /** The same for YAML keys that are objects or lists: each one is written out again in the one around it. */
  keyLevels: 4,
  tooDeepKey: "has keys that are objects or lists with such keys in them. Write keys as plain texts",
  /** Of the keys that occur twice so many are told, which is more than anyone reads. */
  keysTwice: 1_000,
  moreKeysTwice: "There are more keys that occur twice than these 1,000.",
} as const;

export type ReadLimits = typeof readLimits;
