import { metricList, type MetricName } from "./metric-list.ts";

/** Metrics in the text format 0.0.4 of Prometheus. */
export interface MetricsText {
  /** A metric of one value; nothing if the value is unknown. */
  one(name: MetricName, value: number | undefined): void;
  /** A metric with labels: [labels, value], the labels as `labels` writes them. */
  each(name: MetricName, samples: Iterable<readonly [string, number]>): void;
  /** A metric whose lines exist already. */
  lines(name: MetricName, texts: Iterable<string>): void;
  toString(): string;
}

export function createMetricsText(): MetricsText {
  let text = "";
  const head = (name: MetricName): string => `# HELP ${name} ${metricList[name].help}\n# TYPE ${name} ${metricList[name].type}\n`;
  return {
    one(name, value) {
      if (value !== undefined) text += `${head(name)}${name} ${toNumber(value)}\n`;
    },
    each(name, samples) {
      text += head(name);
      for (const [written, value] of samples) text += `${name}{${written}} ${toNumber(value)}\n`;
    },
    lines(name, texts) {
      text += head(name);
      for (const lines of texts) text += lines;
    },
    toString: () => text,
  };
}

/** labels({ tool: "a", code: "OK" }) → 'tool="a",code="OK"' */
export function labels(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escapeLabel(String(value))}"`)
    .join(",");
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}

/** Rounds: the last digits of a sum of many small numbers are meaningless. */
function toNumber(value: number): string {
  return Number.isNaN(value) ? "NaN" : Number.isFinite(value) ? String(Number(value.toPrecision(15))) : value > 0 ? "+Inf" : "-Inf";
}
