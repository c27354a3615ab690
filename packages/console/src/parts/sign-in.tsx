import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, use, useState } from "react";
import { ApiError, signIn } from "../api/client.ts";
import { LiveContext } from "../api/live-context.ts";
import { useApi } from "../api/use-api.ts";
import "./sign-in.css";

/** Lets through whoever may come in, and asks the others for their key. */
export function SignIn({ children }: { readonly children: ReactNode }): ReactNode {
  const { error } = useApi<unknown>("/agents");
  const queries = useQueryClient();
  const live = use(LiveContext);
  const [key, setKey] = useState("");
  if (!(error instanceof ApiError && error.status === 401)) return children;
  return (
    <form
      className="sign-in"
      onSubmit={(event) => {
        event.preventDefault();
        signIn.key = key.trim();
        void queries.invalidateQueries();
        live?.retry();
      }}
    >
      <h1>Sign in</h1>
      <p className="soft">This server has keys. Paste yours; it is kept in this tab only. An admin makes keys with: toolrack keys create</p>
      {signIn.key !== null && <p role="alert">{error.message}</p>}
      <label htmlFor="key">API key</label>
      <input id="key" type="password" autoComplete="off" value={key} onChange={({ target }) => setKey(target.value)} />
      <button type="submit" className="primary">
        Sign in
      </button>
    </form>
  );
}
