/** Metrics as a strict reader of the text format 0.0.4 finds them. */
export interface ReadMetrics {
  readonly families: ReadonlyMap<string, { readonly type: string; readonly help: string }>;
  /** By the whole name with labels: 'toolrack_calls_total{tool="echo"}'. */
  readonly samples: ReadonlyMap<string, number>;
}

const name = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const label = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"`;
const line = new RegExp(String.raw`^(${name})(\{${label}(?:,${label})*\})? (NaN|[+-]Inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$`);

/** Throws for whatever breaks a rule of the format or of the names. */
export function readMetrics(text: string): ReadMetrics {
  if (!text.endsWith("\n")) throw new Error("The text does not end with a line.");
  const families = new Map<string, { type: string; help: string }>();
  const samples = new Map<string, number>();
  let current = "";
  for (const one of text.slice(0, -1).split("\n")) {
    const help = new RegExp(`^# HELP (${name}) (.+)$`).exec(one);
    const type = new RegExp(`^# TYPE (${name}) (counter|gauge|histogram)$`).exec(one);
    if (help !== null) {
      if (families.has(help[1]!)) throw new Error(`${help[1]} is there twice: a family has to stand together.`);
      families.set((current = help[1]!), { type: "", help: help[2]! });
    } else if (type !== null) {
      if (type[1] !== current) throw new Error(`TYPE of ${type[1]} does not follow its HELP.`);
      families.get(current)!.type = type[2]!;
      if ((type[2] === "counter") !== current.endsWith("_total"))
        throw new Error(`${current}: counters end with _total, and nothing else does.`);
    } else takeSample(one);
  }

  function takeSample(one: string): void {
    const parts = line.exec(one);
    if (parts === null) throw new Error(`This is not a sample: ${one}`);
    const isHistogram = families.get(current)!.type === "histogram";
    const base = isHistogram ? parts[1]!.replace(/_(?:bucket|sum|count)$/, "") : parts[1]!;
    if (base !== current) throw new Error(`${parts[1]} stands below ${current}.`);
    const key = parts[1]! + (parts[2] ?? "");
    if (samples.has(key)) throw new Error(`${key} is there twice.`);
    samples.set(key, Number(parts[3]!.replace("Inf", "Infinity")));
  }
  return { families, samples };
}
