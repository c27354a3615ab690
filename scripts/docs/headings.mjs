import { readFileSync } from "node:fs";

const known = new Map();

/** The places of a page that a link can name: "## What it has" → "what-it-has". */
export function placesOf(path) {
  const markdown = readFileSync(path, "utf8");
  if (known.get(path)?.markdown !== markdown) known.set(path, { markdown, places: readPlaces(markdown) });
  return known.get(path).places;
}

function readPlaces(markdown) {
  const places = new Set();
  const times = new Map();
  let inFence = false;
  for (const line of markdown.split("\n")) {
    if (/^\s*(```|~~~)/.test(line)) inFence = !inFence;
    const title = inFence ? undefined : /^#{1,6}\s+(.+)$/.exec(line)?.[1];
    if (title === undefined) continue;
    const place = slugOf(title);
    const earlier = times.get(place) ?? 0;
    times.set(place, earlier + 1);
    places.add(earlier === 0 ? place : `${place}-${earlier}`);
  }
  return places;
}

/** As GitHub makes them: without marks, in lower case, with hyphens for spaces. */
function slugOf(title) {
  return title
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, "")
    .replaceAll(" ", "-");
}
