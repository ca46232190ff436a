#!/usr/bin/env bash
# Copies a block device at random moments after a command has ended, and looks at the copy as after a power failure: the
# files, the safety checkpoint, and the user's repository. Needs root and loop devices.
# Usage: power_failures.sh FUZZY_EDIT restore|create|turn|undo TRIES SECONDS [sync]
# restore: a restore of a checkpoint; create: a checkpoint; turn: a turn of an agent, recorded by hooks; undo: `turns revert`
# after such a turn.
set -u
program=$(realpath "$1") kind=$2 tries=$3 seconds=$4 sync=${5:-}
work=$(mktemp -d)
mkdir "$work/disk" "$work/copy"
device=
# Leaves no mount, device or file, also when it is interrupted.
leave() {
  cd / && umount "$work/disk" 2>/dev/null
  [ -n "$device" ] && losetup -d "$device" 2>/dev/null
  rm -r "$work"
}
trap leave EXIT
trap 'exit 1' INT TERM
# Another process may take the free device first.
attach() {
  for _ in $(seq 20); do
    device=$(losetup -f --show "$1" 2>/dev/null) && mount "$device" "$work/disk" 2>/dev/null && return
    [ -n "$device" ] && losetup -d "$device" 2>/dev/null
    sleep 0.1
  done
  return 1
}
truncate -s 400M "$work/image"
{ mkfs.ext4 -qF "$work/image" 2>/dev/null && attach "$work/image"; } || { echo 'left out: no loop device can be mounted' && exit; }
umount "$work/disk" && losetup -d "$device"
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@localhost GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@localhost
export HOME=$work/disk/home XDG_STATE_HOME=$work/disk/state
files_lost=0 checkpoints_lost=0 repositories_broken=0
hook() {
  printf '{"session_id": "s", "cwd": "%s", "prompt": "do it"}' "$PWD" | "$program" hook claude-code "$1"
  # The process that records the event may outlive the hook.
  while [ -n "$(find "$XDG_STATE_HOME/fuzzy-edit/turns" -name '*.json' 2>/dev/null)" ]; do sleep 0.05; done
}
# Changes each file as an agent does, or as a user does after it.
edit() { for file in $(seq 40); do echo "$1 $file $RANDOM" >"f$file"; done; }
sum() { cat f* 2>/dev/null | sha1sum; }
for try in $(seq "$tries"); do
  truncate -s 400M "$work/image"
  mkfs.ext4 -qF "$work/image"
  attach "$work/image" || exit 1
  mkdir -p "$HOME" "$work/disk/repository"
  cd "$work/disk/repository" || exit 1
  edit original
  git init -q . && git add -A && git commit -qm first
  sync
  before=$(sum)
  case $kind in
    restore) checkpoint=$("$program" checkpoint create --quiet) ;;
    turn | undo) hook turn-begin ;;
  esac
  edit changed
  changed=$(sum)
  [ "$kind" = undo ] && hook turn-end
  [ -n "$sync" ] && sync -f .
  case $kind in
    restore) "$program" checkpoint restore "$checkpoint" --yes --quiet >/dev/null ;;
    create) "$program" checkpoint create --quiet >/dev/null ;;
    turn) hook turn-end ;;
    undo) back=$("$program" turns revert --yes | sed -n 's/^to undo this: fuzzy-edit //p') ;;
  esac
  expected=$(sum)
  sleep "$(awk "BEGIN { srand($RANDOM); print rand() * $seconds }")"
  cp --sparse=always "$work/image" "$work/image-copy"
  # The copy takes the place of the disk, so that all paths are the same.
  cd / && umount "$work/disk" && losetup -d "$device"
  attach "$work/image-copy" && cd "$work/disk/repository" || exit 1
  case $kind in restore | undo) [ "$(sum)" = "$expected" ] || files_lost=$((files_lost + 1)) ;; esac
  { git fsck --full && git gc -q --prune=now && git log --all -1 && git clone -q --mirror . "$work/disk/mirror"; } >/dev/null 2>&1 ||
    repositories_broken=$((repositories_broken + 1))
  wanted=$changed
  case $kind in
    restore) "$program" undo --yes >/dev/null 2>&1 ;;
    create)
      edit later
      "$program" checkpoint restore latest --yes >/dev/null 2>&1
      ;;
    turn)
      # The turn changed files that may not have been on the disk; its checkpoints are.
      wanted=$before
      "$program" turns revert --yes >/dev/null 2>&1
      ;;
    # shellcheck disable=SC2086
    undo) "$program" $back >/dev/null 2>&1 ;;
  esac
  [ "$(sum)" = "$wanted" ] || checkpoints_lost=$((checkpoints_lost + 1))
  cd / && umount "$work/disk" && losetup -d "$device"
done
echo "$tries power failures after $kind${sync:+, with sync before}: files lost in $files_lost, checkpoint lost in $checkpoints_lost, repository broken in $repositories_broken"
[ $((files_lost + checkpoints_lost + repositories_broken)) = 0 ]
