#!/usr/bin/env bash
# The lessons on The Littlest JupyterHub, from a checkout, after TLJH's own installer and after every
# update of the checkout:
#     sudo LOGIN=firstuse TEACHER=ada deploy/tljh/install.sh
# LOGIN is who may come in: firstuse (those whom you add, each with the password of their first
# visit), native (who signs up, and you let in), pam (accounts of this machine), or the class of your
# school's login. Nothing is installed before you have chosen.
# TEACHER is your own name on the hub: you are its admin, collect and mark.
# Students get no solutions, so that they can be marked. MARKED="02 03" keeps those of the other
# chapters, whose checks then judge at once; MARKED=none keeps all.
set -euo pipefail
checkout="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
tljh="${TLJH:-/opt/tljh}"
exchange="${EXCHANGE:-/srv/nbgrader/exchange}"

stop() { echo "$1" >&2 && exit 1; }
case "${LOGIN:-}" in
    "") stop "Choose who may come in: LOGIN=firstuse, native, pam, or the class of your school's login" ;;
    *[Dd]ummy* | *[Nn]ull*) stop "LOGIN=$LOGIN lets in whoever comes" ;;
    firstuse) login=firstuseauthenticator.FirstUseAuthenticator ;;
    native) login=nativeauthenticator.NativeAuthenticator ;;
    pam) login=jupyterhub.auth.PAMAuthenticator ;;
    *) login="$LOGIN" ;;
esac
[[ "${TEACHER:-}" =~ ^[a-z][a-z0-9_-]*$ ]] || stop "Say who teaches: TEACHER=your name on the hub"
account="jupyter-$TEACHER" # as TLJH calls its users

# The students' environment gets the packages, not a link to the checkout, which they may not read.
packages=("$checkout[lab]" "nbgrader>=0.9.5")
"$tljh/user/bin/python" -m pip install --quiet --upgrade "${packages[@]}"
if [ "${MARKED:-all}" != none ]; then
    read -ra marked <<<"${MARKED:-all}"
    "$tljh/user/bin/python" -m minigrad_lessons.keys remove "${marked[@]}"
fi
# The first one's popup would cover the first page that a student sees; the others are a teacher's.
for extension in @jupyterlab/apputils-extension:announcements \
    @jupyter/nbgrader:{create-assignment,formgrader,course-list}; do
    "$tljh/user/bin/jupyter" labextension disable --level=sys_prefix "$extension"
done
for extension in formgrader course_list; do
    "$tljh/user/bin/jupyter" server extension disable --sys-prefix "nbgrader.server_extensions.$extension"
done

# The teacher's course, and an environment with the solutions, which nobody else may enter.
id "$account" >/dev/null 2>&1 || useradd --create-home --shell /bin/bash "$account"
home="${HOMES:-/home}/$account"
mkdir -p "$home/minigrad"
chmod 700 "$home"
"$tljh/user/bin/python" -m venv "$home/marking"
"$home/marking/bin/python" -m pip install --quiet --upgrade "${packages[@]}"
cp "$checkout/deploy/nbgrader/nbgrader_config.py" "$home/minigrad"
chown -R "$account:" "$home/minigrad" "$home/marking"

# As /tmp: everyone may add to it, nobody may take away what is another's. The course is there before
# a student could make it. What is handed in can be put there and not be listed.
install -d -m 1777 "$exchange"
install -d -m 755 -o "$account" "$exchange/minigrad" "$exchange/minigrad/outbound"
install -d -m 2733 -o "$account" "$exchange/minigrad/inbound"
mkdir -p "$tljh/user/etc/jupyter"
cat >"$tljh/user/etc/jupyter/nbgrader_config.py" <<END
c.CourseDirectory.course_id = "minigrad"
c.Exchange.root = "$exchange"
END

mkdir -p "$tljh/config/jupyterhub_config.d"
# TLJH starts a culler of its own.
sed -e "s|^python = .*|python = \"$tljh/user/bin/python\"|" -e "s|^login = .*|login = \"$login\"|" \
    -e '/^# A server that nobody/,$d' \
    "$checkout/deploy/jupyterhub_config.py" >"$tljh/config/jupyterhub_config.d/minigrad.py"

config="$tljh/hub/bin/tljh-config"
"$config" set auth.type "$login"
"$config" add-item users.admin "$TEACHER"
"$config" set limits.memory 1G
"$config" set limits.cpu 2
"$config" set services.cull.timeout 3600
"$config" reload
command -v setquota >/dev/null || echo "No disk quotas here: docs/teaching.md says how to set them." >&2
