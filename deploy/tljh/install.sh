#!/usr/bin/env bash
# Install the lessons on The Littlest JupyterHub, from a checkout. Run this after TLJH's own installer,
# and after every update of the checkout:
#     sudo LOGIN=firstuse TEACHER=ada deploy/tljh/install.sh
# LOGIN says who may log in: firstuse (students you add, with the password of their first visit),
# native (students who sign up and are admitted by you), pam (accounts of this machine), or the class
# of your school's authenticator. Without LOGIN, nothing is installed.
# TEACHER is your name on the hub. You are its admin, collect and mark.
# Students get no solutions. MARKED="02 03" removes only the solutions of these chapters, so that the
# other checks judge at once; MARKED=none removes none.
set -euo pipefail
checkout="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
tljh="${TLJH:-/opt/tljh}"
exchange="${EXCHANGE:-/srv/nbgrader/exchange}"

stop() { echo "$1" >&2 && exit 1; }
case "${LOGIN:-}" in
    "") stop "Choose who may log in: LOGIN=firstuse, native, pam, or the class of an authenticator" ;;
    *[Dd]ummy* | *[Nn]ull*) stop "LOGIN=$LOGIN admits everyone" ;;
    firstuse) login=firstuseauthenticator.FirstUseAuthenticator ;;
    native) login=nativeauthenticator.NativeAuthenticator ;;
    pam) login=jupyterhub.auth.PAMAuthenticator ;;
    *) login="$LOGIN" ;;
esac
[[ "${TEACHER:-}" =~ ^[a-z][a-z0-9_-]*$ ]] || stop "Name the teacher: TEACHER=your name on the hub"
account="jupyter-$TEACHER" # as TLJH calls its users

# Students may not read the checkout, so their environment gets the packages and no link to it.
packages=(--constraint "$checkout/constraints.txt" "${checkout}[lab,dist]" "nbgrader>=0.9.5")
"$tljh/user/bin/python" -m pip install --quiet --upgrade "${packages[@]}"
if [ "${MARKED:-all}" != none ]; then
    read -ra marked <<<"${MARKED:-all}"
    "$tljh/user/bin/python" -m minigrad_lessons.grading.solutions remove "${marked[@]}"
fi
# The popup of the first one covers a student's first page; the others are for teachers.
for extension in @jupyterlab/apputils-extension:announcements \
    @jupyter/nbgrader:{create-assignment,formgrader,course-list}; do
    "$tljh/user/bin/jupyter" labextension disable --level=sys_prefix "$extension"
done
for extension in formgrader course_list; do
    "$tljh/user/bin/jupyter" server extension disable --sys-prefix "nbgrader.server_extensions.$extension"
done

# The teacher's course, and an environment with the solutions that only the teacher may enter.
id "$account" >/dev/null 2>&1 || useradd --create-home --shell /bin/bash "$account"
home="${HOMES:-/home}/$account"
mkdir -p "$home/minigrad"
chmod 700 "$home"
command -v bwrap >/dev/null || apt-get install --quiet --yes bubblewrap # the sandbox in which marking runs submissions
"$tljh/user/bin/python" -m venv "$home/marking"
"$home/marking/bin/python" -m pip install --quiet --upgrade "${packages[@]}"
cp "$checkout/deploy/nbgrader/nbgrader_config.py" "$home/minigrad"
chown -R "$account:" "$home/minigrad" "$home/marking"

# As in /tmp, all users may add files, and only owners may remove them. The course is made before a
# student could make it. Submissions can be added to inbound, and not be listed.
install -d -m 1777 "$exchange"
install -d -m 755 -o "$account" "$exchange/minigrad" "$exchange/minigrad/outbound"
install -d -m 2733 -o "$account" "$exchange/minigrad/inbound"
mkdir -p "$tljh/user/etc/jupyter"
cat >"$tljh/user/etc/jupyter/nbgrader_config.py" <<END
c.CourseDirectory.course_id = "minigrad"
c.Exchange.root = "$exchange"
END

mkdir -p "$tljh/config/jupyterhub_config.d"
# TLJH has its own culler.
sed -e "s|^python = .*|python = \"$tljh/user/bin/python\"|" -e "s|^login = .*|login = \"$login\"|" \
    -e '/^# A server that is idle/,$d' \
    "$checkout/deploy/jupyterhub_config.py" >"$tljh/config/jupyterhub_config.d/minigrad.py"

config="$tljh/hub/bin/tljh-config"
"$config" set auth.type "$login"
"$config" add-item users.admin "$TEACHER"
"$config" set limits.memory 1G
"$config" set limits.cpu 2
"$config" set services.cull.timeout 3600
"$config" reload
command -v setquota >/dev/null || echo "No disk quotas here: docs/teaching.md says how to set them." >&2
