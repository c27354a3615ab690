import type { ReactNode } from "react";
import { diffLines } from "./diff-lines.ts";
import "./diff.css";

/** Two values side by side, as JSON: what went is on the left, what came on the right. */
export function Diff({ before, after }: { readonly before: unknown; readonly after: unknown }): ReactNode {
  const rows = diffLines(toLines(before), toLines(after));
  return (
    <div className="diff" role="region" aria-label="What changed" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ left, right }, index) => (
            <tr key={index}>
              <td className={right === left || left === undefined ? "" : "gone"}>{left}</td>
              <td className={right === left || right === undefined ? "" : "come"}>{right}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function toLines(value: unknown): readonly string[] {
  return value === undefined ? [] : JSON.stringify(value, null, 2).split("\n");
}
