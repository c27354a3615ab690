import type { ReactNode } from "react";
import { Scroll } from "./scroll.tsx";

interface TableProps {
  /** What the table holds, for those who hear it. */
  readonly label: string;
  readonly columns: readonly string[];
  /** A last column of buttons, whose head is only read. */
  readonly hasActions?: boolean;
  readonly className?: string;
  /** The rows. */
  readonly children: ReactNode;
}

/** Rows under named columns, in a box that scrolls by itself. */
export function Table({ label, columns, hasActions = false, className, children }: TableProps): ReactNode {
  return (
    <Scroll label={label}>
      <table className={className}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
            {hasActions && (
              <th scope="col">
                <span className="only-read">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </Scroll>
  );
}
