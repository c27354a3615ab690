import type { ReactNode } from "react";

/** A search field; what it filters is its name and its hint. */
export function FilterInput({ label, value, onChange }: { label: string; value: string; onChange: (text: string) => void }): ReactNode {
  return <input type="search" aria-label={label} placeholder={label} value={value} onChange={({ target }) => onChange(target.value)} />;
}
