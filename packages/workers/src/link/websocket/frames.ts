import { randomFillSync } from "node:crypto";

/** The kinds of frames of RFC 6455 that are used here. Texts are not among them. */
export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** Why a connection is ended, by the numbers of RFC 6455. */
export const closeCodes = { normal: 1000, away: 1001, protocol: 1002, unsupported: 1003, refused: 1008, tooLarge: 1009 } as const;

export class FrameFault extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** One frame that is a whole message. Clients have to mask theirs. */
export function toFrame(opcode: number, payload: Uint8Array, isMasked: boolean): Buffer {
  const { length } = payload;
  const extra = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const begin = 2 + extra + (isMasked ? 4 : 0);
  const frame = Buffer.allocUnsafe(begin + length);
  frame[0] = 0x80 | opcode;
  frame[1] = (isMasked ? 0x80 : 0) | (extra === 0 ? length : extra === 2 ? 126 : 127);
  if (extra === 2) frame.writeUInt16BE(length, 2);
  if (extra === 8) frame.writeBigUInt64BE(BigInt(length), 2);
  frame.set(payload, begin);
  if (isMasked) {
    const key = randomFillSync(frame.subarray(begin - 4, begin));
    mask(frame.subarray(begin), key);
  }
  return frame;
}

export interface FrameReaderOptions {
  /** Whether the other side is a client: then its frames are masked, otherwise they are not. */
  readonly isMasked: boolean;
  /** The longest message. */
  readonly maxBytes: number;
  onMessage(message: Buffer): void;
  onControl(opcode: number, payload: Buffer): void;
}

/** Reads frames from pieces of a stream, in linear time. Throws `FrameFault`; nothing more may be read then. */
export function createFrameReader({ isMasked, maxBytes, onMessage, onControl }: FrameReaderOptions): (piece: Buffer) => void {
  let pieces: Buffer[] = [];
  let length = 0;
  let needed = 2;
  /** The parts of a message that has not ended. */
  let parts: Buffer[] | undefined;
  let partBytes = 0;

  /** The next frame, if all of it is there. */
  function next(): { readonly isLast: boolean; readonly opcode: number; readonly payload: Buffer } | undefined {
    if (length < needed) return undefined;
    const all = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, length);
    pieces = [all];
    const head = readHead(all);
    if (typeof head === "number") {
      needed = head;
      return length < needed ? undefined : next();
    }
    const { opcode, isLast, begin, bytes } = head;
    if (opcode < 8 && bytes + partBytes > maxBytes)
      throw new FrameFault(closeCodes.tooLarge, `A message is longer than ${maxBytes} bytes.`);
    needed = begin + bytes;
    if (length < needed) return undefined;
    const payload = all.subarray(begin, needed);
    if (isMasked) mask(payload, Buffer.from(all.subarray(begin - 4, begin)));
    pieces = length === needed ? [] : [all.subarray(needed)];
    length -= needed;
    needed = 2;
    return { isLast, opcode, payload };
  }

  /** The head of a frame, or how many bytes of it are needed. */
  function readHead(all: Buffer): { isLast: boolean; opcode: number; begin: number; bytes: number } | number {
    const [first, second] = [all[0]!, all[1]!];
    const opcode = first & 0x0f;
    const short = second & 0x7f;
    if ((first & 0x70) !== 0) throw new FrameFault(closeCodes.protocol, "A frame uses an extension that was not agreed on.");
    if (((second & 0x80) !== 0) !== isMasked) throw new FrameFault(closeCodes.protocol, `A frame is ${isMasked ? "not " : ""}masked.`);
    if (opcode >= 8 && ((first & 0x80) === 0 || short > 125))
      throw new FrameFault(closeCodes.protocol, "A control frame is too long, or in parts.");
    const extra = short < 126 ? 0 : short === 126 ? 2 : 8;
    const begin = 2 + extra + (isMasked ? 4 : 0);
    if (all.length < begin) return begin;
    const bytes = extra === 0 ? short : extra === 2 ? all.readUInt16BE(2) : Number(all.readBigUInt64BE(2));
    return { isLast: (first & 0x80) !== 0, opcode, begin, bytes };
  }

  function take(isLast: boolean, opcode: number, payload: Buffer): void {
    if (opcode === opcodes.close || opcode === opcodes.ping || opcode === opcodes.pong) return onControl(opcode, payload);
    if (opcode !== opcodes.binary && opcode !== opcodes.continuation)
      throw new FrameFault(opcode === opcodes.text ? closeCodes.unsupported : closeCodes.protocol, "Only binary messages are taken.");
    if ((opcode === opcodes.continuation) !== (parts !== undefined))
      throw new FrameFault(closeCodes.protocol, "A part of a message is missing.");
    if (isLast && parts === undefined) return onMessage(payload);
    parts ??= [];
    if (parts.length >= maxParts) throw new FrameFault(closeCodes.tooLarge, `A message has more than ${maxParts} parts.`);
    parts.push(payload);
    partBytes += payload.length;
    if (!isLast) return;
    const whole = Buffer.concat(parts, partBytes);
    parts = undefined;
    partBytes = 0;
    onMessage(whole);
  }

  return (piece) => {
    if (piece.length === 0) return;
    pieces.push(piece);
    length += piece.length;
    for (let frame = next(); frame !== undefined; frame = next()) take(frame.isLast, frame.opcode, frame.payload);
  };
}

/** Empty parts cost memory, too. */
const maxParts = 10_000;

function mask(bytes: Buffer, key: Buffer): void {
  for (let index = 0; index < bytes.length; index++) bytes[index]! ^= key[index & 3]!;
}
