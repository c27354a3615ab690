import type { CallContext, ToolDefinition } from "@toolrack/core";
import type { SafeFetchOptions } from "@toolrack/fetch";
import { createHttpEmbed, type EmbeddingOptions } from "../operations/embed.ts";
import { createHttp, type HttpOperations } from "../operations/http.ts";
import type { SqlSession } from "../operations/sql.ts";
import { createDiscountCalculator } from "./discount-calculator.ts";
import { createInventoryCheck } from "./inventory-check.ts";
import { sessionIn } from "./operations.ts";
import type { CommerceOperations } from "./operations.ts";
import { createOrderStatus } from "./order-status.ts";
import { createPaymentLink } from "./payment-link.ts";
import { createProductLookup } from "./product-lookup.ts";
import { createReviewLookup } from "./review-lookup.ts";
import { createShippingCalculator } from "./shipping-calculator.ts";
import { createSimilarProducts } from "./similar-products.ts";

export interface CommerceOptions {
  /** The session of a call. @default `context.services`, where that is a session, else `context.services.sql` */
  readonly session?: (context: CallContext) => SqlSession | Promise<SqlSession>;
  /** The secret that holds the key of the payment service. @default "stripe-api-key" */
  readonly paymentSecret?: string;
  /** Lets `product_lookup` also find products that are described in other words. Names and descriptions of products are sent to this service. @default words alone decide */
  readonly embeddings?: EmbeddingOptions;
  /** Limits and hosts of outgoing requests. */
  readonly fetch?: SafeFetchOptions;
  /** Every way out, one by one replaceable. */
  readonly operations?: Partial<CommerceOperations>;
}

/** The tools of a shop, on the tables that `createShopTables` makes. */
export function createCommerceTools(options: CommerceOptions = {}): readonly ToolDefinition[] {
  const http: HttpOperations = options.operations?.http ?? createHttp(options.fetch);
  const { embeddings } = options;
  const operations: CommerceOperations = {
    session: options.session ?? sessionIn,
    now: () => Date.now(),
    ...(embeddings !== undefined && { embed: createHttpEmbed(http, embeddings) }),
    ...options.operations,
    http,
  };
  return [
    createProductLookup(operations, embeddings?.secret === undefined ? [] : [embeddings.secret]),
    createPaymentLink(operations, { secret: options.paymentSecret ?? "stripe-api-key" }),
    createDiscountCalculator(operations),
    createInventoryCheck(operations),
    createShippingCalculator(operations),
    createReviewLookup(operations),
    createSimilarProducts(operations),
    createOrderStatus(operations),
  ];
}
