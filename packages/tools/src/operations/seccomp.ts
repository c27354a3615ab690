/**
 * What namespaces leave open, closed by a filter of system calls (seccomp, in the form of classic BPF, as `bwrap --seccomp` takes it):
 * - sockets of the family AF_VSOCK, which reach the machine below a virtual one and belong to no network namespace,
 * - io_uring, whose requests make sockets past every filter,
 * - system calls of another architecture (32-bit and x32), whose numbers mean something else.
 * Everything else is allowed. Undefined on architectures that it is not written for.
 */
export function systemCallFilter(architecture: string = process.arch): Uint8Array | undefined {
  const calls = numbers[architecture];
  if (calls === undefined) return undefined;
  const { audit, socket } = calls;
  return assemble([
    load(offsetOf.architecture),
    ifEqual(audit, 1, 0),
    refuse(errno.ENOSYS),
    load(offsetOf.number),
    ifAtLeast(x32Bit, 0, 1),
    refuse(errno.ENOSYS),
    ifEqual(ioUringSetup, 0, 1),
    refuse(errno.ENOSYS),
    ifEqual(socket, 0, 3),
    // The family is an int: the kernel ignores the upper half.
    load(offsetOf.firstArgument),
    ifEqual(vsockFamily, 0, 1),
    refuse(errno.EAFNOSUPPORT),
    allow,
  ]);
}

/** AUDIT_ARCH_… and the number of socket(2), from the headers of Linux. Both are little-endian. */
const numbers: Readonly<Record<string, { readonly audit: number; readonly socket: number }>> = {
  x64: { audit: 0xc000_003e, socket: 41 },
  arm64: { audit: 0xc000_00b7, socket: 198 },
};
const ioUringSetup = 425;
const vsockFamily = 40;
/** Set in the numbers of x32, which has the architecture of x86_64. No call of arm64 has it. */
const x32Bit = 0x4000_0000;
const errno = { ENOSYS: 38, EAFNOSUPPORT: 97 } as const;
/** In struct seccomp_data. */
const offsetOf = { number: 0, architecture: 4, firstArgument: 16 } as const;

/** One struct sock_filter; the jumps skip so many instructions. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

const load = (offset: number): Instruction => [0x20, 0, 0, offset];
const ifEqual = (value: number, ifTrue: number, ifFalse: number): Instruction => [0x15, ifTrue, ifFalse, value];
const ifAtLeast = (value: number, ifTrue: number, ifFalse: number): Instruction => [0x35, ifTrue, ifFalse, value];
const refuse = (error: number): Instruction => [0x06, 0, 0, 0x0005_0000 | error];
const allow: Instruction = [0x06, 0, 0, 0x7fff_0000];

function assemble(instructions: readonly Instruction[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(instructions.length * 8));
  for (const [index, [code, ifTrue, ifFalse, value]] of instructions.entries()) {
    const at = index * 8;
    view.setUint16(at, code, true);
    view.setUint8(at + 2, ifTrue);
    view.setUint8(at + 3, ifFalse);
    view.setUint32(at + 4, value, true);
  }
  return new Uint8Array(view.buffer);
}
