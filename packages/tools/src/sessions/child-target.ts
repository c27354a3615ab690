import type { ChildRun } from "./host.ts";

export type FoundChildren = { readonly children: readonly ChildRun[] } | { readonly error: string };

/**
 * The children that a target names, in a list with the newest first: "all" that run, "last" for the newest, "2" for the second of the list,
 * an id, a key, or a label. An id and a key win over a label that looks like something else.
 */
export function findChildren(target: string, listed: readonly ChildRun[]): FoundChildren {
  const exact = listed.filter(({ id, sessionKey }) => id === target || sessionKey === target);
  if (exact.length > 0) return { children: exact };
  if (target === "all") return { children: listed.filter(({ status }) => status === "running") };
  const labelled = listed.filter(({ label }) => label === target);
  const running = labelled.filter(({ status }) => status === "running");
  if (labelled.length > 0) {
    const meant = running.length > 0 ? running : labelled.slice(0, 1);
    if (meant.length === 1) return { children: meant };
    return {
      error: `${meant.length} running children have the label ${JSON.stringify(target)}. Name one by its id: ${meant.map(({ id }) => id).join(", ")}.`,
    };
  }
  const number = target === "last" ? 1 : /^[1-9]\d{0,3}$/.test(target) ? Number(target) : 0;
  const child = listed[number - 1];
  if (child !== undefined) return { children: [child] };
  return { error: `None of your children is ${JSON.stringify(target.slice(0, 120))}. The action list names them.` };
}
