#!/usr/bin/env bash
# completion_test.sh LOCKSTEP SOURCE_DIR: what bash and zsh offer, typed as a user would; pages of the manual that groff formats without
# a warning; the GPU that a user chose once.
set -u
lockstep=$1
source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
unset LOCKSTEP_GPU LOCKSTEP_MACHINES
export HOME=$folder XDG_CONFIG_HOME=$folder/config
. "$source/tests/cli/expect.sh"
mkdir bin && ln -s "$lockstep" bin/lockstep
PATH=$folder/bin:$PATH
touch kernel.cl

# offers LINE PATTERN: what bash would complete the line to.
cat >offered.sh <<'OFFERED'
source <(lockstep completion bash)
COMP_WORDS=($(sed 's/=/ = /' <<<"$1"))
[[ "$1" == *' ' ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_lockstep
echo "<${COMPREPLY[*]}>"
OFFERED
offers() { expect 0 "$2" bash offered.sh "$1"; }
offers 'lockstep ru' '^<run>$'
offers 'lockstep run --glo' '^<--global>$'
offers 'lockstep run --gpu h2' '^<h200>$'
offers 'lockstep run --gpu=h2' '^<h200>$'
offers 'lockstep gpus h2' '^<h200>$'
offers 'lockstep gpus --describe mi25' '^<mi250x? ?|^<mi25'
offers 'lockstep run kern' '^<kernel.cl>$'
offers 'lockstep run --json kern' '^<kernel.cl>$'
offers 'lockstep run --global 1' '^<>$'
offers 'lockstep experiment batched' '^<batched-matvec>$'
offers 'lockstep dissect --only lat' '^<latency>$'
offers 'lockstep bench --mode f' '^<functional>$'
offers 'lockstep occupancy --sweep v' '^<vgprs>$'

# A zsh at a terminal of its own, asked with tabs.
cat >typed.zsh <<'TYPED'
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1='> '; autoload -U compinit; compinit -u -D; source <(lockstep completion zsh); echo REA''DY"
zpty -r shell line '*READY*' || exit 1
zpty -w -n shell "$1"$'\t'
zpty -r -m shell line "*$2*" || exit 1
print -r -- "offered $2"
TYPED
types() { expect 0 "offered $2" timeout 60 zsh -f typed.zsh "$1" "$2"; }
types 'lockstep run --gpu h20' 'h200'
types 'lockstep occ' 'upancy'
types 'lockstep bench --mode func' 'tional'

# Every page, with everything that the command's help has.
expect 0 '' lockstep manual --write pages
lockstep completion bash | expect 0 '' cmp - pages/lockstep
lockstep completion zsh | expect 0 '' cmp - pages/_lockstep
for page in pages/*.1; do
  warnings=$(groff -man -ww -z "$page" 2>&1)
  expect 0 '^$' echo "$warnings"
  command=$(basename "$page" .1)
  command=${command#lockstep}
  command=${command#-}
  groff -man -Tascii -P-c "$page" | sed 's/.\x08//g' >text
  for option in $(lockstep $command --help | grep -oE '^  --?[a-z-]+' | tr -d ' '); do
    expect 0 "$option" cat text
  done
done
expect 2 "no command 'rum'" lockstep manual rum
expect 2 'SHELL' lockstep completion fish

# The GPU that was chosen once holds for every command; what a command says itself goes before it.
expect 0 'Tesla V100|V100' env LOCKSTEP_GPU=v100,mi25 lockstep occupancy --local 256
mkdir -p config/lockstep && echo 'h200 # mine' >config/lockstep/gpus
expect 0 'H200' lockstep occupancy --local 256
expect 0 'gpu.*else h200' lockstep manual run
expect 0 'GTX 1080' lockstep occupancy --gpu gtx1080 --local 256
expect 2 'no-such-gpu' env LOCKSTEP_GPU=no-such-gpu lockstep occupancy --local 256
expect 2 "LOCKSTEP_GPU or the configuration's file names it" env LOCKSTEP_GPU=no-such-gpu lockstep occupancy --local 256

# Colours for people alone.
expect 0 $'\033\\[1;31merror' env TERM=xterm bash -c 'script -qc "lockstep gpus --describe nothing" /dev/null'
expect 1 '^0$' bash -c 'TERM=xterm NO_COLOR=1 script -qc "lockstep gpus --describe nothing" /dev/null | grep -c "\[1;31m"'
expect 1 '^0$' bash -c 'lockstep gpus --describe nothing 2>&1 | grep -c "\[1;31m"'

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
