import { lineAt } from "./read.mjs";

/** A function at the top of a file, from its first line to the brace that ends it. */
const topFunction = /^(?:export )?(?:async )?function\*? (\w+)[^\n]*\{\n(?:(?!\})[^\n]*\n)*\}/gm;

const comment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const word = /[A-Za-z_$][\w$]*/g;
const keywords = new Set(
  "await break case catch const continue else false finally for function if in instanceof let new null of return throw true try typeof undefined void while".split(
    " ",
  ),
);

/** Bodies below this length are too small to have a home of their own. */
const shortest = 60;

/**
 * A function that stands in two packages, apart from its names: one of them has to import it. The console is left out, because it is built
 * for browsers and imports only types.
 */
export function findCopiedFunctions(files) {
  const known = new Map();
  return files
    .filter(({ path }) => /^packages\/[^/]+\/src\/.+\.tsx?$/.test(path) && !path.startsWith("packages/console/"))
    .flatMap(({ path, text }) =>
      [...text.matchAll(topFunction)].flatMap((match) => {
        const body = shapeOf(match[0]);
        if (body.length < shortest) return [];
        const first = known.get(body);
        if (first === undefined) known.set(body, { path, name: match[1] });
        if (first === undefined || packageOf(first.path) === packageOf(path)) return [];
        const sentence = `${match[1]} does the same as ${first.name} in ${first.path}. Move it to a package that both may import.`;
        return [{ path, line: lineAt(text, match.index), sentence }];
      }),
    );
}

/** The body without comments and white space, its names numbered in the order in which they come. */
function shapeOf(text) {
  const names = new Map();
  const numbered = (name) => (keywords.has(name) ? name : `v${names.get(name) ?? (names.set(name, names.size), names.get(name))}`);
  return text.slice(text.indexOf("{")).replace(comment, "").replace(word, numbered).replace(/\s+/g, "");
}

function packageOf(path) {
  return path.split("/")[1];
}
