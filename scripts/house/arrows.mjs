import { folderRows, leafFolders, packageArrows, roomRows, typeArrows } from "./drawing.mjs";
import { leafOf, packageOf, placeOf, roomOf } from "./place.mjs";

const drawing = "scripts/house/drawing.mjs";

/** Packages and folders that the drawing does not know. */
export function findUndrawn(files) {
  return files.flatMap(({ path }) => {
    const place = placeOf(path);
    if (place === undefined) return [];
    if (!Object.hasOwn(packageArrows, place.package)) {
      return [{ path, line: 1, sentence: `The package ${place.package} is not in the drawing. Add it to ${drawing}.` }];
    }
    const unknown = (what) => [
      { path, line: 1, sentence: `${what} is not in the drawing. Put it in a folder that is, or draw it in ${drawing}.` },
    ];
    const rows = folderRows[place.package];
    if (rows !== undefined && !rows.flat().includes(place.folder)) return unknown(`${place.package}/src/${place.folder}`);
    const room = roomOf(path);
    if (room !== undefined && !roomRows[room.house].flat().includes(room.folder)) return unknown(`${room.house}/${room.folder}`);
    return [];
  });
}

/** Imports between packages, and between the folders of one package, that no arrow allows. */
export function findWrongArrows(files) {
  return eachImport(files, (path, used) => {
    const from = placeOf(path);
    if (from === undefined) return undefined;
    const otherPackage = packageOf(used.specifier);
    if (otherPackage !== undefined) return packageFault(from.package, otherPackage, used);
    if (used.target === undefined) return undefined;
    const to = placeOf(used.target);
    if (to?.package !== from.package) return `${used.specifier} leads out of the package. Import another package by its name.`;
    const [room, next] = [roomOf(path), roomOf(used.target)];
    if (room !== undefined && room.house === next?.house) return arrowFault(roomRows[room.house], room.folder, next.folder);
    return arrowFault(folderRows[from.package], from.folder, to.folder);
  });
}

/** Leaves that import another leaf of their own folder, or of one that their folder may not use. */
export function findLeafImports(files) {
  return eachImport(files, (path, used) => {
    const from = leafOf(path);
    const to = used.target === undefined ? undefined : leafOf(used.target);
    if (from === undefined || to === undefined) return undefined;
    if (from.folder === to.folder ? from.name === to.name : leafFolders[from.folder].includes(to.folder)) return undefined;
    return `The leaf ${from.name} imports the leaf ${to.name}. Move what both need into the folder's interface, a file that begins with "_", or shared/.`;
  });
}

function packageFault(from, to, { specifier, typeOnly }) {
  if (to === from) return `${from} imports itself by its name. Import the file by its path.`;
  const code = packageArrows[from] ?? [];
  const types = typeArrows[from] ?? [];
  if (code.includes(to) || code.includes(specifier.replace("@toolrack/", "")) || (typeOnly && types.includes(to))) return undefined;
  if (types.includes(to)) return `${from} may import only types from ${specifier}. Write "import type".`;
  return `${from} may not import ${to}: ${from} → ${[...code, ...types].join(", ") || "no other package"}.`;
}

function arrowFault(rows, from, to) {
  if (rows === undefined || from === to) return undefined;
  const row = (folder) => rows.findIndex((names) => names.includes(folder));
  if (row(from) === -1 || row(to) === -1 || row(to) < row(from)) return undefined;
  if (row(to) === row(from)) return `${from} and ${to} stand side by side and do not know each other. Hand the value in from the right.`;
  return `${from} may not import ${to}: arrows go only to the left, ${rows.map((names) => names.join(" ")).join(" ◀ ")}.`;
}

function eachImport(files, judge) {
  return files.flatMap(({ path, imports }) =>
    imports.flatMap((used) => {
      const sentence = judge(path, used);
      return sentence === undefined ? [] : [{ path, line: used.line, sentence }];
    }),
  );
}
