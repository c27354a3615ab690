/** Names of variables that say what a program loads or starts: code, and no secret. */
export const loadingVariable: RegExp =
  /PATHS?$|OPTIONS$|OPTS?$|PRELOAD$|COMMAND$|ASKPASS$|^LD_|^DYLD_|^PYTHON|^PERL|^RUBY|^LUA|^BASH_ENV$|^ENV$|^HOME$|^SHELL$|^PAGER$|^EDITOR$/i;
