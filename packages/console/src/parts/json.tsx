import type { ReactNode } from "react";

/** A value as JSON, as text: whatever it holds stays inert. */
export function Json({ value, label }: { readonly value: unknown; readonly label: string }): ReactNode {
  return (
    <pre tabIndex={0} aria-label={label}>
      {JSON.stringify(value, null, 2) ?? "nothing"}
    </pre>
  );
}
