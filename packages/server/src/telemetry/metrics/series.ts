import { otherName } from "../trace/mcp-names.ts";
import { createHistogram, type Histogram } from "./histogram.ts";
import { maxSeries, maxTools } from "./metric-list.ts";
import { labels } from "./prometheus.ts";

/** The histograms of one metric, one for each set of labels. */
export interface Series {
  add(names: LabelValues, seconds: number): void;
  text(): Iterable<string>;
}

type LabelValues = Readonly<Record<string, string | number>>;

/** Beyond `maxTools` series a new one has no tool, and beyond `maxSeries` all labels of a new one are "(other)". */
export function createSeries(name: string, bounds: readonly number[]): Series {
  const all = new Map<string, Histogram>();

  function find(names: LabelValues): Histogram {
    let key = labels(names);
    if (!all.has(key) && all.size >= maxTools && names["gen_ai_tool_name"] !== undefined)
      key = labels({ ...names, gen_ai_tool_name: otherName });
    if (!all.has(key) && all.size >= maxSeries) key = rest;
    let found = all.get(key);
    if (found === undefined) all.set(key, (found = createHistogram(name, key, bounds)));
    return found;
  }

  return {
    add: (names, seconds) => find(names).add(seconds),
    *text() {
      for (const histogram of all.values()) yield histogram.text();
    },
  };
}

/** One set of labels for every metric, so that there is one more series at most. */
const rest = labels({ mcp_method_name: otherName, gen_ai_tool_name: otherName, error_type: otherName });
