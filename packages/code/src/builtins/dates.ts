import { dateText, toNumber, toPrimitive, toText } from "../machine/convert.ts";
import type { Machine } from "../machine/machine.ts";
import { DateValue, type Value } from "../machine/values.ts";
import { contextOf, native, text, type Library } from "./define.ts";
import { refuseLocale } from "./numbers.ts";
import { sizes } from "../machine/sizes.ts";

function dateOf(m: Machine, self: Value): DateValue {
  if (!(self instanceof DateValue)) m.fail("TypeError", "This method needs a Date.");
  m.touched |= self.label;
  return self;
}

/** Times are kept in UTC; a text without a zone is read as UTC. */
export function parseDate(value: string): number {
  const iso = /^([+-]\d{6}|\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d:\d\d)?)?$/.exec(value);
  if (iso !== null) return Date.parse(iso[4] !== undefined && iso[8] === undefined ? `${value.replace(",", ".")}Z` : value);
  if (value.length > 100) return NaN;
  const spaced = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?$/.exec(value);
  if (spaced !== null) return Date.parse(`${spaced[1]}T${spaced[2]}${spaced[3] ?? "Z"}`);
  // Other forms have a zone of their own, or none: then that of UTC.
  const zoned = /(?:\b(?:GMT|UTC|Z|[ECMP][SD]T)\b|[+-]\d{4}\b|\d[+-]\d\d:\d\d)/i.test(value);
  return Date.parse(zoned ? value : `${value} UTC`);
}

function utc(m: Machine, args: readonly Value[]): number {
  const numbers = args.slice(0, 7).map((value) => toNumber(m, value));
  const [year = NaN, month = 0, day = 1, hours = 0, minutes = 0, seconds = 0, milliseconds = 0] = numbers;
  return Date.UTC(year, month, day, hours, minutes, seconds, milliseconds);
}

function now(m: Machine): number {
  m.clock = Math.max(m.clock, Math.floor(m.host.now()));
  return m.clock;
}

function make(m: Machine, args: Value[]): DateValue {
  m.allocate(sizes.small);
  let time: number;
  if (args.length === 0) time = now(m);
  else if (args.length > 1) time = utc(m, args);
  else if (args[0] instanceof DateValue) {
    m.touched |= args[0].label;
    time = args[0].time;
  } else {
    const value = toPrimitive(m, args[0], "default");
    time = typeof value === "string" ? parseDate(value) : new Date(Number(value)).getTime();
  }
  const made = new DateValue(time);
  made.label = m.touched;
  return made;
}

type Part = "FullYear" | "Month" | "Date" | "Hours" | "Minutes" | "Seconds" | "Milliseconds";
const parts: readonly Part[] = ["FullYear", "Month", "Date", "Hours", "Minutes", "Seconds", "Milliseconds"];
const setterArguments: Readonly<Record<Part, number>> = {
  FullYear: 3,
  Month: 2,
  Date: 1,
  Hours: 4,
  Minutes: 3,
  Seconds: 2,
  Milliseconds: 1,
};

function setters(part: Part): Library["functions"] {
  return ["", "UTC"].map((zone) =>
    native(`Date.prototype.set${zone}${part}`, setterArguments[part], (m, self, args) => {
      const date = dateOf(m, self);
      const numbers = args.slice(0, setterArguments[part]).map((value) => toNumber(m, value));
      const inner = new Date(date.time);
      const set = inner[`setUTC${part}`] as (...values: number[]) => number;
      date.time = numbers.length === 0 ? NaN : set.apply(inner, numbers);
      if (numbers.length === 0) inner.setTime(NaN);
      date.label = m.touched | contextOf(m);
      return date.time;
    }),
  );
}

function formats(name: string, run: (date: Date) => string): Library["functions"][number] {
  return native(`Date.prototype.${name}`, 0, (m, self) => {
    const { time } = dateOf(m, self);
    return Number.isNaN(time) ? "Invalid Date" : text(m, run(new Date(time)));
  });
}

function localFormat(name: string, options: Intl.DateTimeFormatOptions): Library["functions"][number] {
  // Making one takes a hundred times as long as using it.
  let format: Intl.DateTimeFormat | undefined;
  return native(`Date.prototype.${name}`, 0, (m, self, args) => {
    refuseLocale(m, args, "Use toISOString().slice(0, 10), or the getUTC… methods.");
    const { time } = dateOf(m, self);
    format ??= new Intl.DateTimeFormat("en-US", { timeZone: "UTC", ...options });
    return Number.isNaN(time) ? "Invalid Date" : text(m, format.format(time).replaceAll("\u202f", " "));
  });
}

export const dateLibrary: Library = {
  functions: [
    { name: "Date", length: 7, call: (m) => text(m, dateText(now(m))), construct: (m, args) => make(m, args) },
    native("Date.now", 0, (m) => now(m)),
    native("Date.parse", 1, (m, _self, [value]) => parseDate(toText(m, value))),
    native("Date.UTC", 7, (m, _self, args) => utc(m, args)),
    ...parts.flatMap((part) =>
      ["", "UTC"].map((zone) =>
        native(`Date.prototype.get${zone}${part}`, 0, (m, self) => new Date(dateOf(m, self).time)[`getUTC${part}`]()),
      ),
    ),
    ...["", "UTC"].map((zone) => native(`Date.prototype.get${zone}Day`, 0, (m, self) => new Date(dateOf(m, self).time).getUTCDay())),
    ...parts.flatMap((part) => setters(part)),
    native("Date.prototype.getTime", 0, (m, self) => dateOf(m, self).time),
    native("Date.prototype.valueOf", 0, (m, self) => dateOf(m, self).time),
    native("Date.prototype.getTimezoneOffset", 0, (m, self) => (Number.isNaN(dateOf(m, self).time) ? NaN : 0)),
    native("Date.prototype.setTime", 1, (m, self, [value]) => {
      const date = dateOf(m, self);
      date.time = new Date(toNumber(m, value)).getTime();
      date.label = m.touched | contextOf(m);
      return date.time;
    }),
    native("Date.prototype.toISOString", 0, (m, self) => {
      const { time } = dateOf(m, self);
      if (Number.isNaN(time)) m.fail("RangeError", "Invalid time value: the date could not be read.");
      return text(m, new Date(time).toISOString());
    }),
    native("Date.prototype.toJSON", 1, (m, self) => {
      const { time } = dateOf(m, self);
      return Number.isNaN(time) ? null : text(m, new Date(time).toISOString());
    }),
    formats("toString", (date) => dateText(date.getTime())),
    formats("toDateString", (date) => dateText(date.getTime(), "date")),
    formats("toTimeString", (date) => dateText(date.getTime(), "time")),
    formats("toUTCString", (date) => date.toUTCString()),
    localFormat("toLocaleString", {
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    }),
    localFormat("toLocaleDateString", { year: "numeric", month: "numeric", day: "numeric" }),
    localFormat("toLocaleTimeString", { hour: "numeric", minute: "numeric", second: "numeric" }),
  ],
};
