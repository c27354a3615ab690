import { showDuration } from "@toolrack/core/internal/duration";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import "./plots.css";
import type { UsageBucket, UsageReport } from "../api/types.ts";
import { useApi } from "../api/use-api.ts";
import { Failed, Loading, Nothing } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { showShare } from "../parts/usage-words.ts";

const spans: readonly { readonly name: string; readonly ms: number; readonly bucketMs: number }[] = [
  { name: "an hour", ms: 3_600_000, bucketMs: 60_000 },
  { name: "a day", ms: 86_400_000, bucketMs: 900_000 },
  { name: "a week", ms: 604_800_000, bucketMs: 7_200_000 },
];

/** Calls, their outcomes and how long they took, over time. */
export default function Plots(): ReactNode {
  const [span, setSpan] = useState(spans[1]!);
  // A new minute is a new question: a moving beginning would never be answered from what is known.
  const from = Math.floor(Date.now() / 60_000) * 60_000 - span.ms;
  const { data, error, refetch } = useApi("/usage", { query: { from, bucketMs: span.bucketMs } });
  const series = useMemo(() => (data === undefined ? undefined : toSeries(data)), [data]);
  if (error !== null && data === undefined) return <Failed error={error} onRetry={() => void refetch()} />;
  if (series === undefined) return <Loading what="the plots" />;
  return (
    <div className="overview">
      <label>
        The last{" "}
        <select value={span.name} onChange={({ target }) => setSpan(spans.find(({ name }) => name === target.value)!)}>
          {spans.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {series.isEmpty ? (
        <Nothing title="No calls in this period" />
      ) : (
        <>
          <Plot
            title="Calls and their outcomes"
            at={series.at}
            show={(count) => (Number.isInteger(count) ? count.toLocaleString("en-US") : "")}
            lines={[
              { label: "failed", values: series.pick("errors", 0), colour: "--bad" },
              { label: "refused", values: series.pick("refused", 0), colour: "--warn" },
              { label: "invalid", values: series.pick("invalid", 0), colour: "--ink-soft" },
              { label: "denied", values: series.pick("denied", 0), colour: "--focus" },
              { label: "calls", values: series.pick("calls", 0), colour: "--accent" },
            ]}
          />
          <Plot
            title="Duration, without the time that calls waited for people"
            at={series.at}
            show={showDuration}
            lines={[
              { label: "p50", values: series.pick("p50Ms", null), colour: "--accent" },
              { label: "p95", values: series.pick("p95Ms", null), colour: "--warn" },
            ]}
          />
          <Table
            label="Usage of each tool"
            columns={["Tool", "Calls", "Failed", "Failure rate", "Refused", "Invalid", "Denied", "p50", "p95", "Last used"]}
          >
            {data!.tools.map((one) => (
              <tr key={one.tool}>
                <th scope="row">
                  <code>{one.tool}</code>
                </th>
                <td>{one.calls}</td>
                <td>{one.errors}</td>
                <td>{showShare(one.errorRate)}</td>
                <td>{one.refused}</td>
                <td>{one.invalid}</td>
                <td>{one.denied}</td>
                <td>{showDuration(one.p50Ms)}</td>
                <td>{showDuration(one.p95Ms)}</td>
                <td className="small">
                  <Time at={one.lastUsed} />
                </td>
              </tr>
            ))}
          </Table>
        </>
      )}
    </div>
  );
}

interface Series {
  readonly isEmpty: boolean;
  readonly at: readonly number[];
  /** Null where there were no calls, of durations. */
  readonly pick: (name: Exclude<keyof UsageBucket, "at">, empty: 0 | null) => readonly (number | null)[];
}

/** All tools together, from the first stretch to the last. */
function toSeries({ total, from, to, bucketMs }: UsageReport): Series {
  const byTime = new Map(total.buckets.map((bucket) => [bucket.at, bucket]));
  const times = Array.from({ length: Math.ceil((to - from) / bucketMs) }, (_, index) => from + index * bucketMs);
  return {
    isEmpty: total.calls === 0,
    at: times.map((at) => at / 1_000),
    pick: (name, empty) => times.map((at) => byTime.get(at)?.[name] ?? empty),
  };
}

interface PlotProps {
  readonly title: string;
  readonly at: readonly number[];
  /** A value as text, at the axis and in the legend. */
  readonly show: (value: number) => string;
  readonly lines: readonly { readonly label: string; readonly values: readonly (number | null)[]; readonly colour: string }[];
}

function Plot({ title, at, show, lines }: PlotProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const shown = useRef(show);
  shown.current = show;
  useEffect(() => {
    const host = box.current!;
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string): string => resolveColour(host, style.getPropertyValue(name));
    const look = { font: axisFont, stroke: colour("--ink-soft"), grid: { stroke: colour("--line"), width: 1 } };
    const plot = new uPlot(
      {
        width: host.clientWidth,
        height: 220,
        axes: [{ ...look }, { ...look, size: widthOfLabels, values: (_plot, splits) => splits.map((value) => shown.current(value)) }],
        series: [
          {},
          ...lines.map(({ label, values, colour: name }) => ({
            label,
            value: (_plot: uPlot, value: number | null) => (value === null ? "none" : shown.current(value)),
            stroke: colour(name),
            width: 2,
            points: { show: values.includes(null), size: 5 },
            spanGaps: true,
          })),
        ],
      },
      [[...at], ...lines.map(({ values }) => [...values])] as uPlot.AlignedData,
      host,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: host.clientWidth, height: 220 }));
    observer.observe(host);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [at, lines]);
  const summary = lines.map(({ label, values }) => `${label} up to ${show(Math.max(0, ...values.map((value) => value ?? 0)))}`).join(", ");
  return (
    <figure>
      <figcaption>
        <h2>{title}</h2>
      </figcaption>
      <div ref={box} className="plot" role="img" aria-label={`${title}: ${summary}`} />
    </figure>
  );
}

/** As much room as the longest label needs: a number that grows is not cut off. */
function widthOfLabels(_plot: uPlot, values: readonly string[] | null): number {
  const ruler = document.createElement("canvas").getContext("2d")!;
  ruler.font = axisFont;
  return Math.ceil(Math.max(0, ...(values ?? []).map((text) => ruler.measureText(text).width))) + tickAndGap;
}

const axisFont = "12px system-ui, sans-serif";
const tickAndGap = 20;

/** A canvas does not know light-dark(): the page is asked what the colour comes to. */
function resolveColour(host: HTMLElement, value: string): string {
  const probe = document.createElement("span");
  probe.style.color = value;
  host.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
