import { ask, signIn } from "./client.ts";

const start = "#sign-in=";

/** A link that is put into the address of a page that is open already changes only what is behind the `#`: the page is read again. */
export function followSignInLinks(): void {
  addEventListener("hashchange", () => {
    if (location.hash.startsWith(start)) location.reload();
  });
}

/**
 * Signs in by the link that the command line printed, where the page was opened with one. The code is behind the `#`, so it is in no
 * log and no Referer; it is taken out of the address at once. Answers what went wrong.
 */
export async function signInByLink(): Promise<string | undefined> {
  if (!location.hash.startsWith(start)) return undefined;
  const code = location.hash.slice(start.length);
  history.replaceState(null, "", location.pathname + location.search);
  // The previous sign-in of this tab ends, whatever the outcome.
  signIn.key = null;
  try {
    const { token } = await ask("POST /sign-in", { body: { code } });
    signIn.key = token;
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
