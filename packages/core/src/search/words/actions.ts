import { stem } from "./stem.ts";

/** What a tool does to things, as far as its name says. Reading is the usual case, and no action here. */
export type Action = "remove" | "change" | "create";

/** "cancel" → "remove"; undefined for a stem that is no action. */
export function actionOf(stemmed: string): Action | undefined {
  return (byStem ??= readActions()).get(stemmed);
}

/** All stems that are an action. */
export function actionStems(): Iterable<readonly [stem: string, action: Action]> {
  return (byStem ??= readActions());
}

let byStem: ReadonlyMap<string, Action> | undefined;

function readActions(): ReadonlyMap<string, Action> {
  return new Map(
    Object.entries(actions).flatMap(([action, words]) => words.split(" ").map((word) => [stem(word), action as Action] as const)),
  );
}

const actions: Readonly<Record<Action, string>> = {
  remove:
    "delete remove cancel cancellation clear drop revoke unsubscribe uninstall disable close end stop terminate erase purge reject " +
    "decline deny withdraw abort kill",
  change: "update modify modification change edit rename set adjust replace patch alter reschedule move put",
  create:
    "create add insert new register registration make build upload post write book reserve reservation schedule generate send buy " +
    "order place submit publish open start",
};
