import type { HttpUpstream } from "../upstream.ts";

/** Completes a sign-in with what came back from the authorization server. */
export interface SignIn {
  /** Runs a request; where the server wants a person's consent first, that is waited for, and the request is made once more. */
  <Value>(run: () => Promise<Value>): Promise<Value>;
}

/** For servers that never ask for consent. */
export const noSignIn: SignIn = (run) => run();

export function createSignIn(auth: HttpUpstream["auth"], finish: (returned: URLSearchParams) => Promise<void>): SignIn {
  if (auth?.kind !== "provider" || auth.consent === undefined) return noSignIn;
  const { consent } = auth;
  return async (run) => {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof Error && error.name === "UnauthorizedError")) throw error;
      await finish(await consent());
      return run();
    }
  };
}
