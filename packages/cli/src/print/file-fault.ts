/** Why a file cannot be read, in words: "there is no such file". */
export function fileFault(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code !== undefined && facts[code]) || message;
}

const facts: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "a part of its path is not a folder",
  EACCES: "its permissions do not allow it",
  EPERM: "its permissions do not allow it",
  EISDIR: "it is a folder",
  ELOOP: "its links lead in a circle",
};
