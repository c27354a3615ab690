import { placeOf } from "./place.mjs";

/** Circles of imports between source files, types included; each circle once, at the import that closes it. */
export function findCycles(files) {
  const sources = new Map(files.filter(({ path }) => placeOf(path) !== undefined).map((file) => [file.path, file]));
  const finished = new Set();
  const way = [];
  const findings = [];

  const visit = (file) => {
    way.push(file.path);
    for (const { target, line } of file.imports) {
      const start = way.indexOf(target);
      if (start !== -1)
        findings.push({ path: file.path, line, sentence: `This import closes a circle: ${[...way.slice(start), target].join(" → ")}.` });
      else if (sources.has(target) && !finished.has(target)) visit(sources.get(target));
    }
    way.pop();
    finished.add(file.path);
  };

  for (const file of sources.values()) if (!finished.has(file.path)) visit(file);
  return findings;
}
