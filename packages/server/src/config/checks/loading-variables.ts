/**
 * Names of variables that tell a program what to load or start, or where to fetch it: code, not secrets. Interpreters, package managers and git
 * have so many that their whole families count; the few that surely load nothing do not.
 */
export const loadingVariable: RegExp = new RegExp(
  [
    "^(?!(?:NODE_ENV|NODE_NO_WARNINGS|PYTHONUNBUFFERED|PYTHONUTF8|PYTHONDONTWRITEBYTECODE)$)(?:",
    [
      ".*(?:PATHS?|OPTIONS|OPTS?|PRELOAD|COMMAND|ASKPASS|_PROXY|_CA_BUNDLE)$",
      "(?:LD|DYLD|NPM|PNPM|YARN|COREPACK|NODE|BUN|DENO|UV|PIP|PIPX|POETRY|CONDA|GIT|GEM|BUNDLE|CARGO|RUSTUP|DOCKER|DOTNET|CORECLR|SSL|XDG)_",
      "PYTHON|PERL|RUBY|LUA|RUSTC|JAVA_|JDK_|PHP",
      "GO(?:PROXY|FLAGS|TOOLCHAIN|ROOT|BIN|ENV|PRIVATE|INSECURE|SUMDB|NOSUMDB|NOPROXY|NOSUMCHECK)$",
      "(?:BASH_ENV|ENV|HOME|USERPROFILE|APPDATA|LOCALAPPDATA|SHELL|COMSPEC|PAGER|EDITOR|VISUAL|BROWSER|PS4|IFS)$",
    ].join("|"),
    ")",
  ].join(""),
  "i",
);
