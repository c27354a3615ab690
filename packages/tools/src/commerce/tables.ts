import type { SqlSession } from "../operations/sql.ts";

/** Times are milliseconds since 1970, amounts are minor units of the currency, shares are hundredths of a per cent. */
const tables: readonly string[] = [
  `create table if not exists shop_settings (
    organisation varchar(200) not null primary key,
    max_discount_share integer not null
  )`,
  `create table if not exists shop_products (
    organisation varchar(200) not null,
    id varchar(100) not null,
    name varchar(300) not null,
    description text not null,
    category varchar(100) not null,
    brand varchar(100) not null,
    price_minor bigint not null,
    currency varchar(3) not null,
    weight_grams integer not null,
    is_active integer not null,
    primary key (organisation, id)
  )`,
  `create table if not exists shop_words (
    organisation varchar(200) not null,
    word varchar(40) not null,
    product_id varchar(100) not null,
    weight integer not null,
    primary key (organisation, word, product_id)
  )`,
  `create index if not exists shop_words_by_product on shop_words (organisation, product_id)`,
  `create table if not exists shop_stock (
    organisation varchar(200) not null,
    product_id varchar(100) not null,
    location varchar(100) not null,
    quantity integer not null,
    reserved integer not null,
    primary key (organisation, product_id, location)
  )`,
  `create table if not exists shop_discounts (
    organisation varchar(200) not null,
    id varchar(100) not null,
    code varchar(100),
    description varchar(300) not null,
    kind varchar(10) not null,
    value bigint not null,
    category varchar(100),
    min_subtotal bigint not null,
    min_quantity integer not null,
    max_amount bigint,
    is_combinable integer not null,
    starts_at bigint,
    ends_at bigint,
    primary key (organisation, id)
  )`,
  `create table if not exists shop_shipping_rates (
    organisation varchar(200) not null,
    id varchar(100) not null,
    country varchar(2) not null,
    name varchar(100) not null,
    base_minor bigint not null,
    per_kg_minor bigint not null,
    free_from_minor bigint,
    max_grams integer not null,
    min_days integer not null,
    max_days integer not null,
    primary key (organisation, id, country)
  )`,
  `create table if not exists shop_reviews (
    organisation varchar(200) not null,
    id varchar(100) not null,
    product_id varchar(100) not null,
    rating integer not null,
    title varchar(300) not null,
    body text not null,
    author varchar(100) not null,
    written_at bigint not null,
    primary key (organisation, id)
  )`,
  `create index if not exists shop_reviews_by_product on shop_reviews (organisation, product_id)`,
  `create table if not exists shop_orders (
    organisation varchar(200) not null,
    id varchar(100) not null,
    customer_email varchar(320) not null,
    status varchar(20) not null,
    total_minor bigint not null,
    currency varchar(3) not null,
    placed_at bigint not null,
    carrier varchar(100),
    tracking_number varchar(100),
    expected_at bigint,
    primary key (organisation, id)
  )`,
  `create table if not exists shop_order_items (
    organisation varchar(200) not null,
    order_id varchar(100) not null,
    product_id varchar(100) not null,
    name varchar(300) not null,
    quantity integer not null,
    price_minor bigint not null,
    primary key (organisation, order_id, product_id)
  )`,
  `create table if not exists shop_payment_links (
    organisation varchar(200) not null,
    request varchar(64) not null,
    attempt varchar(64) not null,
    expires_at bigint not null,
    url text,
    primary key (organisation, request)
  )`,
];

/** Makes the tables of a shop where they are not there yet; the same text on SQLite and on PostgreSQL. */
export async function createShopTables(session: Pick<SqlSession, "query">): Promise<void> {
  for (const table of tables) await session.query({ parts: [table], values: [] });
}
