/** Tables for the reference out of values that the source exports. */

const cell = (text) => text.replaceAll("|", "\\|");

/** The routes of the API, a chapter for each group. */
export function routeTables(routes) {
  const groups = [...new Set(routes.map(({ group }) => group))];
  return groups.flatMap((group) => [
    "",
    `## ${group[0].toUpperCase()}${group.slice(1)}`,
    "",
    "| request | who may | what it does |",
    "| --- | --- | --- |",
    ...routes.filter((route) => route.group === group).map(routeRow),
  ]);
}

function routeRow({ method, path, atRoot, needs = "anyone", summary }) {
  const who = needs === "public" ? "anybody" : needs === "anyone" ? "signed in" : needs.map((role) => `\`${role}\``).join(", ");
  return `| \`${method} ${atRoot ? "" : "/api/v1"}${path}\` | ${who} | ${cell(summary)} |`;
}

/** Every command with its words and options. */
export function commandTables(commands) {
  return commands.flatMap(({ name, summary, aliases = [], arguments: words = [], options = [], examples = [] }) => [
    "",
    `## \`${["toolrack", name, ...words.map(({ form }) => form)].join(" ")}\``,
    "",
    summary + aliases.map((alias) => ` Also \`toolrack ${name.split(" ").slice(0, -1).concat(alias).join(" ")}\`.`).join(""),
    ...(words.length + options.length === 0 ? [] : ["", "| argument or option | description |", "| --- | --- |"]),
    ...words.map(({ form, description }) => `| \`${cell(form)}\` | ${cell(description)} |`),
    ...options.map(({ flags, description, default: fallback }) => `| \`${cell(flags)}\` | ${cell(description)}${showDefault(fallback)} |`),
    ...(examples.length === 0 ? [] : ["", "```", ...examples, "```"]),
  ]);
}

function showDefault(value) {
  return value === undefined ? "" : ` (default: \`${value}\`)`;
}

/** Every metric with its type and labels. */
export function metricTable(metrics) {
  const rows = Object.entries(metrics).map(([name, { type, labels, help }]) => {
    const named = labels.map((label) => `\`${label}\``).join(", ");
    return `| \`${name}\` | ${type} | ${named} | ${cell(help)} |`;
  });
  return ["", "| metric | type | labels | meaning |", "| --- | --- | --- | --- |", ...rows];
}

/** The second names of fields, by the message of the line. */
export function conventionTable(byMessage) {
  const rows = Object.entries(byMessage).flatMap(([message, names]) =>
    Object.entries(names).map(([field, also]) => [message, field, also]),
  );
  return [
    "",
    "| line | field | also as |",
    "| --- | --- | --- |",
    ...rows.map(([message, field, also]) => `| \`${message}\` | \`${field}\` | \`${also}\` |`),
  ];
}

/** Every field of a log line. */
export function fieldTable(fields) {
  return [
    "",
    "| field | meaning |",
    "| --- | --- |",
    ...Object.entries(fields).map(([name, meaning]) => `| \`${name}\` | ${cell(meaning)} |`),
  ];
}
