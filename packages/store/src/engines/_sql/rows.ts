import type { Selectable } from "kysely";
import type { Breadcrumb } from "../../record/breadcrumb.ts";
import type { Change, Head } from "../../engine/engine.ts";
import type { Tables } from "./tables.ts";

export function toHead(row: Pick<Selectable<Tables["breadcrumbs"]>, "position" | "body" | "deleted" | "expires_at" | "reads_left">): Head {
  return {
    record: JSON.parse(row.body) as Breadcrumb,
    position: row.position,
    deleted: row.deleted === 1,
    expiresAt: row.expires_at ?? undefined,
    readsLeft: row.reads_left ?? undefined,
  };
}

export function toChange({ sequence, type, body }: Selectable<Tables["revisions"]>): Change {
  return { sequence, type, record: JSON.parse(body) as Breadcrumb };
}
