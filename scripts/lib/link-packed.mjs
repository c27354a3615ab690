import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

/**
 * Lets packed packages find each other in their folder, while no registry has them: each depends on the files beside it, so that one of them installs
 * alone, wherever the folder is. `packed` is what `packPackages` returns.
 */
export function linkPacked(folder, packed) {
  const linked = (dependencies) =>
    Object.fromEntries(
      Object.entries(dependencies).map(([name, version]) => [name, packed.has(name) ? `file:./${packed.get(name).filename}` : version]),
    );
  for (const { filename } of packed.values()) {
    const file = join(folder, filename);
    const tar = withEntry(gunzipSync(readFileSync(file)), "package/package.json", (text) => {
      const manifest = JSON.parse(text);
      for (const kind of ["dependencies", "optionalDependencies", "peerDependencies"])
        if (manifest[kind] !== undefined) manifest[kind] = linked(manifest[kind]);
      return `${JSON.stringify(manifest, null, 2)}\n`;
    });
    writeFileSync(file, gzipSync(tar));
  }
}

/** A tar file with another text in one of its entries. */
function withEntry(tar, name, change) {
  for (let at = 0; at < tar.length;) {
    const header = tar.subarray(at, at + block);
    const size = Number.parseInt(textIn(header, 124, 12), 8) || 0;
    const end = at + block + inBlocks(size);
    if (textIn(header, 0, 100) === name) {
      const text = Buffer.from(change(tar.toString("utf8", at + block, at + block + size)));
      const body = Buffer.alloc(inBlocks(text.length));
      text.copy(body);
      return Buffer.concat([tar.subarray(0, at), sized(header, text.length), body, tar.subarray(end)]);
    }
    at = end;
  }
  throw new Error(`There is no ${name} in a packed package.`);
}

const block = 512;

function inBlocks(bytes) {
  return Math.ceil(bytes / block) * block;
}

function textIn(header, at, length) {
  const text = header.toString("latin1", at, at + length);
  return text.slice(0, (text + "\0").indexOf("\0")).trim();
}

/** The header with another size, and the checksum that goes with it: the sum of its bytes, with spaces in its own place. */
function sized(header, size) {
  const next = Buffer.from(header);
  next.write(`${size.toString(8).padStart(11, "0")}\0`, 124, "latin1");
  next.fill(" ", 148, 156);
  const sum = next.reduce((total, byte) => total + byte, 0);
  next.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "latin1");
  return next;
}
