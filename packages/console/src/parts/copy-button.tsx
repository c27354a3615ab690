import { type ReactNode, useEffect, useState } from "react";

/** Copies a text; what it is about is only read. */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }): ReactNode {
  const [outcome, setOutcome] = useState("");
  useEffect(() => setOutcome(""), [text]);
  return (
    <span className="buttons">
      <button
        type="button"
        onClick={() => {
          // Without a secure connection there is no clipboard, and a page may be denied it.
          const copied = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error());
          copied.then(
            () => setOutcome("Copied."),
            () => setOutcome("Your browser does not allow this. Select the text, and copy it."),
          );
        }}
      >
        Copy<span className="only-read"> {what}</span>
      </button>
      <span role="status" className="small soft">
        {outcome}
      </span>
    </span>
  );
}
