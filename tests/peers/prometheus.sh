#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Debian's Prometheus, unmodified, reads what drmperf serve counts on a
# simulated GPU, and returns it by its own API.
. tests/papi/lib.sh

for program in prometheus curl jq; do
	if ! command -v $program > /dev/null; then
		skip "Prometheus reads what drmperf serve counts" \
			"there is no $program"
		finish
	fi
done
tool=$BUILD_DIR/bin/drmperf

# What runs on the simulated machine: the server, until there is a file "over".
# Time stands still but for a second, so that what is counted is known.
cat > "$work/machine" << 'END'
"$tool" serve --listen 127.0.0.1:0 -M default,power 2> "$work/server" &
server=$!
# until it is there, or has failed
until grep -q 'http\|built without' "$work/server"; do sleep 0.05; done
# in steps: readers on a busy machine are late for a second that comes at once
for step in 1 2 3 4 5 6 7 8 9 10; do
	"$sim" ctl advance 100ms
	sleep 0.1
done
touch "$work/counted"
until [ -e "$work/over" ]; do sleep 0.05; done # until then
kill $server
wait $server
echo "status $?" >> "$work/server"
END

# start GPU: the machine and Prometheus, whose processes are told
start()
{
	rm -rf "$work/counted" "$work/over" "$work/data" "$work/log"
	export tool sim work
	"$sim" --strict --time virtual --gpu "$1" --scenario \
		"examples/memory-bound-$1.scenario" -- \
		bash "$work/machine" > "$work/machine.out" 2>&1 &
	machine=$!
	until [ -e "$work/counted" ]; do sleep 0.05; done # until then
	address=$(sed -n 's,.*http://\(.*\)/metrics$,\1,p' "$work/server")
	[ -n "$address" ] || return 1
	cat > "$work/prometheus.yml" << END
global: { scrape_interval: 1s, scrape_timeout: 1s }
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
		sleep 0.05 # until it listens
		api=$(sed -n 's,.*msg="Listening on" address=\([^ ]*\).*,http://\1/api/v1,p' \
			"$work/log")
	done
}

stop()
{
	touch "$work/over"
	kill $prometheus
	wait $prometheus $machine
}

# query EXPRESSION: the first answer, as labels and value
query()
{
	curl -s -m 60 "$api/query" --data-urlencode "query=$1" |
		jq -r '.data.result[0] | select(. != null) |
			"\(.metric.device) \(.metric.pci) \(.value[1])"'
}

# series NAME EXPRESSION ANSWER: a pattern, which comes with one of the first
# scrapes, of an Intel GPU when the reports of that second have been taken in
series()
{
	local end=$((SECONDS + hang)) answer=
	# it hangs if it does not come within that time
	until [[ $answer =~ ^$3$ ]] || [ $SECONDS -ge $end ]; do
		answer=$(query "$2")
		[[ $answer =~ ^$3$ ]] || sleep 0.1 # until it is there
	done
	echo "$2: $answer" > "$work/answer"
	has "$1" "$work/answer" ": $3\$"
}

# what it was told beside the values
metadata()
{
	curl -s -m 60 "$api/targets/metadata" > "$work/metadata"
	jq -r '.data[] | "\(.metric) \(.type) \(.unit)"' "$work/metadata" \
		> "$work/kinds"
	has "$1" "$work/kinds" "${@:2}"
}

healthy()
{
	curl -s -m 60 "$api/targets" |
		jq -r '.data.activeTargets[] | "\(.health) \(.lastError)"' \
			> "$work/health"
	has "$1: the target is up" "$work/health" '^up $'
}

if ! start vega10; then
	touch "$work/over"
	wait $machine
	skip "Prometheus reads what drmperf serve counts" \
		"drmperf was built without libmicrohttpd"
	finish
fi
series "vega10: Prometheus has the value of a counter" \
	drmperf_amdgpu_sq_waves_total \
	'0 0000:03:00.0 4785000'
series "vega10: Prometheus has bytes in base units" \
	drmperf_amdgpu_metric_fetch_size_bytes_total \
	'0 0000:03:00.0 245043200000'
series "vega10: Prometheus has the value of an average" \
	'drmperf_amdgpu_metric_gpu_busy_ratio_sum / drmperf_amdgpu_metric_gpu_busy_ratio_count' \
	'0 0000:03:00.0 0.99'
series "vega10: Prometheus has the value of a sensor" \
	drmperf_amdgpu_sensor_gfx_sclk_hertz \
	'0 0000:03:00.0 1400000000'
series "vega10: Prometheus finds all sources up" \
	'min by (device, pci) (drmperf_up)' \
	'0 0000:03:00.0 1'
series "vega10: Prometheus joins a counter with the GPU's name" \
	'drmperf_amdgpu_sq_waves_total * on (device, pci) group_left (chip) drmperf_device_info{chip="Vega 10"}' \
	'0 0000:03:00.0 4785000'
metadata "vega10: Prometheus has types and units" \
	'^drmperf_amdgpu_sq_waves counter waves$' \
	'^drmperf_amdgpu_metric_gpu_busy_ratio summary ratio$' \
	'^drmperf_device info $'
healthy vega10
stop
has "vega10: serve exits with 0" "$work/server" '^status 0$'
clean "vega10: serve has no memory error" cat "$work/machine.out"

start sklgt2
series "sklgt2: Prometheus has the value of a counter" \
	'drmperf_i915_oa_cs_threads_total' \
	'0 0000:00:02.0 12[01][0-9]{4}'
series "sklgt2: Prometheus has the value of a sensor" \
	drmperf_i915_sensor_act_freq_hertz \
	'0 0000:00:02.0 1140000000'
metadata "sklgt2: Prometheus has types and units" \
	'^drmperf_i915_oa_cs_threads counter threads$'
healthy sklgt2
stop
has "sklgt2: serve exits with 0" "$work/server" '^status 0$'
finish
