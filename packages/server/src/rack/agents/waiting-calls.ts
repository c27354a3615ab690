import type { Session } from "@toolrack/store";
import { withoutRun } from "./answered-once.ts";

/** The calls that a session waits for, as the loop left them. */
export function waitingCalls(state: Session["state"]): readonly { readonly callId: string; readonly digest: string }[] {
  const run = state?.["run"] as { readonly waiting?: { readonly calls?: readonly WaitingCall[] } } | undefined;
  return (run?.waiting?.calls ?? []).map(({ callId, approval }) => ({ callId, digest: approval.digest }));
}

interface WaitingCall {
  readonly callId: string;
  readonly approval: { readonly digest: string };
}

/** One question for a call, in whichever run it is asked. */
export function questionOf(callId: string, digest: string): string {
  return `${withoutRun(callId).replace("/", "-")} ${digest}`;
}

/** Whether a call of a run is the one that was asked about before. */
export function isCall(asked: string, callId: string): boolean {
  return asked.replace("/", "-") === withoutRun(callId);
}
