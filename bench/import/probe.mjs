// Imports what it is told to, if anything, and prints the CPU time of the process so far, in microseconds.
const [specifier] = process.argv.slice(2);
if (specifier !== undefined) await import(specifier);
const { user, system } = process.cpuUsage();
process.stdout.write(String(user + system));
