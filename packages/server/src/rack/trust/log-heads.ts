import type { MerkleHead } from "@toolrack/core/trust";
import { type BreadcrumbStore, openDefinitionLog } from "@toolrack/store";

/** The heads of the log of definitions that this server and the others have seen: all must be heads of one log. */
export interface LogHeads {
  /** The newest that this server has seen; undefined before the first look. */
  readonly last: MerkleHead | undefined;
  /** Reads the newest head. Answers why that is not the log which this server saw before; undefined where it is. */
  look(): Promise<string | undefined>;
  /** Why the log here never had this head; undefined where it had. */
  faultOf(head: MerkleHead): Promise<string | undefined>;
}

export function followLogHeads(store: BreadcrumbStore): LogHeads {
  const log = openDefinitionLog(store);
  let last: MerkleHead | undefined;

  async function faultOf({ size, root }: MerkleHead, now: MerkleHead): Promise<string | undefined> {
    if (size > now.size) return `a log of ${size} entries (root ${short(root)}), and this one has ${now.size}`;
    const own = size === now.size ? now : await log.head(size);
    return own.root === root ? undefined : `the root ${short(root)} for ${size} entries, and this one has ${short(own.root)}`;
  }

  return {
    get last() {
      return last;
    },
    async look() {
      const now = await log.head();
      const fault = last === undefined ? undefined : await faultOf(last, now);
      // The head that was seen first is kept: it shows that the log was replaced.
      if (fault === undefined) last = now;
      return fault;
    },
    faultOf: async (head) => faultOf(head, await log.head()),
  };
}

function short(root: string): string {
  return `${root.slice(0, 16)}…`;
}
