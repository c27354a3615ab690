/** Styles that load nothing; undefined for what could load something, or is hard to be sure about. */
export function cleanCss(css: string): string | undefined {
  const plain = withoutComments(css);
  return plain === undefined || loads.test(plain) || isDeep(plain) ? undefined : plain;
}

/** Escapes, and entities inside of a drawing, can spell any of these words in another way, and a "<" could end the element. */
const loads =
  /[\\<>]|&[#a-z]|@(?!media\b|keyframes\b|supports\b|container\b|layer\b)|(?:url|src|image|image-set|cross-fade|element|paint|expression|attr)\s*\(|behavior|-moz-binding/i;

/** Browsers read what is nested by recursion: some ten thousand braces end the whole page that shows them. */
function isDeep(css: string): boolean {
  let depth = 0;
  for (const [sign] of css.matchAll(/[{}()[\]]/g)) {
    depth += "{([".includes(sign) ? 1 : -1;
    if (depth > maxDepth) return true;
  }
  return false;
}

const maxDepth = 32;

function withoutComments(css: string): string | undefined {
  const parts: string[] = [];
  for (let at = 0; ;) {
    const start = css.indexOf("/*", at);
    if (start === -1) return [...parts, css.slice(at)].join(" ");
    const end = css.indexOf("*/", start + 2);
    if (end === -1) return undefined;
    parts.push(css.slice(at, start));
    at = end + 2;
  }
}
