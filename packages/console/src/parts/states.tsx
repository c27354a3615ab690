import type { ReactNode } from "react";
import { ApiError } from "../api/client.ts";
import { openSignIn } from "./sign-in.tsx";
import "./states.css";

/** Shown until the first answer arrives; it takes the space of the answer. */
export function Loading({ what }: { readonly what: string }): ReactNode {
  return (
    <p className="state loading" role="status">
      Loading {what} …
    </p>
  );
}

/** There is nothing, and what to do about that. */
export function Nothing({ title, children }: { readonly title: string; readonly children?: ReactNode }): ReactNode {
  return (
    <div className="state">
      <h2>{title}</h2>
      {children !== undefined && <p className="soft">{children}</p>}
    </div>
  );
}

/** What went wrong. Who lacks a role signs in with another key; everything else can be tried again. */
export function Failed({ error, onRetry }: { readonly error: Error; readonly onRetry?: () => void }): ReactNode {
  const isRefused = error instanceof ApiError && error.status === 403;
  return (
    <div className="state failed" role="alert">
      <h2>{isRefused ? "Access denied" : "Something went wrong"}</h2>
      <p>{error.message}</p>
      {isRefused ? (
        <button type="button" onClick={openSignIn}>
          Sign in
        </button>
      ) : (
        onRetry && (
          <button type="button" onClick={onRetry}>
            Try again
          </button>
        )
      )}
    </div>
  );
}
