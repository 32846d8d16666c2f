#!/usr/bin/env bash
# Copies the database of one EventStoreDB node while it runs, and puts a copy back on a stopped node.
# The order of the copy makes it whole: checkpoints before what they point to. Every append that was answered before the copy began is in it.
#
#   eventstoredb.sh copy DATABASE COPY       the node may run; COPY must be new or empty
#   eventstoredb.sh restore COPY DATABASE    on each node, while it is stopped; DATABASE must be new or empty
#
# After a restoration, EventStoreDB 24.10 and later and KurrentDB leave out at their first start what the copy does not hold, and end with exit code 0: start them once more.
#
# Run it as the user of EventStoreDB. It ends with 1 and says so when a file disappeared meanwhile: the node was merging its index. Begin again then, with a new folder.
set -euo pipefail

stop() {
  printf 'eventstoredb.sh: %s\n' "$1" >&2
  exit 1
}

empty() { # a folder that is made if it is missing
  mkdir -p "$1"
  [[ -z $(ls -A "$1") ]] || stop "$1 is not empty"
}

# Files below the working directory that the rest of the arguments of find select, with their folders.
copy_files() { # target, arguments of find
  local target=$1
  shift
  find "$@" -type f -exec cp --parents --preserve=timestamps -t "$target" {} +
}

copy() { # database, copy
  [[ -f $1/chaser.chk ]] || stop "$1 is no database of EventStoreDB: chaser.chk is missing"
  empty "$2"
  local target
  target=$(realpath "$2")
  cd "$1"
  mkdir -p index
  copy_files "$target" index -name '*.chk'
  copy_files "$target" index ! -name '*.chk'
  copy_files "$target" . -maxdepth 1 -name '*.chk'
  copy_files "$target" . -maxdepth 1 -name 'chunk-*'
}

restore() { # copy, database
  [[ -f $1/chaser.chk ]] || stop "$1 is no copy: chaser.chk is missing"
  empty "$2"
  cp --recursive --preserve=timestamps "$1/." "$2"
  cp "$2/chaser.chk" "$2/truncate.chk" # the node leaves out what was written after this point
  printf 'eventstoredb.sh: start the node. EventStoreDB 24.10 and KurrentDB end once with exit code 0: start them again.\n'
}

[[ $# -eq 3 && ($1 == copy || $1 == restore) ]] || stop 'eventstoredb.sh copy DATABASE COPY | restore COPY DATABASE'
"$@"
