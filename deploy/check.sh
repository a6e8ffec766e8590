#!/bin/sh
# Checks what is in this directory with whatever tools are here; says what it left out.
#
#   deploy/check.sh                                    # files only
#   IMAGE=1 deploy/check.sh                            # also build the image and talk to it
#   IMAGE=1 PYTHON_IMAGE=my/python:3 deploy/check.sh   # on another base
#   FULL=1 deploy/check.sh                             # also start compose.full.yaml, use it, drop it
#
# ENGINE is docker or podman; ENGINE_BUILD and ENGINE_RUN add arguments. Port 8970 must be free.
# FULL needs docker compose, 8 GB of memory and port 8971; FULL_OVERRIDE names one more compose file.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
container=coterie-check-$$
leave() {
  [ -z "${started:-}" ] || $engine rm -f $container >/dev/null 2>&1
  [ -z "${composed:-}" ] || full down --volumes --timeout 60 >/dev/null 2>&1
  rm -rf "$work"
}
trap leave EXIT
left_out=""

say() { printf '%s\n' "$*"; }
has() { command -v "$1" >/dev/null 2>&1 || { left_out="$left_out $1"; return 1; }; }

# Compose reads the example, filled in with passwords nobody uses.
sed -n 's/^\([A-Z_]*\)=$/\1=0123456789abcdef/p' deploy/coterie.env.example > "$work/env"
if docker compose version >/dev/null 2>&1; then
  for file in compose.yaml compose.full.yaml; do
    cp "$work/env" "$work/coterie.env"
    sed "s#\[coterie.env\]#[$work/coterie.env]#" "deploy/$file" > "$work/$file"
    docker compose --env-file "$work/env" --project-directory deploy -f "$work/$file" config --quiet
    say "ok: $file"
  done
else
  left_out="$left_out docker-compose"
fi

if has helm; then
  chart=deploy/helm/coterie
  helm lint --quiet "$chart"
  helm template check "$chart" --kube-version 1.31.0 > /dev/null
  helm template check "$chart" --kube-version 1.31.0 --set profile=full --set secretName=s \
    --set api.replicas=2 --set ingress.enabled=true --set ingress.host=agents.example.org > /dev/null
  if helm template check "$chart" --kube-version 1.31.0 --set api.replicas=2 >/dev/null 2>&1; then
    say "The embedded profile took two processes."
    exit 1
  fi
  say "ok: chart"
fi

if has nginx; then
  sed 's/api-[12]:8000/127.0.0.1:8000/' deploy/nginx.conf > "$work/nginx.conf"
  nginx -q -t -c "$work/nginx.conf"
  say "ok: nginx.conf"
fi

if has nats-server; then
  NATS_PASSWORD=0123456789abcdef nats-server -t -c deploy/nats.conf 2>/dev/null
  say "ok: nats.conf"
fi

if [ -n "${IMAGE:-}" ]; then
  engine=${ENGINE:-docker}
  token=pat_$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  # shellcheck disable=SC2086 - the arguments are words
  $engine build ${ENGINE_BUILD:-} -f deploy/Dockerfile -t coterie:check \
    --build-arg "PYTHON_IMAGE=${PYTHON_IMAGE:-python:3.12-slim}" .
  started=1
  # shellcheck disable=SC2086
  $engine run -d --name $container ${ENGINE_RUN:--p 127.0.0.1:8970:8970} \
    -e COTERIE_PORT=8970 -e COTERIE_BOOTSTRAP_TOKEN="$token" \
    --read-only --tmpfs /tmp:size=256m,mode=1777 --cap-drop ALL \
    --security-opt no-new-privileges coterie:check
  python3 deploy/smoke.py http://127.0.0.1:8970 "$token"
  [ "$($engine exec $container id -u)" != 0 ]
  $engine stop -t 40 $container >/dev/null
  [ "$($engine inspect -f '{{.State.ExitCode}}' $container)" = 0 ]
  say "ok: image"
fi

# A project, an image and a network of its own, so that a deployment on this machine is not touched.
full() {
  docker compose --env-file "$work/coterie.env" --project-directory deploy -p coterie-check \
    -f "$work/full.yaml" ${FULL_OVERRIDE:+-f "$FULL_OVERRIDE"} "$@"
}
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }

if [ -n "${FULL:-}" ]; then
  url=http://127.0.0.1:8971
  token=pat_$(random)
  sed "s#\[coterie.env\]#[$work/coterie.env]#; s#image: coterie:.*#image: coterie:check-full#
    s#172\.31\.250\.#172.31.251.#g" deploy/compose.full.yaml > "$work/full.yaml"
  {
    printf '%s\n' "PUBLISHED_PORT=8971" "COTERIE_PUBLIC_URL=$url" "COTERIE_BOOTSTRAP_TOKEN=$token"
    printf 'COTERIE_MASTER_KEY=%s\n' "$(head -c 32 /dev/urandom | base64)"
    for name in POSTGRES_PASSWORD NATS_PASSWORD OBJECTS_SECRET_KEY ELASTIC_PASSWORD MILVUS_PASSWORD; do
      printf '%s=%s\n' "$name" "$(random)"
    done
  } > "$work/coterie.env"
  # shellcheck disable=SC2086 - the arguments are words
  docker build ${ENGINE_BUILD:-} -f deploy/Dockerfile -t coterie:check-full \
    --build-arg EXTRAS=nats,milvus,elasticsearch,s3 \
    --build-arg "PYTHON_IMAGE=${PYTHON_IMAGE:-python:3.12-slim}" .
  composed=1
  full up -d --no-build
  python3 deploy/smoke.py "$url" "$token"
  full stop api-1 worker-1
  python3 deploy/smoke.py "$url" "$token" # the others do it all
  full start api-1 worker-1
  full exec -T worker-2 coterie doctor
  full exec -T worker-2 coterie backup /data/check.zip
  full exec -T worker-2 coterie restore --check /data/check.zip
  say "ok: compose.full.yaml, started"
fi

[ -z "$left_out" ] || say "left out, not installed:$left_out"
