#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# drmperf serve prints metrics for Prometheus over HTTP, and for node_exporter
# in a file.
. tests/tool/lib.sh

golden=tests/tool/serve
scenarios=examples

# What runs on the simulated machine: functions for the commands of a test.
cat > "$work/inside" << 'END'
# begin ARGUMENT...: the server, until it has told its address
begin()
{
	: > "$work/said"
	"$tool" serve "$@" 2> "$work/said" &
	server=$!
	until grep -q '/metrics$' "$work/said"; do
		kill -0 $server 2> /dev/null || return 1
		sleep 0.05 # until it is there
	done
	url=$(sed -n 's,^drmperf serve: \(http://.*\)/metrics$,\1,p' "$work/said")
}
# get FILE [OPTION]...: the metrics, or another page
get()
{
	local file=$1
	shift
	sleep 0.11 # until the page is read again
	curl -s -m 60 -o "$file" "$@"
}
# end [SIGNAL]: its exit status
end()
{
	kill "-${1:-TERM}" $server
	wait $server
	echo "status $?" >> "$work/said"
}
END

# machine OPTION... -- COMMANDS: below drmsim
machine()
{
	local options=()
	while [ "$1" != -- ]; do
		options+=("$1")
		shift
	done
	rm -f "$work"/got*
	work=$work tool=$tool sim=$sim "$sim" --strict --time virtual \
		"${options[@]}" -- bash -c ". \"\$work/inside\"; $2" \
		> "$work/out" 2>&1 || echo "status $?" >> "$work/out"
}

# golden NAME FILE: as it is kept, with fewer digits of what grows with the time
# that the last report comes late
golden()
{
	awk '/^drmperf_(i915_oa|gpu_busy|memory_(read|written))/ {
			$NF = sprintf($1 ~ /_(total|sum|count)/ ? "%.1g" : "%.2g", $NF)
		} {print}' "$2" > "$work/printed"
	if diff "$golden/$1" "$work/printed" > "$work/diff"; then
		ok "serve prints $1 as kept in its file"
	else
		not_ok "serve prints $1 as kept in its file" "$work/diff"
	fi
}

# rules NAME FILE: promtool has nothing to say
rules()
{
	if ! command -v promtool > /dev/null; then
		skip "$1" "there is no promtool (Debian: prometheus)"
	elif promtool check metrics < "$2" > "$work/lint" 2>&1 &&
		[ ! -s "$work/lint" ]; then
		ok "$1"
	else
		not_ok "$1" "$work/lint"
	fi
}

# ---------------------------------------------------------------- a file
machine --scenario $scenarios/memory-bound-vega10.scenario --gpu vega10 -- '
	"$tool" serve --textfile "$work/got.prom" -I 50 -M default,power &
	server=$!
	until [ -s "$work/got.prom" ]; do sleep 0.05; done
	"$sim" ctl advance 1s
	until grep -q "waves_total.* [1-9]" "$work/got.prom"; do sleep 0.05; done
	cp "$work/got.prom" "$work/got"
	stat -c %a "$work/got.prom"
	kill -TERM $server
	wait $server
	echo "end $?"
	ls "$work"/got*'
has "serve --textfile exits with 0 after SIGTERM" "$work/out" '^end 0$'
has "the text file is readable for others" "$work/out" '^644$'
absent "serve removes the text file when it ends" "$work/got.prom"
lacks "serve leaves no draft of the text file" "$work/out" 'got\.prom'
lacks "serve --textfile prints no message" "$work/out" '^drmperf|^status'
has "the text file has counters and sensors" \
	"$work/got" '^drmperf_amdgpu_sq_waves_total.* 4785000$' \
	'^drmperf_amdgpu_sensor_gpu_temp_celsius\{device="0",pci="0000:03:00.0"\} '
lacks "the text file is in Prometheus' text format" "$work/got" '^# (UNIT|EOF)'
rules "promtool accepts a text file" "$work/got"

status "serve --once exits with 0" \
	0 $vega "$tool" serve --once --textfile "$work/got.prom" -I 10 \
	-e amdgpu::sensor.gfx-sclk,TCC.HIT
has "serve --once writes the text file" \
	"$work/got.prom" '^drmperf_amdgpu_sensor_gfx_sclk_hertz\{' \
	'^drmperf_amdgpu_tcc_hit_requests_total.* 0$'
empty "serve --once prints no message" "$work/err"
DRMPERF_EVENTS=tests/tool/metrics.xml run 0 $sim --gpu vega10 --scenario \
	tests/tool/vega10.scenario -- "$tool" serve --once -I 50 \
	--textfile "$work/busiest" -e metric.Busiest
same "a count of the busiest instance is that of a second" <(awk '
	/busiest_requests_sum/ {sum = $2} /busiest_requests_count/ {n = $2}
	END {print (n && sum / n > 900 && sum / n < 1100)}' \
	"$work/busiest") 1
status "serve exits with 125 if the folder is missing" \
	125 $vega "$tool" serve --once -I 1 \
	--textfile "$work/none/x.prom"
has "the error names the file in a missing folder" \
	"$work/err" 'cannot write .*/none/x.prom: No such file'
status "serve --textfile exits with 125 below a file" \
	125 $vega "$tool" serve --textfile /dev/full/x
has "the error says that a part of the path is no folder" \
	"$work/err" 'cannot write /dev/full/x: Not a directory'
mkdir "$work/folder"
status "serve exits with 125 if the file is a folder" \
	125 $vega "$tool" serve --once -I 1 \
	--textfile "$work/folder"
has "the error says that the file is a folder" \
	"$work/err" 'cannot write .*: Is a directory'
absent "serve leaves no draft next to a folder" \
	"$(ls "$work"/folder.* 2> /dev/null || echo none)"

# ---------------------------------------------------------------- misuse
# misuse PATTERN ARGUMENT...
misuse()
{
	local pattern=$1
	shift
	run 129 $vega "$tool" serve "$@"
	has "serve $* is misuse" \
		"$work/err" "$pattern" '^try: drmperf serve --help'
	lacks "serve $* exits with 129" "$work/err" '^exit status'
}
misuse 'either --listen or --textfile' --listen :0 --textfile x
misuse '--once writes the file' --once
misuse '-I is for --textfile' -I 5
misuse 'takes no argument: "x"' x
misuse 'takes a number' --textfile x -I 0
status "serve --help exits with 0" 0 "$tool" serve --help
status "serve exits with 125 for an unknown event" \
	125 $vega "$tool" serve --textfile "$work/x" \
	-e SQ.NOSUCH
has "the error names the unknown event" "$work/err" 'SQ.NOSUCH'
status "serve exits with 125 if events take several passes" \
	125 $vega "$tool" serve \
	--textfile "$work/x" -e 'TCC.*'
has "the error names the group that takes several passes" "$work/err" 'TCC'
status "serve exits with 125 for an unknown metric group" \
	125 $vega "$tool" serve \
	--textfile "$work/x" -M nothing
status "serve exits with 125 without a GPU" \
	125 $sim -- "$tool" serve --textfile "$work/x"
has "the error says that there is no supported GPU" \
	"$work/err" 'no supported GPU'
status "serve exits with 125 for events of drmperf itself" \
	125 $vega "$tool" serve \
	--textfile "$work/x" -e 'amdgpu::fdinfo.*'
has "the error says that events would be of drmperf itself" \
	"$work/err" 'drmperf itself'
absent "serve makes no file if it refuses events" "$work/x"
status "serve exits with 125 for events that share a name" \
	125 $sim --gpu acmgt1 -- "$tool" \
	serve --textfile "$work/x" -e \
	i915::ComputeBasic.XveActive,i915::ComputeBasic.XveActive:device=9

# ---------------------------------------------------------------- over HTTP
run 125 $vega "$tool" serve --listen 127.0.0.1:99999999
if grep -q 'HTTP is left out' "$work/err"; then
	has "serve without HTTP has a remedy" \
		"$work/err" '^try: use --textfile'
	skip "serve answers over HTTP" "drmperf was built without libmicrohttpd"
	finish
fi
if ! command -v curl > /dev/null; then
	skip "serve answers over HTTP" "there is no curl"
	finish
fi
misuse 'takes ADDRESS:PORT' --listen 127.0.0.1:99999999
misuse 'takes ADDRESS:PORT' --listen 127.0.0.1:http
misuse 'takes ADDRESS:PORT' --listen '[::1'
misuse 'for a port alone write ":80", or "localhost:80"' --listen 80
status "serve exits with 125 for an address of another machine" \
	125 $vega "$tool" serve --listen 192.0.2.1:0
has "the error names the address" \
	"$work/err" 'cannot listen at 192.0.2.1:0: '

# for each vendor: what is printed after a second
for gpu in vega10 sklgt2; do
	machine --scenario $scenarios/memory-bound-$gpu.scenario --gpu $gpu -- '
		begin --listen 127.0.0.1:0 -M default,power || exit
		"$sim" ctl advance 1s
		get "$work/got" $url/metrics
		"$sim" ctl advance 1s
		get "$work/got.open" -H "Accept: application/openmetrics-text" \
			$url/metrics
		end'
	golden $gpu.text "$work/got"
	golden $gpu.openmetrics "$work/got.open"
	rules "promtool accepts the page of $gpu" "$work/got"
	has "$gpu: serve exits with 0 after SIGTERM" "$work/said" '^status 0$'
	empty "$gpu: drmsim --strict reports nothing" "$work/out"
done

machine --gpu vega10 -- '
	begin --listen 127.0.0.1:0 -e SQ.WAVES || exit
	get "$work/got1" -D "$work/got1.head" $url/metrics
	get "$work/got2" -D "$work/got2.head" -H "Accept: application/openmetrics-text;version=1.0.0,text/plain;q=0.5" $url/metrics
	get "$work/got3" -D "$work/got3.head" $url/nothing
	get "$work/got4" -D "$work/got4.head" -d x=y $url/metrics
	get "$work/got5" -D "$work/got5.head" $url/
	get "$work/got6" -D "$work/got6.head" -I $url/metrics
	"$tool" serve --listen ${url#http://} 2> "$work/got7"
	echo "status $?" >> "$work/got7"
	end HUP'
has "serve answers in Prometheus' text format by default" \
	"$work/got1.head" '^HTTP/1.1 200' \
	'^Content-Type: text/plain; version=0.0.4; charset=utf-8'
lacks "serve keeps a connection open" "$work/got1.head" '^Connection: close'
has "serve answers in OpenMetrics if the client accepts it" \
	"$work/got2.head" '^HTTP/1.1 200' \
	'^Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8'
same "OpenMetrics ends with # EOF" <(tail -n 1 "$work/got2") '# EOF'
has "an unknown page is answered with 404" "$work/got3.head" '^HTTP/1.1 404'
has "POST is answered with 405" \
	"$work/got4.head" '^HTTP/1.1 405' '^Allow: GET, HEAD'
has "the first page links to the metrics" "$work/got5" 'href="/metrics"'
has "HEAD is answered with the length" \
	"$work/got6.head" '^HTTP/1.1 200' '^Content-Length: [1-9]'
has "a port in use is an error with a remedy" "$work/got7" \
	'^drmperf serve: cannot listen at .*: Address already in use' \
	'^try: .*--listen ADDRESS:PORT' '^status 125'
has "serve exits with 0 after SIGHUP" "$work/said" '^status 0$'

# two GPUs, one event; instances have a label
machine --gpu vega10 --gpu vega20 --gpu sklgt2 -- '
	begin --listen localhost:0 -e TCC.HIT,TCC.MISS:instance=3 -e "oa.GpuBus?" || exit
	"$sim" ctl advance 1s
	get "$work/got" $url/metrics
	end'
has "serve prints counters of each GPU" \
	"$work/got" '^drmperf_amdgpu_tcc_hit_requests_total\{device="1",.* [1-9]' \
	'^drmperf_amdgpu_tcc_hit_requests_total\{device="2",.* [1-9]' \
	'^drmperf_amdgpu_tcc_miss_requests_total\{device="1",.*,hw_instance="3"\} [1-9]' \
	'^drmperf_device_info\{device="2",.*,chip="Vega 20",generation="[a-z0-9]+",product="[^"]+",uuid="[0-9a-f]{16}"\} 1$' \
	'^drmperf_i915_oa_gpu_busy_ratio_sum\{device="0",pci="0000:00:02.0"\} [1-9]' \
	'^drmperf_i915_oa_gpu_busy_ratio_count\{device="0",pci="0000:00:02.0"\} [1-9]'
same "a family of two GPUs has one type line" \
	<(grep -c '^# TYPE.*tcc_hit' "$work/got") 1
rules "promtool accepts the page of several GPUs" "$work/got"

# Two clients take an average of the time that each looks at: the hit rate is 1/4
# in the first second and 3/4 in the second, of thrice as many requests.
machine --gpu vega10 -- '
	begin --listen localhost:0 -e L2CacheHit || exit
	"$sim" ctl set rate "TCC.20 100000"
	"$sim" ctl set rate "TCC.22 300000"
	get "$work/got1" $url/metrics
	"$sim" ctl advance 1s
	get "$work/got2" $url/metrics
	"$sim" ctl set rate "TCC.20 900000"
	"$sim" ctl advance 1s
	get "$work/got3" $url/metrics
	end'
# mean FROM TO: as rate(sum) / rate(count) has it
mean()
{
	awk '/_ratio_sum/ { sum[FILENAME] = $NF }
		/_ratio_count/ { count[FILENAME] = $NF }
		END {
			sums = sum[ARGV[2]] - sum[ARGV[1]]
			printf "%.3f\n", sums / (count[ARGV[2]] - count[ARGV[1]])
		}' "$1" "$2"
}
same "an average covers the first second" \
	<(mean "$work/got1" "$work/got2") 0.250
same "an average covers the second second" \
	<(mean "$work/got2" "$work/got3") 0.750
same "an average covers both seconds for a client that skipped one" \
	<(mean "$work/got1" "$work/got3") 0.625

# ---------------------------------------------------------------- mishaps
# no sample of the event, and the reason
missing()
{
	lacks "$1: serve prints no value" "$2" '^drmperf_amdgpu_sq_waves'
	has "$1: serve prints the reason" \
		"$2" '^drmperf_up\{.*source="gfx"\} 0$' \
		'^drmperf_scrape_errors_total\{.*source="gfx"\} [1-9]' \
		"^drmperf_problem_info\{.*source=\"gfx\",cause=\".*$3.*\",remedy="
	rules "$1: promtool accepts the page" "$2"
}

machine --scenario $scenarios/memory-bound-vega10.scenario --gpu vega10 -- '
	begin --listen 127.0.0.1:0 -e SQ.WAVES,sensor.gfx-sclk || exit
	"$sim" ctl advance 1s
	get "$work/got1" $url/metrics
	"$sim" ctl reset-gpu 0
	get "$work/got2" $url/metrics
	get "$work/got3" $url/metrics
	"$sim" ctl advance 1s
	get "$work/got4" $url/metrics
	end
	"$sim" ctl clear'
has "a source is up before a reset" \
	"$work/got1" '^drmperf_up\{.*source="gfx"\} 1$'
missing "a reset" "$work/got2" reset
before=$(sed -n 's/^drmperf_amdgpu_sq_waves_total.* //p' "$work/got1")
has "serve goes on counting after a reset" \
	"$work/got3" "^drmperf_amdgpu_sq_waves_total.* $before\$" \
	'^drmperf_scrape_errors_total\{.*source="gfx"\} 1$'
has "a total goes on after a reset from where it was" \
	"$work/got4" "^drmperf_amdgpu_sq_waves_total.* $((2 * before))\$"
has "serve reports a reset and that it reads again" \
	"$work/said" 'reset' 'is read again' '^status 0$'

machine --gpu vega10 -- '
	begin --listen 127.0.0.1:0 -e SQ.WAVES || exit
	"$sim" ctl fault gone:1
	get "$work/got1" $url/metrics
	get "$work/got2" $url/metrics
	end'
missing "the GPU goes" "$work/got1" 'has gone'
missing "the GPU is gone" "$work/got2" 'No such device'
same "serve reports once that the GPU has gone" \
	<(grep -c 'has gone' "$work/said") 1

# a GPU that comes back is counted again, though libdrm has the old one open
back()
{
	local gpu=$1 counter=$2 sensor=$3 source=$4
	machine --gpu "$gpu" -- '
		begin --listen 127.0.0.1:0 -e '"$counter,$sensor"' || exit
		get "$work/got1" $url/metrics
		"$sim" ctl set gone on
		get "$work/got2" $url/metrics
		"$sim" ctl set gone off
		get "$work/got3" $url/metrics
		get "$work/got3" $url/metrics
		"$sim" ctl advance 1s
		get "$work/got4" $url/metrics
		end'
	has "$gpu goes: its source is down" "$work/got2" \
		"^drmperf_up\{.*source=\"$source\"\} 0\$" \
		'^drmperf_problem_info\{.*cause=".*the GPU has gone'
	has "$gpu comes back: its sources are up" "$work/got3" \
		"^drmperf_up\{.*source=\"$source\"\} 1\$" \
		'^drmperf_up\{.*source="sensor.*"\} 1$'
	lacks "$gpu comes back: no source is down" "$work/got3" \
		'^drmperf_up.* 0$' '^drmperf_problem_info'
	has "$gpu comes back: its totals grow" \
		<(diff <(grep _total "$work/got3") <(grep _total "$work/got4")) '^>.*_total'
}
back vega10 GRBM.COUNT sensor.gpu-temp gfx
back navi31 GRBM.COUNT sensor.gpu-temp gfx
back sklgt2 i915::RenderBasic.GpuCoreClocks i915::sensor.act-freq oa

# ---------------------------------------------------------------- as a service
for metric in $(grep -o 'drmperf_[a-z_]*_ratio' doc/cluster.md | sort -u); do
	has "doc/cluster.md asks for $metric, which is served" \
		$golden/vega10.text "^${metric}_sum\\{"
done
if command -v systemd-analyze > /dev/null; then
	sed 's,/usr/bin/drmperf,/bin/true,' doc/service/drmperf.service \
		> "$work/drmperf.service"
	run 0 systemd-analyze verify --man=no "$work/drmperf.service"
	empty "systemd has nothing to say of the unit" "$work/err"
else
	skip "systemd has nothing to say of the unit" \
		"there is no systemd-analyze"
fi
# shellcheck disable=SC2046
run 0 $vega "$tool" serve $(sed -n 's/.*ARGS="\(.*\) --listen.*/\1/p' \
	doc/cluster.md | head -n 1) --once --textfile "$work/got.prom" -I 1
has "the service's options in doc/cluster.md are served" "$work/got.prom" \
	'^drmperf_up\{.*source="gfx"\} 1$'

# ---------------------------------------------------------------- common names
# names GPU...: families of common names, a line for each
names()
{
	run 0 $sim --gpu "$1" -- "$tool" serve --once -I 1 \
		--textfile "$work/got.prom"
	cp "$work/got.prom" "$work/got"
	sed -n 's/^# TYPE drmperf_\(.*\) .*/\1/p' "$work/got" |
		grep -vE '^(amdgpu|i915|xe)_|^(device|problem)_info$' |
		grep -vxE 'up|scrape_errors_total|held_clock_hertz' > "$work/names"
	rules "promtool accepts the common names of $1" "$work/got"
}
memory='memory_used_bytes memory_size_bytes memory_read_bytes_total'
link='pcie_link_lanes pcie_link_transfers_per_second'
while read -r gpu list; do
	DRMPERF_DIES=one names "$gpu"
	same "$gpu: quantities have names that all drivers share" \
		"$work/names" "$(printf '%s\n' $list)"
done << END
vega10 gpu_busy_ratio power_watts temperature_celsius clock_hertz voltage_volts $memory $link pcie_replays_total
navi31 gpu_busy_ratio power_watts temperature_celsius clock_hertz voltage_volts fan_rpm $memory throttled $link
mi300 gpu_busy_ratio power_watts energy_joules_total temperature_celsius clock_hertz voltage_volts $memory ecc_errors_total $link pcie_replays_total pcie_recoveries_total
sklgt2 gpu_busy_ratio clock_hertz memory_read_bytes_total memory_written_bytes_total idle_seconds_total
acmgt3 gpu_busy_ratio clock_hertz $memory memory_written_bytes_total idle_seconds_total throttled $link
bmg gpu_busy_ratio clock_hertz $memory memory_written_bytes_total idle_seconds_total throttled $link
END
has "labels distinguish quantities of one name" "$work/got" \
	'^drmperf_clock_hertz\{.*,clock="graphics"\} [1-9]' \
	'^drmperf_clock_hertz\{.*,clock="media"\} [1-9]' \
	'^drmperf_memory_used_bytes\{.*,memory="vram"\} [1-9]' \
	'^drmperf_memory_used_bytes\{.*,memory="system"\} [1-9]' \
	'^drmperf_throttled\{.*,reason="power",detail="pl1"\} 0' \
	'^drmperf_pcie_link_lanes\{.*\} 8$' \
	'^drmperf_pcie_link_transfers_per_second\{.*\} 16000000000$'
# the same value under both names
sed -n 's/^drmperf_xe_sensor_vram_usage_bytes{.*} //p' "$work/got" > "$work/own"
sed -n 's/^drmperf_memory_used_bytes{.*"vram"} //p' "$work/got" > "$work/common"
same "a common name has the event's value" "$work/common" "$(cat "$work/own")"

# errors that RAS found, by block and severity, and shares of the time
machine --gpu mi350 -- '
	export DRMPERF_DIES=one
	begin --listen 127.0.0.1:0 -M telemetry || exit
	get "$work/got1" $url/metrics
	"$sim" ctl set file "ras/umc_err_count \"ue: 2\" \"ce: 40\" \"de: 0\""
	"$sim" ctl set gpu-metrics "ppt_residency_acc 30"
	"$sim" ctl set gpu-metrics "accumulation_counter 120"
	"$sim" ctl set gpu-metrics "pcie_nak_sent_count_acc 7"
	get "$work/got2" $url/metrics
	end'
has "serve shows errors by block and severity, throttling and PCIe" \
	"$work/got2" \
	'^drmperf_ecc_errors_total\{.*,block="umc",severity="correctable"\} 40$' \
	'^drmperf_ecc_errors_total\{.*,block="umc",severity="uncorrectable"\} 2$' \
	'^drmperf_ecc_errors_total\{.*,block="gfx",severity="correctable"\} 0$' \
	'^drmperf_throttled_samples_total\{.*,reason="power",detail="ppt"\} 30$' \
	'^drmperf_throttle_samples_total\{.*\} 120$' \
	'^drmperf_pcie_naks_total\{.*,direction="sent"\} 7$'
# the word counter in a name is the event's
grep -v accumulation_counter "$work/got2" > "$work/got3"
rules "promtool accepts errors, throttling and PCIe" "$work/got3"

# ---------------------------------------------------------------- processes
# a job by its environment, and a process that is in none
machine --gpu vega10 -- '
	exec 9<> /dev/dri/renderD128
	SLURM_JOB_ID=4711 sh -c "exec sleep 600 9<> /dev/dri/renderD128" &
	until [ "$(cat /proc/$!/comm)" = sleep ]; do sleep 0.05; done
	begin --listen localhost:0 -e SQ.WAVES --processes || exit
	get "$work/got1" $url/metrics
	"$sim" ctl advance 1s
	get "$work/got2" $url/metrics
	end
	kill %1'
has "serve --processes shows a process in its Slurm job" "$work/got2" \
	'^drmperf_process_memory_bytes\{pci="0000:03:00.0",pid="[0-9]+",command="sleep",slurm_job="4711"\} [0-9]+$' \
	'^drmperf_process_engine_busy_seconds_total\{pci="0000:03:00.0",pid="[0-9]+",command="sleep",slurm_job="4711",engine="[a-z0-9]+"\} [0-9.]+$'
has "serve --processes shows a process in no job" "$work/got2" \
	'^drmperf_process_memory_bytes\{pci="0000:03:00.0",pid="[0-9]+",command="bash"\} '
rules "promtool accepts series of processes" "$work/got2"
lacks "serve --processes does not show itself" "$work/got2" \
	'^drmperf_process.*command="drmperf"'

# ---------------------------------------------------------------- beside others
# beside GPU EVENTS OPTIONS ENVIRONMENT OTHERS: another process counts what does
# not fit beside the events of serve
beside()
{
	local gpu=$1 events=$2 options=$3 environment=$4 others=$5
	machine --gpu "$gpu" -- '
		begin --listen 127.0.0.1:0 '"$options"' -e '"$events"' || exit
		"$sim" ctl advance 1s
		get "$work/got1" $url/metrics
		# a serve that gets no CPU for seconds does not let go in time
		tries=0
		(while
			'"$environment"' "$tool" stat -e '"$others"' -- sh -c "
				: > $work/got.counts
				until [ -e $work/got.end ]; do sleep 0.05; done" \
				2> "$work/got.stat"
			status=$?
			[ -z "'"$options"'" ] && [ ! -e "$work/got.counts" ] &&
				[ $((tries++)) -lt 2 ] &&
				grep -q "pid [0-9]* (drmperf serve)" "$work/got.stat"
		do :; done
		exit $status) &
		other=$!
		until [ -e "$work/got.counts" ]; do
			kill -0 $other 2> /dev/null || break
			sleep 0.05
		done
		get "$work/got2" $url/metrics
		"$sim" ctl advance 1s
		: > "$work/got.end"
		wait $other
		echo "stat $?" >> "$work/got.stat"
		get "$work/got3" $url/metrics
		"$sim" ctl advance 1s
		get "$work/got4" $url/metrics
		end'
}
# yields NAME SOURCE BESIDE...
yields()
{
	local name=$1 source=$2
	shift 2
	beside "$@"
	has "$name: the other process counts" "$work/got.stat" '^stat 0$'
	has "$name: serve shows that its source is down" "$work/got2" \
		"^drmperf_up\{.*source=\"$source\"\} 0\$" \
		'^drmperf_problem_info\{.*cause="'
	lacks "$name: serve prints no values next to the other" \
		"$work/got2" '^drmperf_(amdgpu|i915|xe)_'
	has "$name: serve counts again afterwards" "$work/got4" \
		"^drmperf_up\{.*source=\"$source\"\} 1\$" '_total\{.* [1-9]'
	has "$name: serve reports that it gave up and reads again" \
		"$work/said" 'were released' \
		'is read again' '^status 0$'
	empty "$name: drmsim --strict reports nothing" "$work/out"
}
tcc=TCC.HIT,TCC.MISS,TCC.READ,TCC.WRITE
yields "slots of vega10" gfx vega10 $tcc '' '' TCC.TAG_STALL
yields "a process on navi31 that does not share" gfx navi31 GL2C.REQ '' \
	DRMPERF_SHARE=0 GL2C.MISS
yields "a metric set of sklgt2" oa sklgt2 i915::RenderBasic.GpuCoreClocks '' '' \
	i915::ComputeBasic.GpuCoreClocks
yields "a metric set of bmg" oa bmg xe::RenderBasic.GpuCoreClocks '' '' \
	xe::ComputeBasic.GpuCoreClocks

beside vega10 $tcc --no-yield '' TCC.TAG_STALL
has "--no-yield: the other process is refused, with the process that counts" \
	"$work/got.stat" 'pid [0-9]+ \(drmperf serve\)' '^stat 125$'
has "--no-yield: serve counts" "$work/got2" '^drmperf_up\{.*source="gfx"\} 1$'
beside navi31 GL2C.REQ --no-yield DRMPERF_SHARE=0 GL2C.MISS
has "--no-yield: a process that does not share is refused" "$work/got.stat" \
	'in use by pid [0-9]+ \(drmperf serve\)' '^stat 125$'
back bmg xe::RenderBasic.GpuTime xe::sensor.act-freq-gt0 oa

# one of two GPUs is not for everybody
machine --unprivileged --gpu vega10,node-mode=0000 --gpu vega20 -- '
	begin --listen localhost:0 -e SQ.WAVES || exit
	get "$work/got1" $url/metrics
	end
	"$tool" serve --textfile "$work/got2" --once -I 1 \
		-e SQ.WAVES:device=1 2> "$work/other"'
has "a GPU that cannot be opened is shown" "$work/got1" \
	'^drmperf_up\{device="0",pci="0000:03:00.0",source="device"\} 0$' \
	'^drmperf_up\{device="1",.*,source="gfx"\} 1$' \
	'^drmperf_problem_info\{device="0",.*cause=".*no permission to open'
rules "promtool accepts the page of a GPU that cannot be opened" "$work/got1"
has "serve -e shows the GPU of its events" \
	"$work/got2" '^drmperf_up\{device="1"'
lacks "serve -e does not show a GPU of no event" "$work/got2" 'device="0"'

machine --gpu vega10 -- '
	DRMPERF_SHARE=0 "$tool" stat -I 50 -e TCC.HIT -a 2> "$work/other" &
	other=$!
	until [ -s "$work/other" ]; do sleep 0.05; done
	"$tool" serve --textfile "$work/got.prom" -e SQ.WAVES 2> "$work/got3"
	echo "status $?" >> "$work/got3"
	begin --listen 127.0.0.1:0 -e SQ.WAVES,sensor.gfx-sclk || exit
	get "$work/got1" $url/metrics
	kill -TERM $other
	wait $other
	get "$work/got2" $url/metrics
	end'
missing "another process counts" "$work/got1" 'in use by pid [0-9]'
has "serve exits with 125 if all of its events are in use" \
	"$work/got3" 'in use by pid' '^status 125'
absent "serve makes no file if all of its events are in use" "$work/got.prom"
has "serve prints sensors while counters are in use" \
	"$work/got1" '^drmperf_amdgpu_sensor_gfx_sclk_hertz\{'
has "serve counts once counters are free" "$work/got2" \
	'^drmperf_amdgpu_sq_waves_total.* 0$' '^drmperf_up\{.*source="gfx"\} 1$'

# ---------------------------------------------------------------- web pages
# status_of NAME HEADER...: what is answered to a request with that
machine --gpu vega10 -- '
	begin --listen localhost:0 -e SQ.WAVES || exit
	while IFS="|" read -r due header; do
		got=$(get /dev/null -w "%{http_code}" -H "$header" $url/metrics)
		echo "$got (due $due) $header"
	done > "$work/got1" << "END"
200|Host: localhost
200|Host: LOCALHOST:19600
200|Host: 127.0.0.1
200|Host: 127.1.2.3:80
200|Host: [::1]
200|Host: [::1]:19600
403|Host: rebind.example
403|Host: rebind.example:19600
403|Host: localhost.rebind.example
403|Host: 127.0.0.1.rebind.example
403|Host: 192.0.2.1
403|Host: [::2]
403|Host: [::1
403|Host: 0x7f000001.rebind.example
403|Origin: http://rebind.example
403|Origin: null
END
	end
	begin --listen 0.0.0.0:0 -e SQ.WAVES || exit
	get "$work/got2" -H "Host: gpu7.example" ${url/0.0.0.0/127.0.0.1}/metrics
	end'
while read -r answer; do
	same "serve keeps out web pages only: ${answer#*) }" \
		<(echo "${answer%% *}") "$(expr "$answer" : '.*(due \([0-9]*\))')"
done < "$work/got1"
same "all kinds of requests were tried" <(wc -l < "$work/got1") 16
has "serve at 0.0.0.0 answers to any host name" "$work/got2" '^drmperf_up'

# ---------------------------------------------------------------- many clients
machine --gpu vega10 -- '
	begin --listen 127.0.0.1:0 -e SQ.WAVES || exit
	clients="python3 tests/tool/serve_clients.py"
	$clients burst ${url#http://}
	get "$work/got1" -m 20 $url/metrics
	$clients idle ${url#http://} > "$work/got2" 2>&1
	$clients slow ${url#http://} > "$work/got3" 2>&1 &
	slow=$!
	# at its limit it may close one more, which asks again
	get "$work/got4" --retry 20 --retry-delay 1 --retry-all-errors $url/metrics
	wait $slow
	"$sim" ctl fault gone:1
	$clients pipelined ${url#http://} > "$work/got5" 2>&1
	end
	"$sim" ctl clear'
has "serve answers after bursts of clients that leave" \
	"$work/got1" '^drmperf_up'
has "clients that are idle make room for others" "$work/got2" '^scraped 200'
has "slow clients are sent away" "$work/got3" '^all were sent away'
has "fast clients get responses while others are slow" "$work/got4" '^drmperf_up'
has "pipelined requests are all answered" "$work/got5" '^answers 300'
has "pipelined requests read the counters seldom" "$work/got5" '^read seldom'
has "serve exits with 0 after many clients" "$work/said" '^status 0$'
finish
