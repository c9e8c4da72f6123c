#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Each query of the dashboard, asked of Debian's Prometheus, has an answer for
# each kind of GPU whose counters and sensors it shows.
. tests/papi/lib.sh

for program in prometheus curl jq; do
	if ! command -v $program > /dev/null; then
		skip "Prometheus answers the queries of the dashboard" \
			"there is no $program"
		finish
	fi
done
tool=$BUILD_DIR/bin/drmperf
gpus="sklgt2 vega10 navi31 mi300 acmgt3 bmg"

# one server for all GPUs, until there is a file "over"
cat > "$work/machine" << 'END'
"$tool" serve --listen 127.0.0.1:0 2> "$work/server" &
server=$!
until grep -q 'http\|built without' "$work/server"; do sleep 0.05; done
touch "$work/ready"
until [ -e "$work/over" ]; do sleep 0.05; done
kill $server
wait $server
END
options=()
for gpu in $gpus; do
	options+=(--gpu "$gpu")
done
export tool sim work DRMPERF_DIES=one
"$sim" "${options[@]}" --load memory-bound -- bash "$work/machine" \
	> "$work/machine.out" 2>&1 &
machine=$!
until [ -e "$work/ready" ]; do sleep 0.05; done
address=$(sed -n 's,.*http://\(.*\)/metrics$,\1,p' "$work/server")
if [ -z "$address" ]; then
	touch "$work/over"
	wait $machine
	skip "Prometheus answers the queries of the dashboard" \
		"drmperf was built without libmicrohttpd"
	finish
fi
cat > "$work/prometheus.yml" << END
global: { scrape_interval: 3s, scrape_timeout: 3s }
scrape_configs:
  - job_name: drmperf
    static_configs: [ { targets: [ "$address" ] } ]
END
prometheus --config.file="$work/prometheus.yml" \
	--storage.tsdb.path="$work/data" \
	--web.listen-address=127.0.0.1:0 > "$work/log" 2>&1 &
prometheus=$!
api=
while [ -z "$api" ] && kill -0 $prometheus 2> /dev/null; do
	sleep 0.05
	api=$(sed -n 's,.*msg="Listening on" address=\([^ ]*\).*,http://\1/api/v1,p' \
		"$work/log")
done

# answers QUERY: how many series have a number, or the error
answers()
{
	curl -s -m 60 "$api/query" --data-urlencode "query=$1" |
		jq -r 'if .status != "success" then .error else
			[.data.result[] | select(.value[1] != "NaN")] | length
			end'
}

# nothing_wrong NAME: nothing was written to $work/wrong
nothing_wrong()
{
	if [ -s "$work/wrong" ]; then
		not_ok "$1" "$work/wrong"
	else
		ok "$1"
	fi
}

# shows TITLE PCI: whether a query of the panel has an answer for the GPU
shows()
{
	local query answer some=1
	while IFS= read -r query; do
		query=${query//\$instance/.*}
		query=${query//\$pci/$2}
		answer=$(answers "${query//\$__rate_interval/10m}")
		[[ $answer =~ ^[0-9]+$ ]] || echo "$query: $answer" >> "$work/wrong"
		[ "$answer" = 0 ] || some=0
	done < <(jq -r --arg title "$1" '.panels[] |
		select(.title == $title) | .targets[].expr' \
		doc/grafana-dashboard.json)
	return $some
}

# a rate takes two scrapes
end=$((SECONDS + hang))
until [ "$(answers 'count(count_over_time(drmperf_up[10m]) > 2)')" = 1 ] ||
	[ $SECONDS -ge $end ]; do
	sleep 0.2
done
# check_panel TITLE GPU PCI: as tests/tool/serve/absent.json has it
check_panel()
{
	local expected=yes got=no
	jq -e --arg title "$1" --arg gpu "$2" \
		'.[$title] // [] | index($gpu) != null' \
		tests/tool/serve/absent.json > "$work/jq" && expected=no
	# a scrape that a busy machine takes too long for has no values
	until shows "$1" "$3" && got=yes || [ $expected = no ] ||
		[ $SECONDS -ge $end ]; do
		sleep 0.2
	done
	[ $got = $expected ] ||
		echo "$1 has an answer for $2: $got" >> "$work/wrong"
}
while read -r gpu pci; do
	: > "$work/wrong"
	while IFS= read -r title; do
		check_panel "$title" "$gpu" "$pci"
	done < <(jq -r '.panels[].title |
		select(startswith("Sources that cannot") | not)' \
		doc/grafana-dashboard.json)
	nothing_wrong "Prometheus answers the dashboard's queries for $gpu"
done << END
sklgt2 0000:00:02.0
vega10 0000:03:00.0
navi31 0000:04:00.0
mi300 0000:05:00.0
acmgt3 0000:06:00.0
bmg 0000:07:00.0
END
: > "$work/wrong"
shows "Sources that cannot be read, and remedies" '.*'
nothing_wrong "Prometheus knows the query for sources that cannot be read"
touch "$work/over"
kill $prometheus
wait $prometheus $machine
finish
