#!/bin/bash
# The jobs of docs/ci.md and the action against the schemas of their engines: check-jsonschema and kubernetes-validate are packages of PyPI.
. "$(dirname "$0")/lib.sh" "schemas" python3 check-jsonschema kubernetes-validate
trap 'rm -rf "$WORK"' EXIT
python3 - "$ROOT/docs" <<'END'
import re, sys
for name, mark in [
    ("github", "--shard ${{ matrix.part }}"), ("gitlab", "--shard $CI_NODE_INDEX"),
    ("github-search", "workflow_dispatch"), ("gitlab-search", "work tasks/$CI_NODE_INDEX"), ("kubernetes", "kind: Job"),
    ("github-once", "packaging/action"), ("gitlab-once", "git clone"),
    ("github-release", "Install threadlab"), ("gitlab-release", "apt-get"),
]:
    blocks = re.findall(r"```yaml\n(.*?)```", open(f"{sys.argv[1]}/ci.md").read(), re.S)
    [block] = [block for block in blocks if mark in block]
    open(name + ".yml", "w").write(block)
END
check-jsonschema --builtin-schema vendor.github-actions "$ROOT/packaging/action/action.yml"
check-jsonschema --builtin-schema vendor.github-workflows github.yml github-search.yml github-once.yml github-release.yml
check-jsonschema --builtin-schema vendor.gitlab-ci gitlab.yml gitlab-search.yml gitlab-once.yml gitlab-release.yml
kubernetes-validate --strict kubernetes.yml
