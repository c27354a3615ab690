import crypto, { randomBytes } from "node:crypto";
import type { AuditWrites, ChainTip } from "../../engine/audit.ts";
import { createLink, linkLines, tipOf } from "../../engine/chain.ts";
import { leaseLost } from "../../engine/lease.ts";
import type { LogPage } from "../../engine/log.ts";
import { compiledOnce } from "../_sql/compiled.ts";
import type { Sql } from "../_sql/tables.ts";
import { logPageParameters, logPageStatement } from "./log-page.ts";

/** The names of the chains that one engine adds to. */
export interface OwnChains {
  /** Of pages of the call log, whose writer knows the end. */
  readonly calls: string;
  /** Of lines that are written in transactions with something else. */
  readonly others: string;
}

/** No other process, before or after, has the same ones. */
export function nameChains(): OwnChains {
  const name = randomBytes(12).toString("base64url");
  return { calls: name, others: `${name}+` };
}

/** Adding lines inside a transaction. */
export function createChainWrites(db: Sql, own: OwnChains): Pick<AuditWrites, "lockAudit" | "chainTip" | "appendAudit"> {
  const write = compiledOnce(db, () => logPageStatement(db));
  return {
    async lockAudit({ withPages = false } = {}) {
      const names = withPages ? (["audit-first", "audit-last"] as const) : (["audit-first"] as const);
      await db.selectFrom("ends").select("number").where("name", "in", names).orderBy("name").forUpdate().execute();
    },
    chainTip: (chain = own.others) => readTip(db, chain, true),
    async appendAudit(lines) {
      if (lines.length === 0) return true;
      const [outcome] = await write(logPageParameters({ lines, owner: "", removed: [], saved: [] }));
      return outcome!.isDone;
    },
  };
}

/**
 * Writes pages of the call log, each in one round trip. To be called one after another. After a failure it is not known whether the page was
 * written, so the end of the chain is read again.
 */
export function createLogWriter(db: Sql, { calls }: OwnChains): (page: LogPage) => Promise<void> {
  const write = compiledOnce(db, () => logPageStatement(db));
  let known: ChainTip | undefined = { chain: calls, number: 0, place: 0, hash: "" };
  return async ({ lines: contents, key, lease, ...rows }) => {
    for (;;) {
      const tip: ChainTip = known ?? (await readTip(db, calls, false));
      known = undefined;
      const lines = linkLines(contents, tip, createLink(crypto, calls, key));
      const [outcome] = await write(logPageParameters({ ...rows, lines, lease }));
      const { isHeld, isDone } = outcome!;
      if (isDone) {
        known = lines.length === 0 ? tip : tipOf(lines);
        return;
      }
      if (isHeld) continue; // a page whose outcome was not known was written after all, or retention forgot the chain
      known = tip;
      throw leaseLost(lease!.name);
    }
  };
}

async function readTip(db: Sql, chain: string, isLocked: boolean): Promise<ChainTip> {
  const query = db.selectFrom("audit_chains").select(["last_place as place", "last_hash as hash"]).where("chain", "=", chain);
  const row = await (isLocked ? query.forUpdate() : query).executeTakeFirst();
  return { chain, number: 0, place: row?.place ?? 0, hash: row?.hash ?? "" };
}
