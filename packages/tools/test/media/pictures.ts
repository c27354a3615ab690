/** Letters of five by seven dots; a row is five bits. */
const letters: Readonly<Record<string, readonly number[]>> = {
  T: [31, 4, 4, 4, 4, 4, 4],
  E: [31, 16, 16, 30, 16, 16, 31],
  A: [14, 17, 17, 31, 17, 17, 17],
  " ": [0, 0, 0, 0, 0, 0, 0],
};

/** Black letters on white, as a PGM file. */
export function pictureOf(words: string, scale = 8): Uint8Array {
  const [columns, rows] = [(words.length * 6 + 4) * scale, 15 * scale];
  const dots = new Uint8Array(columns * rows).fill(255);
  for (const [index, letter] of [...words].entries())
    for (let y = 0; y < 7 * scale; y++)
      for (let x = 0; x < 5 * scale; x++) {
        const row = letters[letter]![Math.floor(y / scale)]!;
        if ((row >> (4 - Math.floor(x / scale))) & 1) dots[(y + 4 * scale) * columns + (index * 6 + 3) * scale + x] = 0;
      }
  return Buffer.concat([Buffer.from(`P5\n${columns} ${rows}\n255\n`), dots]);
}

/** The header of a PNG of this size, and nothing behind it. */
export function pngHeader(width: number, height: number): Uint8Array {
  const header = Buffer.alloc(33);
  header.write("\x89PNG\r\n\x1a\n", "latin1");
  header.writeUInt32BE(13, 8);
  header.write("IHDR", 12, "latin1");
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  header[24] = 1;
  return header;
}
