/** Names of variables that tell a program what to load or start: code, not secrets. */
export const loadingVariable: RegExp =
  /PATHS?$|OPTIONS$|OPTS?$|PRELOAD$|COMMAND$|ASKPASS$|^LD_|^DYLD_|^PYTHON|^PERL|^RUBY|^LUA|^BASH_ENV$|^ENV$|^HOME$|^SHELL$|^PAGER$|^EDITOR$/i;
