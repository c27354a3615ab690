import { heavyTurn } from "@toolrack/core/node";
import type { Answers, RouteAnswer, RouteRequest, SchemaOf } from "../http/route.ts";
import { type Columns, csvHeader, csvLine } from "./shared/csv.ts";

export type ExportFormat = "json" | "csv" | "ndjson";

const contentTypes = { csv: "text/csv", ndjson: "application/x-ndjson" } as const;

/** The query parameter of a list that can be exported. */
export const formatQuery: { readonly enum: readonly ["json", "csv", "ndjson"]; readonly description: string } = {
  enum: ["json", "csv", "ndjson"],
  description:
    "json is one page. csv and ndjson are streamed, without a page: all that there is, or `limit`. Absent: the Accept header decides, with text/csv or application/x-ndjson.",
};

/** One page as JSON, or all of it in another format. */
export function pageOrExport<Answer>(description: string, schema: SchemaOf<Answer>): Answers<Answer> {
  return { 200: { description, schema, streamedAs: Object.values(contentTypes) } };
}

/** The format that a request asks for: the first type of its Accept header that there is. */
export function formatOf(request: Pick<RouteRequest, "header">, given: ExportFormat | undefined): ExportFormat {
  if (given !== undefined) return given;
  for (const part of (request.header("accept") ?? "").toLowerCase().split(",")) {
    const type = part.split(";")[0]!.trim();
    if (type === contentTypes.csv) return "csv";
    if (type === contentTypes.ndjson) return "ndjson";
    if (type === "application/json" || type === "*/*") return "json";
  }
  return "json";
}

export interface ExportOptions<Item, Row> {
  readonly format: Exclude<ExportFormat, "json">;
  /** The name of the file, without its ending. */
  readonly name: string;
  readonly columns: Columns<Row>;
  /** @default no limit */
  readonly limit?: number | undefined;
  /** The items that follow `last`, or the first ones. */
  read(last: Item | undefined, count: number): Promise<readonly Item[]>;
  /** As the caller sees it; undefined for what the caller may not see. */
  show(item: Item): Row | undefined;
}

/** Rows as text, read from the store a slice at a time when the client has taken the one before. A failure of the first slice is answered as such. */
export async function exportOf<Item, Row>(
  { identity }: Pick<RouteRequest, "identity">,
  { format, name, columns, limit = Number.POSITIVE_INFINITY, read, show }: ExportOptions<Item, Row>,
): Promise<RouteAnswer<never>> {
  const toText = (row: Row): string => (format === "csv" ? csvLine(columns, row) : `${JSON.stringify(row)}\n`);
  const head = format === "csv" ? csvHeader(columns) : "";
  const first = await read(undefined, sliceSize);

  async function* pieces(): AsyncGenerator<string> {
    if (head !== "") yield head;
    let left = limit;
    for (let slice = first; left > 0;) {
      const rows = slice.flatMap((item) => show(item) ?? []).slice(0, left);
      left -= rows.length;
      if (rows.length > 0) yield rows.map(toText).join("");
      const last = slice.at(-1);
      if (slice.length < sliceSize || last === undefined) return;
      await heavyTurn(identity.principal); // others are answered between two slices
      slice = await read(last, sliceSize);
    }
  }
  const ending = format === "csv" ? "; charset=utf-8; header=present" : "";
  return {
    pieces: pieces(),
    contentType: `${contentTypes[format]}${ending}`,
    headers: { "content-disposition": `attachment; filename="${name}.${format}"`, vary: "accept" },
  };
}

/** Items that are read at once. */
const sliceSize = 50;
