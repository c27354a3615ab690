import { subjectsOf } from "../protocol/subjects.ts";

/** A worker hears what is meant for all workers of its pools, and for its own key. */
export function maySubscribe(subject: string, pools: readonly string[], print: string): boolean {
  return pools.some((pool) => {
    const { roll, worker } = subjectsOf(pool);
    return subject === roll || isOne(subject, worker(print, ""));
  });
}

/** It speaks to servers, and to nobody else. */
export function mayPublish(subject: string, pools: readonly string[]): boolean {
  return pools.some((pool) => {
    const { news, server } = subjectsOf(pool);
    const [begin] = server("", "").split("..");
    return subject === news || (subject.startsWith(`${begin}.`) && /^[0-9a-f]{24}\.[0-9a-f]{18}$/.test(subject.slice(begin!.length + 1)));
  });
}

/** "toolrack.web.worker.<print>." and one instance. */
function isOne(subject: string, begin: string): boolean {
  return subject.startsWith(begin) && /^[0-9a-f]{18}$/.test(subject.slice(begin.length));
}
