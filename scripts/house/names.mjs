import { lineAt } from "./read.mjs";

const exportedType = /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:interface|type|class|enum)\s+([A-Za-z_$][\w$]*)/gm;

/** Exported types of one name in one package: a reader who meets the name must not have to ask which one is meant. */
export function findTwinTypes(files) {
  const homes = new Map();
  return files.flatMap(({ path, text }) => {
    const [, name] = /^packages\/([^/]+)\/src\/.+\.tsx?$/.exec(path) ?? [];
    if (name === undefined) return [];
    return [...text.matchAll(exportedType)].flatMap((match) => {
      const key = `${name} ${match[1]}`;
      const home = homes.get(key);
      if (home === undefined) homes.set(key, path);
      if (home === undefined || home === path) return [];
      const sentence = `${match[1]} is also the name of a type in ${home}. Give one of them a name that says what it is.`;
      return [{ path, line: lineAt(text, match.index), sentence }];
    });
  });
}
