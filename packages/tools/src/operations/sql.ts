/** What may be bound to a statement. */
export type SqlValue = string | number | null;
export type SqlRow = Readonly<Record<string, unknown>>;

/** A parameterized statement: its values are never part of its text. One value between each two parts. */
export interface SqlStatement {
  readonly parts: readonly string[];
  readonly values: readonly SqlValue[];
}

/**
 * A session of a database, opened for one call and for one organisation.
 * Contract: values are bound, never written into the text; column names come in lower case.
 */
export interface SqlSession {
  /** Whose rows this session may see. */
  readonly organisation: string;
  query(statement: SqlStatement): Promise<readonly SqlRow[]>;
}

/** sql`select * from t where id = ${id}`; a statement inside of a statement becomes part of it. */
export function sql(texts: TemplateStringsArray, ...inserted: readonly (SqlValue | SqlStatement)[]): SqlStatement {
  const parts = [texts[0]!];
  const values: SqlValue[] = [];
  const append = (text: string): void => void (parts[parts.length - 1] += text);
  inserted.forEach((value, index) => {
    if (typeof value === "object" && value !== null) {
      append(value.parts[0]!);
      value.values.forEach((inner, at) => {
        values.push(inner);
        parts.push(value.parts[at + 1]!);
      });
      append(texts[index + 1]!);
    } else {
      values.push(value);
      parts.push(texts[index + 1]!);
    }
  });
  return { parts, values };
}

/** The statements one after the other, with a text of the program between them. */
export function joinSql(statements: readonly SqlStatement[], separator: ", " | " and " | " union all "): SqlStatement {
  const parts = [""];
  statements.forEach((statement, index) => {
    parts[parts.length - 1] += `${index === 0 ? "" : separator}${statement.parts[0]}`;
    parts.push(...statement.parts.slice(1));
  });
  return { parts, values: statements.flatMap((statement) => statement.values) };
}

/** An integer from any driver: PostgreSQL drivers return large ones as text. */
export function toInteger(value: unknown): number {
  const number = typeof value === "number" ? value : typeof value === "string" || typeof value === "bigint" ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new Error(`The database holds ${JSON.stringify(String(value))} where a whole number belongs.`);
}

export function toText(value: unknown): string {
  return typeof value === "string" ? value : value === null || value === undefined ? "" : String(value);
}
