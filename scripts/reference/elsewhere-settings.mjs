/** What the reference says of settings for tools that run outside of the server. */
export const elsewhereSettings = {
  "tools.records.processes.programs":
    "Programs of this machine that [records of the kind `process`](../guides/stored-code.md#programs-of-the-machine) may run, each as definitions write it. Default: none.",
  "tools.records.processes.timeoutMs": "How long such a program may run at most. Default: 30,000.",
  "tools.records.processes.maxMemoryBytes": "Memory of such a program, with all that it starts. Default: 536,870,912.",
  "tools.records.processes.network": "Whether such programs reach the network. Default: false.",
  "tools.records.processes.readable": "Absolute paths that such programs may read, besides the system's own folders. Default: none.",
  "tools.records.processes.unconfined":
    "Whether such programs run without isolation, with all that the user of the server may do. Default: false, and where nothing isolates programs, they are not run.",
  "sources.<id>.workers.connect":
    'Tools whose handlers run on workers, instead of an MCP server: the NATS broker, or several of one cluster; `"server"` for workers that connect to this server by WebSocket.',
  "sources.<id>.workers.pool": "The pool of the workers. Default: the id of the source.",
  "sources.<id>.workers.keys": "The public keys of the workers, as `toolrack worker` prints them.",
  "sources.<id>.workers.lostAfterMs":
    "After so many milliseconds without a message a worker is lost, and tools that only it had are unavailable. Default: 4000.",
  "sources.<id>.workers.credentials": "A file with the credentials for the broker, as `nsc` writes it.",
  "sources.<id>.workers.user": "The user at the broker.",
  "sources.<id>.workers.password": 'Its password: `"secret:<name>"`.',
  "sources.<id>.workers.system.credentials":
    "The same for the broker's system account. With it a lost worker is noticed at once, without after four seconds.",
  "sources.<id>.workers.system.user": "The user of the system account.",
  "sources.<id>.workers.system.password": 'Its password: `"secret:<name>"`.',
};
