#!/usr/bin/env bash
# Runs the functions of test/cmd, kubectl's own suite, from the directory of the module k8s.io/kubernetes against one
# server. A function does not end at the first command that fails: each is reported.
#
#   cmd.sh MODULE OUT [FUNCTION..]
#
# KUBECONFIG names the server; kubectl is on the PATH. The working directory is for temporary
# files. OUT gets a line `FUNCTION` for each function that has run, a line `FUNCTION FILE:LINE` for each command that has
# failed, and a line `FUNCTION exit` for a function that has ended before its end. Its log is OUT.FUNCTION.log.

# The names have a prefix because the scripts have global variables too.
compare_module=$1
compare_out=$2
shift 2
compare_only=("$@")
: >"$compare_out"

# The scripts name files relative to the root of the repository, and create temporary ones beside them.
for entry in "$compare_module"/*; do
  ln -s "$entry" .
done
KUBE_ROOT=$PWD
KUBE_TEMP=$PWD/temp
HOME=$PWD/home
mkdir "$KUBE_TEMP" "$HOME"
export KUBE_ROOT KUBE_TEMP HOME TERM=dumb
SUPPORTED_RESOURCES=('*')
CONTEXT=$(kubectl config current-context)
# kubectl and the servers are built without the version that releases are stamped with.
ALLOW_SKEW=true
THIS_PLATFORM_BIN=$(dirname "$(command -v kubectl)")
compare_server=$(kubectl config view --raw -o 'jsonpath={.clusters[0].cluster.server}')
SECURE_API_PORT=${compare_server##*:}
compare_token=$(kubectl config view --raw -o 'jsonpath={.users[0].user.token}')
# The scripts expect a server with a token of this name.
curl() { command curl "${@/admin-token/$compare_token}"; }

source "$KUBE_ROOT/hack/lib/util.sh"
source "$KUBE_ROOT/hack/lib/logging.sh"
source "$KUBE_ROOT/hack/lib/test.sh"
source "$KUBE_ROOT/test/cmd/legacy-script.sh"
kube::util::ensure-gnu-sed
builtin set +o errexit +o nounset
# The functions set `errexit` themselves. The shell finds functions before builtins.
set() { :; }

# Reports a command of test/cmd that has failed. What fails inside of a helper is reported where the helper was called,
# if it fails too.
failed() {
  # `((n++))` is 1 where n was 0.
  [[ $BASH_COMMAND == '(('* ]] && return
  case ${BASH_SOURCE[1]} in
  */legacy-script.sh) ;;
  */test/cmd/*) echo "$compare_suite ${BASH_SOURCE[1]##*/}:${BASH_LINENO[0]}" >>"$compare_out" ;;
  esac
}

record_command() {
  compare_suite=$1
  if ((${#compare_only[@]})) && [[ " ${compare_only[*]} " != *" $compare_suite "* ]]; then
    return
  fi
  echo "$compare_suite"
  echo "$compare_suite" >>"$compare_out"
  (
    builtin set -o errtrace
    trap failed ERR
    kube_flags=(-s "$compare_server" --insecure-skip-tls-verify)
    kube_flags_without_token=("${kube_flags[@]}")
    kube_flags_with_token=("${kube_flags[@]}")
    "$@"
    echo returned >"$KUBE_TEMP/$compare_suite.returned"
  ) </dev/null >"$compare_out.$compare_suite.log" 2>&1
  if [[ ! -e $KUBE_TEMP/$compare_suite.returned ]]; then
    echo "$compare_suite exit" >>"$compare_out"
  fi
}

# The only function that `runTests` calls without `record_command`.
eval "recursive() $(declare -f run_recursive_resources_tests | tail -n +2)"
run_recursive_resources_tests() {
  if [[ ${compare_suite:-} != run_recursive_resources_tests ]]; then
    record_command run_recursive_resources_tests
  else
    recursive
  fi
}

runTests
