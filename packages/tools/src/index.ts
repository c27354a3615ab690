// The public names of @toolrack/tools, one by one: adding a line here is a decision.

// Ports and operations
export type {
  BreadcrumbClient,
  FoundRecord,
  OpenBreadcrumbs,
  RecordDraft,
  RecordQuery,
  RecordWrite,
  StoredRecord,
} from "./operations/breadcrumbs.ts";
export { createHttp, type HttpOperations } from "./operations/http.ts";
export { sql, type SqlRow, type SqlSession, type SqlStatement, type SqlValue } from "./operations/sql.ts";
export { createPostgresSession, createSqliteSession, type PostgresClient, type SqliteDatabase } from "./operations/sql-sessions.ts";

// Commerce
export { type CommerceOptions, createCommerceTools } from "./commerce/commerce.ts";
export type { CommerceOperations } from "./commerce/operations.ts";
export type { Product } from "./commerce/products.ts";
export { saveProduct } from "./commerce/save-product.ts";
export { fillSampleShop, type SampleShopOptions } from "./commerce/sample/sample-shop.ts";
export { createShopTables } from "./commerce/tables.ts";

// Utility
export type { OpenrouterOptions } from "./utility/openrouter.ts";
export type { UtilityOperations } from "./utility/operations.ts";
export { createUtilityTools, type UtilityOptions } from "./utility/utility.ts";
