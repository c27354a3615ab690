import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const secret = "the-secret-beside-the-workspace";

const files = {
  "a.txt": "one\ntwo\nthree\n",
  "main.go": 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println("hi")\n}\n',
  "sub/b.txt": "two\r\nlines\r\n",
  "sub/deep/c.ts": "export const limit = 3;\n",
  "package.json": '{"scripts":{"test":"true"}}\n',
  ".gitignore": "*.log\n",
};

const patches = [
  "*** Begin Patch\n*** Add File: p.txt\n+x\n*** End Patch",
  "*** Begin Patch\n*** Update File: a.txt\n@@\n-two\n+2\n*** End Patch",
  "*** Begin Patch\n*** Update File: sub/b.txt\n*** Move to: moved/b.txt\n@@\n two\n-lines\n+line\n*** End Patch",
  "*** Begin Patch\n*** Delete File: main.go\n*** End Patch",
  "*** Begin Patch\n*** Delete File: ../beside/secret.txt\n*** End Patch",
  "*** Begin Patch\n*** Update File: link-out/secret.txt\n@@\n-the-secret\n+x\n*** End Patch",
];

const inside = [...Object.keys(files), "sub", ".", "sub/deep", "./sub/../a.txt", "new.txt", "new/deep/file.txt", "link-in"];

const outside = [
  "link-out",
  "link-out/secret.txt",
  "../beside/secret.txt",
  "..",
  "/etc/passwd",
  "/",
  "~",
  "..%2fbeside%2fsecret.txt",
  "..\\beside\\secret.txt",
  "a.txt\0",
  "sub/../../beside",
  "file:///etc/passwd",
];

const odd = [
  "(a+)+$",
  "[",
  "\\",
  "(?<n>x)\\k<n>",
  "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}",
  "[a-",
  "!(x)",
  "__proto__",
  "constructor",
  "toString",
  "--help",
  "-rf",
  "; touch pwned",
  "$(touch pwned)",
  "\n",
  "\r\n",
  "\u202e",
  "\ud800",
  "ü".repeat(300),
];

/** Worth trying wherever a text belongs: paths inside and ways out, patterns made to stall, names of the language itself. */
export const workspaceTexts = [...inside, ...outside, ...odd, ...patches];

/** What makes sense for a parameter of that name. */
export const workspaceHints = {
  path: inside,
  directory: [".", "sub", "sub/deep"],
  cwd: [".", "sub"],
  old_text: ["one", "two", "t", "lines"],
  old: ["one", "two", "lines"],
  pattern: ["two", "^.*$", "*.ts", "**/*", ".*two", "func \\w+"],
  glob: ["*.txt", "sub/**"],
  patch: patches,
  language: ["go", "ts"],
  name: ["main", "limit"],
  branch: ["main", "feature/one"],
};

/** A folder full of files, beside one that nothing may read or change. */
export function createFuzzWorkspace() {
  const parent = realpathSync(mkdtempSync(join(tmpdir(), "toolrack-fuzz-")));
  const [root, beside] = [join(parent, "work"), join(parent, "beside")];
  mkdirSync(beside);
  writeFileSync(join(beside, "secret.txt"), secret);
  const fill = () => {
    rmSync(root, { recursive: true, force: true });
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    }
    symlinkSync("a.txt", join(root, "link-in"));
    symlinkSync("../beside", join(root, "link-out"));
  };
  fill();
  const before = contentOf(parent, "work");
  return {
    root,
    fill,
    /** Everything in the workspace, as one text. */
    content: () => contentOf(root),
    /** What a result or the disk shows that it must not; undefined where all is well. */
    findFault(result) {
      if (JSON.stringify(result).includes(secret)) return "what lies beside the workspace was shown";
      return contentOf(parent, "work") === before ? undefined : "something beside the workspace was changed";
    },
    remove: () => rmSync(parent, { recursive: true, force: true }),
  };
}

/** All below a folder but one part of it, as one text. */
function contentOf(folder, leftOut) {
  return readdirSync(folder)
    .toSorted()
    .filter((name) => name !== leftOut)
    .map((name) => {
      const file = join(folder, name);
      const stat = lstatSync(file);
      const content = stat.isDirectory() ? contentOf(file) : stat.isSymbolicLink() ? readlinkSync(file) : readFileSync(file, "utf8");
      return `${name}\n${content}`;
    })
    .join("\n");
}
