import { sql, type SqlRow, type SqlSession, toInteger, toText } from "../operations/sql.ts";
import { type Item, subtotalOf } from "./items.ts";
import { shareOf } from "./money.ts";
import { isText } from "./products.ts";

/** A rule as the tables hold it. */
export interface DiscountRule {
  readonly id: string;
  /** Absent: it holds for everybody. */
  readonly code?: string;
  readonly description: string;
  /** What `value` is: hundredths of a per cent, or minor units. */
  readonly kind: "percent" | "amount";
  readonly value: number;
  /** Only products of this category count. */
  readonly category?: string;
  readonly minSubtotal: number;
  readonly minQuantity: number;
  /** At most this much, in minor units. */
  readonly maxAmount?: number;
  /** Whether it may be had together with others. */
  readonly isCombinable: boolean;
  readonly startsAt?: number;
  readonly endsAt?: number;
}

export interface Discount {
  readonly subtotal: number;
  readonly discount: number;
  readonly applied: readonly { readonly rule: DiscountRule; readonly amount: number; readonly isCapped: boolean }[];
  /** Whether the shop's limit on all discounts together took something away. */
  readonly isCapped: boolean;
  /** Why the code gave nothing. */
  readonly codeProblem?: string;
}

/** The discount on these items at this time. Of rules that exclude each other the customer gets the better choice. */
export async function calculateDiscount(
  session: SqlSession,
  items: readonly Item[],
  code: string | undefined,
  now: number,
): Promise<Discount> {
  const { organisation } = session;
  const wanted = code?.trim() ?? "";
  const rows = await session.query(
    sql`select * from shop_discounts where organisation = ${organisation} and (code is null or ${isText(sql`code`, wanted)}) order by id`,
  );
  const [settings] = await session.query(sql`select max_discount_share from shop_settings where organisation = ${organisation}`);
  const rules = rows.map(readRule);
  const subtotal = subtotalOf(items);
  const offers = rules.filter((rule) => whyNot(rule, items, now) === undefined).map((rule) => ({ rule, ...offerOf(rule, items) }));
  const together = offers.filter((offer) => offer.rule.isCombinable);
  const sum = together.reduce((total, offer) => total + offer.amount, 0);
  const alone = offers.filter((offer) => !offer.rule.isCombinable).sort((a, b) => b.amount - a.amount)[0];
  const applied = (alone !== undefined && alone.amount >= sum ? [alone] : together).filter((offer) => offer.amount > 0);
  const total = applied.reduce((all, offer) => all + offer.amount, 0);
  const most = settings === undefined ? subtotal : Math.min(subtotal, shareOf(subtotal, toInteger(settings["max_discount_share"])));
  const problem = wanted === "" ? undefined : codeProblem(rules, applied, items, now);
  return {
    subtotal,
    discount: Math.min(total, most),
    applied,
    isCapped: total > most,
    ...(problem !== undefined && { codeProblem: problem }),
  };
}

function offerOf(rule: DiscountRule, items: readonly Item[]): { readonly amount: number; readonly isCapped: boolean } {
  const base = subtotalOf(meantBy(rule, items));
  const full = rule.kind === "percent" ? shareOf(base, rule.value) : Math.min(base, rule.value);
  return { amount: Math.min(full, rule.maxAmount ?? full), isCapped: rule.maxAmount !== undefined && full > rule.maxAmount };
}

function meantBy({ category }: DiscountRule, items: readonly Item[]): readonly Item[] {
  return category === undefined ? items : items.filter(({ product }) => product.category.toLowerCase() === category.toLowerCase());
}

/** What is missing for a rule to hold; undefined where it does. */
function whyNot(rule: DiscountRule, items: readonly Item[], now: number): string | undefined {
  const meant = meantBy(rule, items);
  if (rule.startsAt !== undefined && now < rule.startsAt) return "it has not begun yet";
  if (rule.endsAt !== undefined && now >= rule.endsAt) return "it has ended";
  if (meant.length === 0) return `it is for ${rule.category} only`;
  if (subtotalOf(meant) < rule.minSubtotal) return `the order must be worth at least ${rule.minSubtotal} minor units`;
  if (meant.reduce((sum, item) => sum + item.quantity, 0) < rule.minQuantity) return `at least ${rule.minQuantity} pieces must be bought`;
  return undefined;
}

function codeProblem(
  rules: readonly DiscountRule[],
  applied: Discount["applied"],
  items: readonly Item[],
  now: number,
): string | undefined {
  const own = rules.find((rule) => rule.code !== undefined);
  if (own === undefined) return "this shop has no such code";
  return (
    whyNot(own, items, now) ?? (applied.some(({ rule }) => rule.id === own.id) ? undefined : "another discount is better and excludes it")
  );
}

function readRule(row: SqlRow): DiscountRule {
  const text = (name: string): string | undefined => (row[name] === null ? undefined : toText(row[name]));
  const number = (name: string): number | undefined => (row[name] === null ? undefined : toInteger(row[name]));
  const [code, category, maxAmount, startsAt, endsAt] = [
    text("code"),
    text("category"),
    number("max_amount"),
    number("starts_at"),
    number("ends_at"),
  ];
  return {
    id: toText(row["id"]),
    description: toText(row["description"]),
    kind: row["kind"] === "percent" ? "percent" : "amount",
    value: toInteger(row["value"]),
    minSubtotal: toInteger(row["min_subtotal"]),
    minQuantity: toInteger(row["min_quantity"]),
    isCombinable: toInteger(row["is_combinable"]) === 1,
    ...(code !== undefined && { code }),
    ...(category !== undefined && { category }),
    ...(maxAmount !== undefined && { maxAmount }),
    ...(startsAt !== undefined && { startsAt }),
    ...(endsAt !== undefined && { endsAt }),
  };
}
