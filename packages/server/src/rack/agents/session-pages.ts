import type { Session, SessionFilter, SessionStore } from "@toolrack/store";

/** Lists of sessions in pages: each time the next one of the same filter, and after the last the first again. */
export interface SessionPages {
  next(filter: SessionFilter): Promise<readonly Session[]>;
}

/** So many at a time, however many there are: each is reached after some rounds, and none hides another for good. */
export function createPages(sessions: Pick<SessionStore, "list">): SessionPages {
  const offsets = new Map<SessionFilter, number>();
  return {
    async next(filter) {
      const offset = offsets.get(filter) ?? 0;
      const page = await sessions.list({ ...filter, limit: pageSize, offset });
      offsets.set(filter, page.length < pageSize ? 0 : offset + pageSize);
      return page;
    },
  };
}

const pageSize = 200;
