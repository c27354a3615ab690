import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, use, useEffect, useRef, useState } from "react";
import { ApiError, ask, signIn } from "../api/client.ts";
import { LiveContext } from "../api/live-context.ts";
import { useApi } from "../api/use-api.ts";
import "./sign-in.css";

/** Shows its children to callers with access, and asks others for a key. */
export function SignIn({ children }: { readonly children: ReactNode }): ReactNode {
  const { error } = useApi("/agents");
  if (!(error instanceof ApiError && error.status === 401)) return children;
  return (
    <div className="sign-in">
      <h1>Sign in</h1>
      <KeyForm onDone={() => {}} />
    </div>
  );
}

const dialogId = "sign-in";

/** Asks for another key, from wherever access was denied. */
export function openSignIn(): void {
  (document.getElementById(dialogId) as HTMLDialogElement | null)?.showModal();
}

/** For callers with limited rights: another key may allow more. Nothing for callers who need no key. */
export function SignInButton(): ReactNode {
  const { error } = useApi("/keys");
  const dialog = useRef<HTMLDialogElement>(null);
  const again = useSignIn();
  const isLetIn = error instanceof ApiError && error.status !== 401;
  // If sign-in is not required, a link that was used already must still be reported.
  useEffect(() => {
    if (isLetIn && signIn.key === null && signIn.problem !== undefined && dialog.current?.open === false) dialog.current.showModal();
  }, [isLetIn]);
  const keyDialog = (
    <dialog ref={dialog} id={dialogId} className="sign-in" aria-label="Sign in">
      <KeyForm onDone={() => dialog.current?.close()} />
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
  if (signIn.key !== null)
    return (
      <>
        <SignedInAs />
        <button
          type="button"
          onClick={() => {
            // The owner's session ends on the server, too; a key is only forgotten here.
            if (signIn.key?.startsWith("trs_")) void ask("DELETE /sign-in").catch(() => undefined);
            again(null);
          }}
        >
          Sign out
        </button>
        {keyDialog}
      </>
    );
  if (!(error instanceof ApiError)) return null;
  return (
    <>
      <button type="button" onClick={openSignIn}>
        Sign in
      </button>
      {keyDialog}
    </>
  );
}

/** "Signed in as owner"; on small screens it is only read. */
function SignedInAs(): ReactNode {
  const { data } = useApi("/sign-in");
  return data === undefined ? null : (
    <span className="signed-in" title={`Signed in as ${data.agent}`}>
      Signed in as {data.agent}
    </span>
  );
}

function KeyForm({ onDone }: { readonly onDone: () => void }): ReactNode {
  const again = useSignIn();
  const [key, setKey] = useState("");
  const [problem, setProblem] = useState(signIn.problem ?? "");

  async function check(): Promise<void> {
    try {
      await ask("GET /agents", { headers: { authorization: `Bearer ${key.trim()}` } });
      onDone();
      again(key.trim());
    } catch (error) {
      setProblem((error as Error).message);
    }
  }

  return (
    <form
      className="sign-in-form"
      onSubmit={(event) => {
        event.preventDefault();
        void check();
      }}
    >
      <p className="soft">
        Paste your API key; it is kept only in this tab. An admin creates keys with: toolrack keys create. The owner of the server uses the
        link printed by: toolrack open
      </p>
      <label>
        API key
        <input type="password" required autoComplete="off" value={key} onChange={({ target }) => setKey(target.value)} />
      </label>
      {problem !== "" && <p role="alert">{problem}</p>}
      <p className="buttons">
        <button type="submit" className="primary">
          Use this key
        </button>
      </p>
    </form>
  );
}

/** Everything is read again with the other key, and nothing that the one before could see is kept. */
function useSignIn(): (key: string | null) => void {
  const queries = useQueryClient();
  const live = use(LiveContext);
  return (key) => {
    signIn.key = key;
    signIn.problem = undefined;
    live?.restart();
    void queries.resetQueries();
  };
}
