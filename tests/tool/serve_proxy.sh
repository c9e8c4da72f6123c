#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The reverse proxy of doc/cluster.md puts TLS and a password in front of drmperf
# serve.
. tests/tool/lib.sh

PATH=$PATH:/usr/sbin
for needed in nginx openssl curl python3; do
	if ! command -v $needed > /dev/null; then
		skip "nginx serves metrics as doc/cluster.md has it" \
			"there is no $needed"
		finish
	fi
done

# free_port: one that nobody listens at
free_port()
{
	python3 -c 'import socket
s = socket.socket()
s.bind(("127.0.0.1", 0))
print(s.getsockname()[1])'
}
port=$(free_port)
mkdir "$work/logs"
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \
	-addext subjectAltName=DNS:localhost -keyout "$work/node.key" \
	-out "$work/node.pem" > "$work/out" 2>&1 ||
	not_ok "openssl makes a certificate" "$work/out"
echo "prometheus:$(openssl passwd -apr1 secret)" > "$work/metrics.htpasswd"
chmod 644 "$work/metrics.htpasswd"
chmod 755 "$work"

cat > "$work/inside" << 'END'
"$tool" serve -e SQ.WAVES --listen 127.0.0.1:0 2> "$work/said" &
server=$!
until grep -q '/metrics$' "$work/said"; do
	kill -0 $server 2> /dev/null || exit 1
	sleep 0.05
done
upstream=$(sed -n 's,^drmperf serve: \(http://.*\)/metrics$,\1,p' "$work/said")
# the server of the document, with this machine's places and ports
{
	echo "daemon off; pid $work/pid; error_log $work/logs/error;"
	echo 'events {} http {'
	echo "access_log off; client_body_temp_path $work/body;"
	for kind in proxy fastcgi uwsgi scgi; do
		echo "${kind}_temp_path $work/$kind;"
	done
	sed -n '/^    # nginx:/,/^    }$/s/^    //p' doc/cluster.md |
		sed "s,/etc/ssl/private/,$work/,; s,/etc/ssl/,$work/,
			s,/etc/nginx/,$work/,; s,listen 19601,listen 127.0.0.1:$port,
			s,http://127.0.0.1:19600,$upstream,"
	echo '}'
} > "$work/nginx.conf"
# ours alone, without the simulated machine
LD_PRELOAD= nginx -p "$work" -c "$work/nginx.conf" > "$work/nginx" 2>&1 &
proxy=$!
get()
{
	LD_PRELOAD= curl -s -m 60 --retry 100 --retry-connrefused --retry-delay 1 \
		--cacert "$work/node.pem" "$@"
}
get -o "$work/page" -u prometheus:secret "https://localhost:$port/metrics"
get -o /dev/null -w '%{http_code}\n' "https://localhost:$port/metrics" \
	> "$work/codes"
get -o /dev/null -w '%{http_code}\n' -u prometheus:wrong \
	"https://localhost:$port/metrics" >> "$work/codes"
get -o /dev/null -w '%{http_code}\n' -u prometheus:secret \
	"http://localhost:$port/metrics" >> "$work/codes"
kill $proxy $server
wait
END
export work port tool=$plain
"$sim" --gpu vega10 -- bash "$work/inside" \
	> "$work/out" 2>&1
cat "$work/nginx" "$work/logs/error" >> "$work/out" 2> /dev/null
if grep -q 'drmperf_up' "$work/page" 2> /dev/null; then
	ok "nginx serves metrics as doc/cluster.md has it"
else
	not_ok "nginx serves metrics as doc/cluster.md has it" "$work/out"
fi
same "nginx refuses a client without the password, or without TLS" \
	"$work/codes" '401
401
400'
finish
