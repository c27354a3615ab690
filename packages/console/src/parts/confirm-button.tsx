import { type ReactNode, useState } from "react";

/** Something that cannot be undone: the first press asks, the second does it; looking elsewhere takes the first back. */
export function ConfirmButton(props: {
  readonly verb: string;
  readonly what: string;
  readonly isPending: boolean;
  readonly onConfirm: () => void;
}): ReactNode {
  const { verb, what, isPending, onConfirm } = props;
  const [isAsking, setAsking] = useState(false);
  return (
    <button
      type="button"
      className={isAsking ? "danger" : ""}
      disabled={isPending}
      onBlur={() => setAsking(false)}
      onClick={() => {
        setAsking(!isAsking);
        if (isAsking) onConfirm();
      }}
    >
      {isAsking ? `Really ${verb.toLowerCase()}?` : verb}
      <span className="only-read"> {what}</span>
    </button>
  );
}
