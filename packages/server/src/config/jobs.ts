import type { JsonSchema } from "@toolrack/json-schema";

/** How many jobs run at once, and how many may wait. */
export interface JobsConfig {
  /** How many jobs this server runs at the same time. @default 8 */
  readonly slots?: number;
  /** How many jobs of one caller it runs at the same time. @default 4 */
  readonly slotsPerCaller?: number;
  /** How many jobs of one caller may wait. @default 1_000 */
  readonly maxWaitingPerCaller?: number;
}

export const startupModes = ["once", "continuous", "disabled"] as const;

/** A tool that is called when the server starts. */
export interface StartupConfig {
  /** "once": called once. "continuous": called again whenever it ends. @default "once" */
  readonly mode?: (typeof startupModes)[number];
  /** Higher ones come first. @default 50 */
  readonly priority?: number;
  /** Other tools of this list: those with the mode "once" have to have ended with success, the others to have begun. */
  readonly wait_for?: readonly string[];
  readonly input?: Readonly<Record<string, unknown>>;
  /** As which agent it is called; the policy of that agent applies. @default "startup" */
  readonly agent?: string;
}

const count = { type: "integer", minimum: 1 } as const;
const slots = { type: "integer", minimum: 1, maximum: 1_000 } as const;

export const jobsSchema: JsonSchema = {
  type: "object",
  properties: { slots, slotsPerCaller: slots, maxWaitingPerCaller: { ...count, maximum: 100_000 } },
  additionalProperties: false,
};

export const startupSchema: JsonSchema = {
  type: "object",
  properties: {
    mode: { enum: startupModes },
    priority: { type: "integer", minimum: 0, maximum: 100 },
    wait_for: { type: "array", items: { type: "string", minLength: 1 }, maxItems: 100 },
    input: { type: "object" },
    agent: { type: "string", minLength: 1, maxLength: 128 },
  },
  additionalProperties: false,
};

/** What is wrong with the order of tools at the start: a name that is not in the list, or tools that wait for each other. */
export function findStartupFault(
  startup: Readonly<Record<string, StartupConfig>>,
): { readonly name: string; readonly fact: string } | undefined {
  const waitsFor = (name: string): readonly string[] => startup[name]!.wait_for ?? [];
  for (const name of Object.keys(startup)) {
    const unknown = waitsFor(name).find((other) => !Object.hasOwn(startup, other));
    if (unknown !== undefined)
      return {
        name,
        fact: `startup.${name}.wait_for names "${unknown}", which is not in startup. Add it there, or remove it from the list.`,
      };
    const off = waitsFor(name).find((other) => startup[other]!.mode === "disabled" && startup[name]!.mode !== "disabled");
    if (off !== undefined)
      return { name, fact: `startup.${name}.wait_for names "${off}", which is disabled. Enable it, or remove it from the list.` };
  }
  const done = new Set<string>();
  const visit = (name: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(name)) return [...path.slice(path.indexOf(name)), name];
    if (done.has(name)) return undefined;
    for (const other of waitsFor(name)) {
      const cycle = visit(other, [...path, name]);
      if (cycle !== undefined) return cycle;
    }
    done.add(name);
    return undefined;
  };
  for (const name of Object.keys(startup)) {
    const cycle = visit(name, []);
    if (cycle !== undefined)
      return { name, fact: `The tools of startup wait for each other: ${cycle.join(" → ")}. Remove one of these from wait_for.` };
  }
  return undefined;
}
