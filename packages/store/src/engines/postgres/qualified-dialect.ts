import { type DropIndexNode, PostgresDialect, type PostgresPool, PostgresQueryCompiler, type ReferenceNode, type TableNode } from "kysely";
import { tableNames } from "../_sql/tables.ts";

/**
 * Names every table with its database schema. Nothing depends on `search_path`, which connection poolers ignore, or pass on to other clients.
 * The schema's name must need no quoting.
 */
export class QualifiedDialect extends PostgresDialect {
  readonly #schema: string;

  constructor(pool: PostgresPool, schema: string) {
    super({ pool });
    this.#schema = schema;
  }

  override createQueryCompiler(): PostgresQueryCompiler {
    return new QualifiedCompiler(this.#schema);
  }
}

class QualifiedCompiler extends PostgresQueryCompiler {
  readonly #prefix: string;

  constructor(schema: string) {
    super();
    this.#prefix = `"${schema}".`;
  }

  protected override visitTable(node: TableNode): void {
    if (node.table.schema === undefined && tableNames.has(node.table.identifier.name)) this.append(this.#prefix);
    super.visitTable(node);
  }

  /** A column is named by what the query calls the table. */
  protected override visitReference({ table, column }: ReferenceNode): void {
    if (table !== undefined) {
      this.visitNode(table.table);
      this.append(".");
    }
    this.visitNode(column);
  }

  protected override visitDropIndex({ name, ifExists }: DropIndexNode): void {
    this.append(`drop index ${ifExists === true ? "if exists " : ""}${this.#prefix}`);
    this.visitNode(name);
  }
}
