import type { ReactNode } from "react";
import type { ToolUsageReport } from "../api/types.ts";
import { showTime } from "./time.tsx";
import { showShare } from "./usage-words.ts";
import "./sparkline.css";

const width = 96;
const height = 20;

/** Calls over the last day: one bar for each hour, its errors in red. */
export function Sparkline({
  usage,
  from,
  bucketMs,
}: {
  readonly usage: ToolUsageReport | undefined;
  readonly from: number;
  readonly bucketMs: number;
}): ReactNode {
  if (usage === undefined) return <span className="sparkline soft small">no calls</span>;
  const most = Math.max(...usage.buckets.map(({ calls }) => calls), 1);
  const count = 24;
  const step = width / count;
  const text = `${usage.calls} calls in a day, ${usage.errors} failed (${showShare(usage.errorRate)}), last used ${showTime(usage.lastUsed)}`;
  return (
    <svg className="sparkline" role="img" aria-label={text} viewBox={`0 0 ${width} ${height}`} width={width} height={height}>
      <title>{text}</title>
      <rect className="ground" x={0} y={height - 1} width={width} height={1} />
      {usage.buckets.map(({ at, calls, errors }) => {
        const x = Math.min(count - 1, Math.max(0, Math.floor((at - from) / bucketMs))) * step;
        const tall = Math.max(2, (calls / most) * height);
        const failed = (errors / calls) * tall;
        return (
          <g key={at}>
            <rect className="fine" x={x} y={height - tall} width={step - 1} height={tall - failed} />
            <rect className="failed" x={x} y={height - failed} width={step - 1} height={failed} />
          </g>
        );
      })}
    </svg>
  );
}
