import type { ReactNode } from "react";
import { Badge } from "./badge.tsx";
import "./labels.css";

interface LabelsProps {
  /** By JSON Pointer. */
  readonly labels: Readonly<Record<string, readonly string[]>>;
  /** Where they come from, by JSON Pointer. */
  readonly origins?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** What is known of values, by where they are. */
export function Labels({ labels, origins = {} }: LabelsProps): ReactNode {
  const known = Object.entries(labels).filter(([, names]) => names.length > 0);
  if (known.length === 0) return null;
  return (
    <ul className="labels" aria-label="Labels">
      {known.map(([pointer, names]) => (
        <li key={pointer}>
          <code>{pointer === "" ? "all of it" : pointer}</code>{" "}
          {names.map((name) => (
            <Badge key={name} meaning={name === "secret" ? "bad" : "warn"}>
              {name}
            </Badge>
          ))}
          {origins[pointer] !== undefined && <span className="small soft"> from {origins[pointer].join(", ")}</span>}
        </li>
      ))}
    </ul>
  );
}
