import { type RawBuilder, type Selectable, sql } from "kysely";
import type { HeldJob, JobExpectation, JobMarks, JobReads, JobRow, JobWrites } from "../../engine/jobs.ts";
import { anyNumber, anyText, compiledFor } from "./compiled.ts";
import type { ColumnKind, SqlParts } from "./parts.ts";
import { type Sql, table, type Tables } from "./tables.ts";

type Columns = Tables["jobs"];

// Literals, not parameters: a plan that fits every parameter could not use the indexes of only these rows.
const isWaiting = sql<boolean>`state = 'waiting'`;
const isRunning = sql<boolean>`state = 'running'`;
const heldColumns = ["id", "holder", "beat", "cancelling"] as const;

export function createJobReads(db: Sql, parts: Pick<SqlParts, "textList" | "textsParameter">): JobReads {
  const own = () => db.selectFrom("jobs").selectAll().where("owner", "=", anyText);
  const readJob = compiledFor(db, parts, "one job", () => own().where("id", "=", anyText).compile());
  const readKey = compiledFor(db, parts, "job with key", () =>
    own().where("kind", "=", anyText).where("caller", "=", anyText).where("key", "=", anyText).compile(),
  );
  const count = compiledFor<{ readonly rows: number }>(db, parts, "waiting jobs", () =>
    sql<{ rows: number }>`select count(*) as rows from (
      select 1 as one from ${table("jobs")} where owner = ${""} and ${isWaiting} and caller = ${""} limit ${0}) as own`.compile(db),
  );
  const findDue = compiledFor(db, parts, "first due job", () =>
    db
      .selectFrom("jobs")
      .select("due_at")
      .where("owner", "=", anyText)
      .where(isWaiting)
      .where("due_at", "<=", anyNumber)
      .where("kind", "in", parts.textList([]))
      .orderBy("due_at")
      .limit(sql.lit(1))
      .compile(),
  );
  // From one caller to the next by the index, however many jobs each of them has.
  const next = (last: RawBuilder<unknown>) => sql`(select caller from ${table("jobs")}
    where owner = ${""} and ${isWaiting} and caller > ${last} and due_at <= ${0} and kind in ${parts.textList([])}
    order by caller limit 1)`;
  const turns = compiledFor<{ readonly caller: string }>(db, parts, "callers with due jobs", () =>
    sql<{ caller: string }>`with recursive turns(caller, place) as (
        select ${next(sql`${""}`)}, 1
        union all
        select ${next(sql`turns.caller`)}, place + 1 from turns where turns.caller is not null and place < ${1})
      select caller from turns where caller is not null order by place`.compile(db),
  );
  const findHeld = compiledFor(db, parts, "held jobs", () =>
    db.selectFrom("jobs").select(heldColumns).where("owner", "=", anyText).where(isRunning).compile(),
  );
  return {
    async job(owner, id) {
      const [row] = await readJob([owner, id]);
      return row && toJobRow(row);
    },
    async jobWithKey(owner, kind, caller, key) {
      const [row] = await readKey([owner, kind, caller, key]);
      return row && toJobRow(row);
    },
    async jobs(owner, { state, kind, caller, origin }, before, limit) {
      let query = db.selectFrom("jobs").selectAll().where("owner", "=", owner);
      if (state !== undefined) query = query.where("state", "=", state);
      if (kind !== undefined) query = query.where("kind", "=", kind);
      if (caller !== undefined) query = query.where("caller", "=", caller);
      if (origin !== undefined) query = query.where("origin", "=", origin);
      if (before !== undefined) query = query.where("id", "<", before);
      return (await query.orderBy("id", "desc").limit(limit).execute()).map(toJobRow);
    },
    async countJobs(owner) {
      const rows = db.selectFrom("jobs").select(({ fn }) => ["state", fn.countAll<number>().as("count")]);
      return (await rows.where("owner", "=", owner).groupBy("state").execute()).map((row) => ({ ...row, count: Number(row.count) }));
    },
    async countWaiting(owner, caller, most) {
      return Number((await count([owner, caller, most]))[0]!.rows);
    },
    async firstDueAt(owner, kinds, by) {
      const [first] = await findDue([owner, Math.floor(by), parts.textsParameter(kinds)]);
      return first && Number(first.due_at);
    },
    async dueCallers(owner, kinds, now, after, limit) {
      const due = [owner, Math.floor(now), parts.textsParameter(kinds)];
      return (await turns([owner, after, ...due.slice(1), owner, ...due.slice(1), limit])).map(({ caller }) => caller);
    },
    async heldJobs(owner, holder) {
      const held = (await findHeld([owner])).map(toHeld);
      return holder === undefined ? held : held.filter((job) => job.holder === holder);
    },
  };
}

export function createJobWrites(db: Sql, parts: SqlParts): JobWrites {
  const add = compiledFor<{ readonly id: string }>(db, parts, "add jobs", () =>
    sql<{ id: string }>`insert into ${table("jobs")} (${sql.join(names.map((name) => sql.ref(name)))})
      ${parts.rowValues(Object.values(columns), 1)} on conflict do nothing returning id`.compile(db),
  );
  const lockDue = compiledFor(db, parts, "due jobs", () => {
    const own = db
      .selectFrom("jobs")
      .selectAll()
      .where("owner", "=", anyText)
      .where(isWaiting)
      .where("caller", "=", anyText)
      .where("due_at", "<=", anyNumber);
    const due = own.where("kind", "in", parts.textList([])).orderBy("due_at").orderBy("id").limit(anyNumber);
    return (parts.locksRows ? due.forUpdate().skipLocked() : due).compile();
  });
  const compileChange = (marks: Partial<Columns>, expected: JobExpectation, isOne: boolean) => {
    const query = expect(db.updateTable("jobs").set(marks).where("owner", "=", anyText), expected);
    return (isOne ? query.where("id", "=", anyText) : query.where("id", "in", parts.textList([]))).returningAll().compile();
  };
  return {
    async addJobs(rows) {
      const values = rows.map((row) => Object.values(toColumns(row)));
      const added: { readonly id: string }[] = [];
      if (parts.rowsAtOnce === undefined) {
        for (let start = 0; start < values.length; start += 500)
          added.push(...(await add(parts.rowParameters(values.slice(start, start + 500), 1))));
      } else for (const value of values) added.push(...(await add(value)));
      return new Set(added.map(({ id }) => id));
    },
    async lockDueJobs(owner, kinds, caller, now, limit) {
      return (await lockDue([owner, caller, Math.floor(now), parts.textsParameter(kinds), limit])).map(toJobRow);
    },
    async changeJobs(owner, ids, change, expected) {
      if (ids.length === 0) return [];
      const marks = toMarks(change);
      const [isOne, wanted] = [ids.length === 1, Object.values(expected)];
      // By which columns are set and expected: of these there are few.
      const shape = [isOne, Object.keys(marks), Object.keys(expected)].join(" ");
      const changing = compiledFor(db, parts, `change jobs ${shape}`, () => compileChange(marks, expected, isOne));
      const rows = await changing([...Object.values(marks), owner, ...wanted, isOne ? ids[0] : parts.textsParameter(ids)]);
      return rows.map(toJobRow);
    },
    async beatJobs(owner, holder) {
      const query = db.updateTable("jobs").set(({ eb }) => ({ beat: eb("beat", "+", 1) }));
      return (await query.where("owner", "=", owner).where(isRunning).where("holder", "=", holder).returning(heldColumns).execute()).map(
        toHeld,
      );
    },
    async trimJobs(owner, before, most) {
      const ended = db.deleteFrom("jobs").where("owner", "=", owner).where("ended_at", "is not", null);
      const old = await ended
        .where(({ eb, and, or }) =>
          or([
            eb("ended_at", "<=", Math.floor(Math.min(before.dead, before.other))),
            and([eb("state", "=", "dead"), eb("ended_at", "<=", Math.floor(before.dead))]),
            and([eb("state", "<>", "dead"), eb("ended_at", "<=", Math.floor(before.other))]),
          ]),
        )
        .executeTakeFirst();
      const kept = db.selectFrom("jobs").select("id").where("owner", "=", owner).where("ended_at", "is not", null);
      let count = old.numDeletedRows;
      for (const operator of ["=", "<>"] as const) {
        const own = kept.where("state", operator, "dead");
        const surplus = own.orderBy("ended_at", "desc").orderBy("id", "desc").limit(Number.MAX_SAFE_INTEGER).offset(most);
        const oldest = ended.where("ended_at", "<=", Math.floor(before.surplus)).where("id", "in", surplus);
        count += (await oldest.executeTakeFirst()).numDeletedRows;
      }
      return Number(count);
    },
  };
}

function expect<Query extends { where(column: never, operator: "=", value: never): Query }>(query: Query, expected: JobExpectation): Query {
  let own = query;
  for (const [column, value] of Object.entries(expected)) own = own.where(column as never, "=", value as never);
  return own;
}

const columns: { readonly [Name in keyof Columns]: ColumnKind } = {
  owner: "text",
  id: "text",
  kind: "text",
  caller: "text",
  subject: "text",
  key: "text",
  origin: "text",
  tries: "whole",
  delays: "text",
  payload: "text",
  created_at: "whole",
  state: "text",
  due_at: "whole",
  started_at: "whole",
  ended_at: "whole",
  attempt: "whole",
  failed: "whole",
  lost_by: "text",
  holder: "text",
  beat: "whole",
  cancelling: "whole",
  progress: "text",
  result: "text",
  error: "text",
};
const names = Object.keys(columns);

/** With its fields in the order of `columns`. */
function toColumns(row: JobRow): Columns {
  const { owner, id, kind, caller, subject, key, origin, tries, delays, payload, createdAt } = row;
  const { state, dueAt, startedAt, endedAt, attempt, failed, lostBy, holder, beat, cancelling, progress, result, error } = row;
  return {
    owner,
    id,
    kind,
    caller,
    subject,
    key: key ?? null,
    origin,
    tries,
    delays,
    payload,
    created_at: Math.floor(createdAt),
    state,
    due_at: Math.floor(dueAt),
    started_at: whole(startedAt),
    ended_at: whole(endedAt),
    attempt,
    failed,
    lost_by: JSON.stringify(lostBy),
    holder,
    beat,
    cancelling: cancelling ? 1 : 0,
    progress: progress ?? null,
    result: result ?? null,
    error: error ?? null,
  };
}

function toMarks(change: Partial<JobMarks>): Partial<Columns> {
  const { dueAt, startedAt, endedAt, lostBy, cancelling, progress, result, error, ...same } = change;
  const has = (name: keyof JobMarks): boolean => Object.hasOwn(change, name);
  return {
    ...same,
    ...(dueAt !== undefined && { due_at: Math.floor(dueAt) }),
    ...(has("startedAt") && { started_at: whole(startedAt) }),
    ...(has("endedAt") && { ended_at: whole(endedAt) }),
    ...(lostBy !== undefined && { lost_by: JSON.stringify(lostBy) }),
    ...(cancelling !== undefined && { cancelling: cancelling ? 1 : 0 }),
    ...(has("progress") && { progress: progress ?? null }),
    ...(has("result") && { result: result ?? null }),
    ...(has("error") && { error: error ?? null }),
  };
}

function whole(time: number | undefined): number | null {
  return time === undefined ? null : Math.floor(time);
}

/** Field by field: the rows of a driver are costly to spread. */
function toJobRow(row: Selectable<Columns>): JobRow {
  return {
    owner: row.owner,
    id: row.id,
    kind: row.kind,
    caller: row.caller,
    subject: row.subject,
    key: row.key ?? undefined,
    origin: row.origin,
    tries: row.tries,
    delays: row.delays,
    payload: row.payload,
    createdAt: row.created_at,
    state: row.state,
    dueAt: row.due_at,
    startedAt: row.started_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    attempt: row.attempt,
    failed: row.failed,
    lostBy: row.lost_by === "[]" ? [] : (JSON.parse(row.lost_by) as readonly string[]),
    holder: row.holder,
    beat: row.beat,
    cancelling: row.cancelling === 1,
    progress: row.progress ?? undefined,
    result: row.result ?? undefined,
    error: row.error ?? undefined,
  };
}

function toHeld({ id, holder, beat, cancelling }: Pick<Selectable<Columns>, (typeof heldColumns)[number]>): HeldJob {
  return { id, holder, beat, cancelling: cancelling === 1 };
}
