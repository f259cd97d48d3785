#!/usr/bin/env bash
# `crd validate` beside kubeconform and kubectl-validate on 10,000 manifests, or as many as given: wall and CPU seconds,
# and memory.
# usage: tests/validate_time.sh ARGO TEKTON CRD KUBECONFORM KUBECTL_VALIDATE [rounds] [manifests]
# ARGO and TEKTON are checkouts of argoproj/argo-workflows and tektoncd/pipeline, the others are programs. Of the
# manifests, two fifths are the examples of Argo, two fifths those of Tekton, each as often as needed, and a fifth is
# generated, of which a tenth is invalid. kubeconform reads JSON schemas, which are made of the same definitions, and skips
# Kubernetes' own kinds. A program given as `-` is left out. Needs python3 with PyYAML, and no network.
set -euo pipefail
argo=$1 tekton=$2 crd=$3 kubeconform=$4 kubectl_validate=$5 rounds=${6:-3} manifests=${7:-10000}
root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$root/target/validate-time
rm -rf "$scratch"
mkdir -p "$scratch/crds" "$scratch/schemas" "$scratch/manifests"

cp "$argo"/manifests/base/crds/full/*.yaml "$tekton"/config/300-crds/*.yaml "$scratch/crds"
rm -f "$scratch/crds/kustomization.yaml"
cat >"$scratch/crds/crontabs.yaml" <<'YAML'
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: crontabs.stable.example.com}
spec:
  group: stable.example.com
  scope: Namespaced
  names: {plural: crontabs, singular: crontab, kind: CronTab}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [cronSpec]
            x-kubernetes-validations:
            - rule: self.minReplicas <= self.replicas
            properties:
              cronSpec: {type: string, pattern: '^(\S+ ){4}\S+$'}
              image: {type: string}
              minReplicas: {type: integer, default: 0}
              replicas: {type: integer, minimum: 0, maximum: 10}
              env:
                type: array
                maxItems: 16
                items: {type: object, properties: {name: {type: string}, value: {type: string}}}
YAML

python3 - "$argo" "$tekton" "$scratch" "$manifests" <<'PYTHON'
import json, pathlib, sys, yaml

argo, tekton, scratch = map(pathlib.Path, sys.argv[1:4])
manifests = int(sys.argv[4])


def closed(schema):
    """Adds what `-strict` of kubeconform's converter adds: no unknown fields."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    out = {key: closed(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        if not schema.get("x-kubernetes-preserve-unknown-fields"):
            out.setdefault("additionalProperties", False)
    if schema.get("x-kubernetes-int-or-string"):
        out.pop("type", None)
        out["oneOf"] = [{"type": "string"}, {"type": "integer"}]
    return out


for file in (scratch / "crds").glob("*.yaml"):
    for crd in filter(None, yaml.load_all(file.read_text(), yaml.CSafeLoader)):
        spec = crd["spec"]
        for version in spec["versions"]:
            schema = closed(version["schema"]["openAPIV3Schema"])
            fields = schema.setdefault("properties", {})
            for field in ("apiVersion", "kind"):
                fields[field] = {"type": "string"}
            fields["metadata"] = {"type": "object"}
            directory = scratch / "schemas" / spec["group"]
            directory.mkdir(exist_ok=True)
            name = f"{spec['names']['kind'].lower()}_{version['name']}.json"
            (directory / name).write_text(json.dumps(schema))

for directory in (argo / "examples", tekton / "examples/v1"):
    texts = [file.read_text() for file in sorted(directory.rglob("*.yaml"))]
    for number in range(manifests * 2 // 5):
        name = f"{directory.parts[-2] if directory.name == 'v1' else 'argo'}-{number}.yaml"
        (scratch / "manifests" / name).write_text(texts[number % len(texts)])
for number in range(manifests // 5):
    replicas = 11 if number % 10 == 0 else number % 9
    (scratch / "manifests" / f"crontab-{number}.yaml").write_text(f"""\
apiVersion: stable.example.com/v1
kind: CronTab
metadata: {{name: tab-{number}, namespace: default}}
spec:
  cronSpec: "{number % 60} * * * *"
  image: example.com/image:{number}
  replicas: {replicas}
  env:
  - {{name: NUMBER, value: "{number}"}}
""")
PYTHON

cd "$scratch"
cat >run.py <<'PYTHON'
"""Runs a program, and prints wall and CPU seconds, the most memory in MiB, and the exit status."""
import os, sys, time

begin = time.monotonic()
pid = os.fork()
if pid == 0:
    with open(sys.argv[1], "wb") as out:
        os.dup2(out.fileno(), 1)
        os.dup2(out.fileno(), 2)
    os.execv(sys.argv[2], sys.argv[2:])
_, status, used = os.wait4(pid, 0)
wall, cpu = time.monotonic() - begin, used.ru_utime + used.ru_stime
print(f"{wall:.2f} {cpu:.2f} {used.ru_maxrss / 1024:.0f} {os.waitstatus_to_exitcode(status)}")
PYTHON
names=()
[ "$crd" = - ] || names+=(crd)
[ "$kubeconform" = - ] || names+=(kubeconform)
[ "$kubectl_validate" = - ] || names+=(kubectl-validate)
for round in $(seq "$rounds"); do
    for name in "${names[@]}"; do
        case $name in
        crd) command=("$crd" validate --crds crds --summary manifests) ;;
        kubeconform)
            command=("$kubeconform" -strict -summary -ignore-missing-schemas
                -schema-location 'schemas/{{.Group}}/{{.ResourceKind}}_{{.ResourceAPIVersion}}.json' manifests)
            ;;
        kubectl-validate) command=("$kubectl_validate" --local-crds crds manifests) ;;
        esac
        result=$(python3 run.py "$name.txt" "${command[@]}")
        echo "$name: wall, CPU seconds, MiB, exit status: $result"
        echo "$name $result" >>times
    done
done
median() { awk -v n="$1" -v c="$2" '$1 == n {print $c}' times | sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
for name in "${names[@]}"; do
    awk -v n=$name -v w="$(median $name 2)" -v c="$(median $name 3)" -v m="$(median $name 4)" \
        -v ow="$(median crd 2)" -v oc="$(median crd 3)" -v om="$(median crd 4)" \
        'BEGIN {
            if (ow > 0) printf "%s: %.2f s wall (%.1f times crd), %.2f s of CPU (%.1f times), %d MiB (%.1f times)\n", n, w, w / ow, c, c / oc, m, m / om
            else printf "%s: %.2f s wall, %.2f s of CPU, %d MiB\n", n, w, c, m
        }'
done
