import type { ReactNode } from "react";
import "./source-lines.css";

/** A program with line numbers, as text: whatever it holds stays inert. The lines where it stands are marked. */
export function SourceLines(props: { readonly source: string; readonly label: string; readonly standing?: readonly number[] }): ReactNode {
  const { source, label, standing = [] } = props;
  const lines = source.replace(/\n$/, "").split("\n");
  return (
    <pre className="source-lines" tabIndex={0} aria-label={label}>
      {lines.map((line, index) => (
        <span
          key={index}
          className="source-line"
          data-line={index + 1}
          {...(standing.includes(index + 1) && { "aria-current": "step" as const })}
        >
          {line}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}
