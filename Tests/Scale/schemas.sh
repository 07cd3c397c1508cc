#!/bin/bash
# The jobs of docs/scale.md, those of docs/ci.md that build, and the action against the schemas of their engines: check-jsonschema and kubernetes-validate are packages of PyPI.
. "$(dirname "$0")/lib.sh" "schemas" python3 check-jsonschema kubernetes-validate
trap 'rm -rf "$WORK"' EXIT
python3 - "$ROOT/docs" <<'END'
import re, sys
for page, name, mark in [
    ("scale", "github", "name: scenarios"), ("scale", "gitlab", "--shard $CI_NODE_INDEX"),
    ("scale", "github-search", "workflow_dispatch"), ("scale", "gitlab-search", "work tasks/$CI_NODE_INDEX"), ("scale", "kubernetes", "kind: Job"),
    ("ci", "github-once", "packaging/action"), ("ci", "gitlab-once", "git clone"),
]:
    blocks = re.findall(r"```yaml\n(.*?)```", open(f"{sys.argv[1]}/{page}.md").read(), re.S)
    [block] = [block for block in blocks if mark in block]
    open(name + ".yml", "w").write(block)
END
check-jsonschema --builtin-schema vendor.github-actions "$ROOT/packaging/action/action.yml"
check-jsonschema --builtin-schema vendor.github-workflows github.yml github-search.yml github-once.yml
check-jsonschema --builtin-schema vendor.gitlab-ci gitlab.yml gitlab-search.yml gitlab-once.yml
kubernetes-validate --strict kubernetes.yml
