#!/usr/bin/env bash
# The lessons on The Littlest JupyterHub, from a checkout: sudo deploy/tljh/install.sh
# Run it after TLJH's own installer, and again after every update of the checkout.
# Students get no solutions, so that they can be marked. MARKED="02 03" keeps those of the other
# chapters, whose checks then judge at once; MARKED=none keeps all.
set -euo pipefail
checkout="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
tljh="${TLJH:-/opt/tljh}"

# The students' environment gets the packages, not a link to the checkout, which they may not read.
"$tljh/user/bin/python" -m pip install --quiet --upgrade "$checkout[lab]"
if [ "${MARKED:-all}" != none ]; then
    read -ra marked <<<"${MARKED:-all}"
    "$tljh/user/bin/python" -m minigrad_lessons.keys remove "${marked[@]}"
fi
# Its popup would cover the first page that a student sees.
"$tljh/user/bin/jupyter" labextension disable --level=sys_prefix @jupyterlab/apputils-extension:announcements

mkdir -p "$tljh/config/jupyterhub_config.d"
# TLJH starts a culler of its own.
sed -e "s|^python = .*|python = \"$tljh/user/bin/python\"|" -e '/^# A server that nobody/,$d' \
    "$checkout/deploy/jupyterhub_config.py" >"$tljh/config/jupyterhub_config.d/minigrad.py"

"$tljh/hub/bin/tljh-config" set services.cull.timeout 3600
"$tljh/hub/bin/tljh-config" reload
