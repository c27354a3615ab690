/** Why a sign-in ended: "The API key was revoked." */
export function signInEnded(signedIn: AbortSignal | undefined): string {
  const reason: unknown = signedIn?.reason;
  return reason instanceof Error ? reason.message : "The sign-in has ended.";
}
