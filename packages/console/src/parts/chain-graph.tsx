import type { ReactNode } from "react";
import type { ChainGraph as Graph } from "../api/types.ts";
import { Scroll } from "./scroll.tsx";
import "./chain-graph.css";

interface ChainGraphProps {
  readonly graph: Graph;
  /** The tool of each step. */
  readonly toolOf: (step: string) => string;
  /** The step whose result counts. */
  readonly returned: string;
  /** How far a step is, where the chain runs. */
  readonly statusOf?: (step: string) => string | undefined;
}

const width = 176;
const height = 52;
const across = 64;
const between = 16;

/** The steps of a chain: levels from left to right, those of one level below each other, and lines to the steps that wait. */
export function ChainGraph({ graph: { levels, edges }, toolOf, returned, statusOf }: ChainGraphProps): ReactNode {
  const rows = Math.max(...levels.map((level) => level.length));
  const places = new Map(
    levels.flatMap((level, column) =>
      level.map((step, row) => {
        const above = ((rows - level.length) * (height + between)) / 2;
        return [step, { x: column * (width + across), y: above + row * (height + between) }] as const;
      }),
    ),
  );
  const whole = { width: levels.length * (width + across) - across, height: rows * (height + between) - between };
  const words = edges.map(([from, to]) => `${from} before ${to}`).join(", ");
  return (
    <Scroll label="Order of the steps">
      <svg
        className="chain-graph"
        role="img"
        aria-label={`${places.size} steps in ${levels.length} levels${words === "" ? "" : `: ${words}`}`}
        width={whole.width + 4}
        height={whole.height + 4}
        viewBox={`-2 -2 ${whole.width + 4} ${whole.height + 4}`}
      >
        {edges.map(([from = "", to = ""]) => {
          const [start, end] = [places.get(from), places.get(to)];
          if (start === undefined || end === undefined) return null;
          const [x1, y1, x2, y2] = [start.x + width, start.y + height / 2, end.x, end.y + height / 2];
          const middle = (x2 - x1) / 2;
          return <path key={`${from} ${to}`} d={`M ${x1} ${y1} C ${x1 + middle} ${y1}, ${x2 - middle} ${y2}, ${x2} ${y2}`} />;
        })}
        {[...places].map(([step, { x, y }]) => (
          <g
            key={step}
            transform={`translate(${x} ${y})`}
            className={step === returned ? "is-returned" : undefined}
            data-status={statusOf?.(step)}
          >
            <title>{`${step}: ${toolOf(step)}${step === returned ? ", the result of the chain" : ""}${said(statusOf?.(step))}`}</title>
            <rect width={width} height={height} rx="8" />
            <text x="12" y="21" className="step">
              {cut(step, 20)}
            </text>
            <text x="12" y="39">
              {cut(toolOf(step), statusOf === undefined ? 24 : 14)}
            </text>
            {statusOf !== undefined && (
              <text x={width - 12} y="39" textAnchor="end" className="status">
                {statusOf(step)}
              </text>
            )}
          </g>
        ))}
      </svg>
    </Scroll>
  );
}

function said(status: string | undefined): string {
  return status === undefined ? "" : `, ${status}`;
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}
