import { type KeyboardEvent, type ReactNode, useState } from "react";

interface SayFormProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly isPending: boolean;
  readonly error: Error | null;
  /** Resolves when it was sent; then the field is empty again. */
  readonly onSay: (text: string) => Promise<unknown>;
  /** More buttons. */
  readonly children?: ReactNode;
}

/** Something to say to an agent: Enter sends it, Shift and Enter begins a new line. */
export function SayForm({ label, placeholder, isPending, error, onSay, children }: SayFormProps): ReactNode {
  const [text, setText] = useState("");
  const send = (): void => {
    if (text.trim() === "" || isPending) return;
    onSay(text).then(
      () => setText(""),
      () => undefined,
    );
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form
      className="say"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label>
        {label}
        <textarea rows={3} value={text} placeholder={placeholder} onChange={({ target }) => setText(target.value)} onKeyDown={onKeyDown} />
      </label>
      <div className="buttons">
        <button type="submit" className="primary" disabled={isPending || text.trim() === ""}>
          Send
        </button>
        {children}
      </div>
      {error !== null && <p role="alert">{error.message}</p>}
    </form>
  );
}
