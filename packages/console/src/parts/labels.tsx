import type { ReactNode } from "react";
import { Badge } from "./badge.tsx";
import "./labels.css";

/** What is known of values, by where they are. */
export function Labels({ labels }: { readonly labels: Readonly<Record<string, readonly string[]>> }): ReactNode {
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
        </li>
      ))}
    </ul>
  );
}
