import type { ReactNode } from "react";

/** What a running call says of itself. */
export interface Progress {
  readonly message?: string;
  readonly progress?: number;
  readonly total?: number;
}

/** How far it is, as a bar where that is known, and in words. */
export function ProgressView({ progress: { message, progress, total } }: { readonly progress: Progress }): ReactNode {
  const share = progress === undefined ? "" : total === undefined ? `${progress}` : `${progress} of ${total}`;
  const isKnown = progress !== undefined && total !== undefined && total > 0;
  return (
    <p className="progress small">
      {isKnown && <progress aria-label="Progress" value={Math.min(progress, total)} max={total} />}
      <span>
        {share} {message}
      </span>
    </p>
  );
}
