import { type RawBuilder, sql } from "kysely";
import { durationScales, lastScale, type UsageReads } from "../../engine/usage.ts";
import type { SqlParts } from "./parts.ts";
import { type Sql, table } from "./tables.ts";

interface CountRow {
  readonly subject: string;
  readonly bucket: number;
  readonly duration: number;
  readonly code: string;
  readonly wanted: number;
  readonly calls: number;
  readonly errors: number;
  readonly last_at: number;
  readonly lowest: number;
}

export function createUsageReads(db: Sql, parts: SqlParts): UsageReads {
  const whole = (value: number): RawBuilder<number> => sql`cast(${value} as ${sql.raw(parts.types.big)})`;
  return {
    async countCalls({ owner, agent, principals, tool, from, to, bucketMs, after, before, lines }) {
      // One filter finds the lines by an index, so that no more than `lines` of them are read; the others only filter those.
      const indexed =
        agent !== undefined
          ? sql`and kind = 'call' and agent = ${agent}`
          : tool !== undefined
            ? sql`and kind = 'call' and subject = ${tool}`
            : sql``;
      const isWanted = sql`case when kind = 'call' and at >= ${whole(from)} and at < ${whole(to)}
        ${tool === undefined ? sql`` : sql`and subject = ${tool}`}
        ${principals === undefined ? sql`` : sql`and principal in (${sql.join(principals)})`} then 1 else 0 end`;
      const { rows } = await sql<CountRow>`
        select case when wanted = 1 then subject else '' end as subject, case when wanted = 1 then bucket else 0 end as bucket,
          case when wanted = 1 then duration else 0 end as duration, case when wanted = 1 then coalesce(code, '') else '' end as code, wanted,
          count(*) as calls, sum(case when ok = 0 then 1 else 0 end) as errors, max(at) as last_at, min(number) as lowest
        from (
          select subject, at, ok, code, number, ${isWanted} as wanted, (at - ${whole(from)}) / ${whole(bucketMs)} as bucket,
            ${roundedDuration} as duration
          from (
            select number, at, kind, subject, principal, ok, code, duration_ms from ${table("audit")}
            where owner = ${owner} and number > ${whole(after)} and number < ${whole(before)} ${indexed}
            order by number desc limit ${lines}
          ) as newest
        ) as grouped
        group by 1, 2, 3, 4, 5`.execute(db);
      return {
        counts: rows
          .filter(({ wanted }) => Number(wanted) === 1)
          .map((row) => ({
            tool: row.subject,
            bucket: Number(row.bucket),
            durationMs: Number(row.duration),
            code: row.code,
            calls: Number(row.calls),
            errors: Number(row.errors),
            lastAt: Number(row.last_at),
          })),
        lines: rows.reduce((sum, { calls }) => sum + Number(calls), 0),
        lowest: rows.reduce((lowest, row) => Math.min(lowest, Number(row.lowest)), before),
      };
    },
    async firstNumberAt(at) {
      const ends = await db
        .selectFrom("audit")
        .select(({ fn }) => [fn.min("number").as("low"), fn.max("number").as("high")])
        .executeTakeFirstOrThrow();
      // Of an empty audit both are null.
      let low = Number(ends.low);
      let high = Number(ends.high) + 1;
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        const row = await db.selectFrom("audit").select("at").where("number", "=", middle).executeTakeFirst();
        if (row !== undefined && Number(row.at) >= at) high = middle;
        else low = middle + 1;
      }
      return low;
    },
  };
}

const roundedDuration = sql`case when duration_ms is null then 0
  ${sql.join(
    durationScales.map(({ below, scale }) => sql`when duration_ms < ${sql.lit(below)} then ${scaled(scale)}`),
    sql` `,
  )} else ${scaled(lastScale.scale)} end`;

function scaled(scale: number): RawBuilder<number> {
  return sql`round(duration_ms * ${sql.lit(scale)}) / ${sql.lit(scale)}`;
}
