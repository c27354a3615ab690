/** A format as a regular expression, and what the expression leaves out of the format's rules. */
export interface FormatPattern {
  readonly pattern: string;
  readonly looser?: string;
}

const unreserved = "[\\w.~!$&'()*+,;=-]";
const escaped = "%[\\da-fA-F]{2}";

/** The formats that a grammar can express. `regex` and the international formats are not regular. */
export function formatPattern(format: string): FormatPattern | undefined {
  return (patterns ??= writePatterns()).get(format);
}

let patterns: ReadonlyMap<string, FormatPattern> | undefined;

const writePatterns = (): ReadonlyMap<string, FormatPattern> =>
  new Map(
    Object.entries({
      date: { pattern: `^${date()}$` },
      time: { pattern: `^${time()}$` },
      "date-time": { pattern: `^${date()}[Tt]${time()}$` },
      duration: { pattern: "^P(?:\\d+W|(?=.)(?:\\d+Y)?(?:\\d+M)?(?:\\d+D)?(?:T(?=.)(?:\\d+H)?(?:\\d+M)?(?:\\d+S)?)?)$" },
      uuid: { pattern: "^[\\da-fA-F]{8}(?:-[\\da-fA-F]{4}){3}-[\\da-fA-F]{12}$" },
      ipv4: { pattern: `^${ipv4()}$` },
      ipv6: { pattern: `^${ipv6()}$` },
      hostname: { pattern: `^${hostname()}$`, looser: "the length of 253 in all is not counted" },
      email: {
        pattern: `^${mailbox()}@${hostname()}$`,
        looser: "the length of 64 before the @ is not counted, and quoted names and addresses in brackets cannot be written",
      },
      uri: { pattern: `^${uri()}$` },
      "uri-reference": { pattern: `^(?:${uri()}|${relative()})$` },
      "json-pointer": { pattern: "^(?:/(?:[^~/]|~[01])*)*$" },
      "relative-json-pointer": { pattern: "^(?:0|[1-9]\\d*)(?:[+-][1-9]\\d*)?(?:#|(?:/(?:[^~/]|~[01])*)*)$" },
    }),
  );

/** Every day that exists, leap years included. */
function date(): string {
  const leapYear = "(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)";
  const everyYear = "(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))";
  return `(?:\\d{4}-${everyYear}|${leapYear}-02-29)`;
}

/** A leap second is written in UTC. */
function time(): string {
  const hour = "(?:[01]\\d|2[0-3])";
  return `(?:${hour}:[0-5]\\d:[0-5]\\d(?:\\.\\d+)?(?:[Zz]|[+-]${hour}:[0-5]\\d)|23:59:60(?:\\.\\d+)?(?:[Zz]|[+-]00:00))`;
}

function ipv4(): string {
  const part = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
  return `${part}(?:\\.${part}){3}`;
}

/** Eight groups, or fewer around one "::"; the last two may be an address of version 4. */
function ipv6(): string {
  const group = "[\\da-fA-F]{1,4}";
  const last = `(?:${group}:${group}|${ipv4()})`;
  const forms = [`(?:${group}:){6}${last}`, `(?:${group}:){7}${group}`];
  for (let before = 0; before <= 7; before++) {
    const front = before === 0 ? "::" : `${group}(?::${group}){${before - 1}}::`;
    const after = 7 - before;
    const tails = [
      "",
      ...(after >= 1 ? [`${group}(?::${group}){0,${after - 1}}`] : []),
      ...(after >= 2 ? [`(?:${group}:){0,${after - 2}}${ipv4()}`] : []),
    ];
    forms.push(`${front}(?:${tails.join("|")})`);
  }
  return `(?:${forms.join("|")})`;
}

function hostname(): string {
  const label = "[A-Za-z\\d](?:[A-Za-z\\d-]{0,61}[A-Za-z\\d])?";
  return `${label}(?:\\.${label})*`;
}

function mailbox(): string {
  const atom = "[\\w!#$%&'*+/=?^`{|}~-]+";
  return `${atom}(?:\\.${atom})*`;
}

function uri(): string {
  return `[A-Za-z][A-Za-z\\d+.-]*:${hierarchy()}${query()}`;
}

function relative(): string {
  return `(?:${authority()}|(?:${unreserved}|@|${escaped})*(?:/${path()})?)${query()}`;
}

/** With an authority behind two slashes, or a path that does not begin with two. */
function hierarchy(): string {
  const character = `(?:${unreserved}|[:@]|${escaped})`;
  return `(?:${authority()}|(?:/?${character}${path()}|/)?)`;
}

function authority(): string {
  return `//(?:(?:${unreserved}|:|${escaped})*@)?(?:\\[${ipv6()}\\]|(?:${unreserved}|${escaped})*)(?::\\d*)?(?:/${path()})?`;
}

function path(): string {
  return `(?:${unreserved}|[:@/]|${escaped})*`;
}

function query(): string {
  const part = `(?:${unreserved}|[:@/?]|${escaped})*`;
  return `(?:\\?${part})?(?:#${part})?`;
}
