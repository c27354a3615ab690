import type { ReactNode } from "react";

/** Something wide: on a narrow page it scrolls by itself, also by keyboard, and the page does not. */
export function Scroll({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    <div className="scroll" role="region" aria-label={label} tabIndex={0}>
      {children}
    </div>
  );
}
