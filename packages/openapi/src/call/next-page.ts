import { isObject } from "@toolrack/json-schema/internal";
import { own } from "../document/json.ts";
import type { OperationPlan } from "../operation.ts";
import { encode } from "../request/encode.ts";
import type { OpenApiAnswer } from "./answer.ts";

/** The URL of the page behind an answer; undefined if it is the last, or if it would lead to another origin. */
export function nextPageOf(plan: OperationPlan, url: string, answer: OpenApiAnswer): string | undefined {
  const link = linkHeader(answer.headers["link"]) ?? linkIn(answer.data);
  const next = link === undefined ? cursorUrl(plan, url, answer.data) : URL.canParse(link, url) ? new URL(link, url).href : undefined;
  if (next === undefined || next === url || new URL(next).origin !== new URL(url).origin) return undefined;
  return withCredentials(plan, url, next);
}

/** <https://api.example.com/pets?page=2>; rel="next" */
function linkHeader(header: string | undefined): string | undefined {
  for (const part of (header ?? "").slice(0, 10_000).split(/,\s*(?=<)/)) {
    const [, target, parameters = ""] = /^\s*<([^>]*)>(.*)$/s.exec(part) ?? [];
    if (target !== undefined && relationsIn(parameters).includes("next")) return target;
  }
  return undefined;
}

/** The relations in the parameters of a link. Each character is passed once: the header is as long and as odd as an API likes. */
function relationsIn(parameters: string): readonly string[] {
  const parameter = /\s*;\s*([^=;\s]*)\s*(?:=\s*(?:"([^"]*)"|([^;"\s]*)))?/y;
  for (let found = parameter.exec(parameters); found !== null; found = parameter.exec(parameters)) {
    const [, name = "", quoted, plain = ""] = found;
    if (name.toLowerCase() === "rel") return (quoted ?? plain).toLowerCase().split(/\s+/);
  }
  return [];
}

const places: readonly (readonly string[])[] = [
  ["next"],
  ["next_url"],
  ["nextUrl"],
  ["next_page_url"],
  ["nextPageUrl"],
  ["nextLink"],
  ["@odata.nextLink"],
  ["odata.nextLink"],
  ["next_page"],
  ["links", "next"],
  ["_links", "next"],
  ["paging", "next"],
  ["pagination", "next"],
  ["pagination", "next_url"],
  ["meta", "next"],
];

function linkIn(data: unknown): string | undefined {
  for (const place of places) {
    const found = at(data, place);
    const text = isObject(found) ? (own(found, "href") ?? own(found, "url")) : found;
    if (typeof text === "string" && /^(?:https?:\/\/|\/|\?)/.test(text)) return text;
  }
  return undefined;
}

function at(data: unknown, place: readonly string[]): unknown {
  return place.reduce<unknown>((value, name) => own(value, name), data);
}

/** An answer that has more keys which look like a cursor has none that is meant. */
const maxCursors = 100;

/** nextPageToken of an answer goes into the parameter pageToken, next_cursor into cursor: where the operation has such a parameter. */
function cursorUrl({ parameters }: OperationPlan, url: string, data: unknown): string | undefined {
  const queries = new Map<string, string>();
  for (const { in: place, name } of parameters) if (place === "query" && !queries.has(plain(name))) queries.set(plain(name), name);
  let left = maxCursors;
  for (const holder of [
    data,
    own(data, "meta"),
    own(data, "pagination"),
    own(data, "paging"),
    own(data, "page"),
    own(data, "response_metadata"),
    own(data, "cursors"),
  ]) {
    if (!isObject(holder)) continue;
    for (const key of Object.keys(holder)) {
      const value = holder[key];
      if (!/^next|^cursor$|^continuation|marker$/i.test(key) || (typeof value !== "string" && typeof value !== "number") || value === "")
        continue;
      if (left-- === 0) return undefined;
      const name = queries.get(plain(key)) ?? queries.get(plain(key).replace(/^next/, ""));
      if (name !== undefined) return withParameter(url, name, String(value));
    }
  }
  return undefined;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

function withParameter(url: string, name: string, value: string): string {
  const next = new URL(url);
  const kept = next.search
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "" && pair.split("=")[0] !== encode(name));
  next.search = [...kept, `${encode(name)}=${encode(value)}`].join("&");
  return next.href;
}

/** A key in the query belongs to every request; links of an API often leave it out. */
function withCredentials({ security }: OperationPlan, from: string, to: string): string {
  const before = new URL(from).searchParams;
  const next = new URL(to);
  for (const { in: place, name } of security.flat()) {
    const value = place === "query" ? before.get(name) : null;
    if (value !== null && !next.searchParams.has(name))
      next.search = `${next.search === "" ? "?" : `${next.search}&`}${encode(name)}=${encode(value)}`;
  }
  return next.href;
}
