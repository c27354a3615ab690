import { createHash, randomUUID } from "node:crypto";
import { sql, type SqlSession, toInteger, toText } from "../operations/sql.ts";

/** A requested link, whether or not the payment service has created it yet. */
export interface PaymentLink {
  /** Names this attempt to the payment service, which answers the same for the same. */
  readonly attempt: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** Absent until the payment service answered. */
  readonly url?: string;
}

/** The same text for the same purchase by the same customer. */
export function requestKey(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/**
 * The link for a request. It is saved before the request to the payment service: calls at the same time, and a call that comes again after a
 * crash, find the same attempt and so get the same link. One that has ended makes room for a new one.
 */
export async function reserveLink(session: SqlSession, request: string, now: number, lifeMs: number): Promise<PaymentLink> {
  const { organisation } = session;
  await session.query(
    sql`delete from shop_payment_links where organisation = ${organisation} and request = ${request} and expires_at <= ${now}`,
  );
  await session.query(
    sql`insert into shop_payment_links (organisation, request, attempt, expires_at, url) values (${organisation}, ${request}, ${randomUUID()}, ${now + lifeMs}, ${null}) on conflict (organisation, request) do nothing`,
  );
  const [row] = await session.query(
    sql`select attempt, expires_at, url from shop_payment_links where organisation = ${organisation} and request = ${request}`,
  );
  if (row === undefined) throw new Error("The payment link was removed while it was being created. Try again.");
  return {
    attempt: toText(row["attempt"]),
    expiresAt: toInteger(row["expires_at"]),
    ...(row["url"] !== null && { url: toText(row["url"]) }),
  };
}

/** Notes what the payment service answered. */
export async function saveLink(session: SqlSession, request: string, attempt: string, url: string, expiresAt: number): Promise<void> {
  await session.query(
    sql`update shop_payment_links set url = ${url}, expires_at = ${expiresAt} where organisation = ${session.organisation} and request = ${request} and attempt = ${attempt}`,
  );
}

/** Lets the next call start again, after the payment service refused this one permanently. */
export async function dropLink(session: SqlSession, request: string, attempt: string): Promise<void> {
  await session.query(
    sql`delete from shop_payment_links where organisation = ${session.organisation} and request = ${request} and attempt = ${attempt}`,
  );
}
