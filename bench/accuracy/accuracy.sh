#!/bin/sh
# How far predictions are from measured runs, and where the error lies. Usage: accuracy.sh PLANC [PROFILE]
#
# Runs that differ in the number of micro-batches alone say what one micro-batch takes and what a step takes
# besides (bubble, gradient traffic, optimizer): a line through them. The error of either is printed apart.
set -eu
cd "$(dirname "$0")"
planc=$1
case $planc in /*) ;; *) planc=$OLDPWD/$planc ;; esac
profile=${2:-standard}

# Seconds of a job of a plan: SECONDS PLAN JOB PARAMETERS...
seconds()
{
	plan=$1 job=$2
	shift 2
	"$planc" report "$plan" "$job" --format json --profile "$profile" "$@" 2>/dev/null |
		sed -n 's/.*"time_s": *\([0-9.e+-]*\).*/\1/p' | head -n 1
}

predictions()
{
	sed 1d runs.csv | while IFS=, read -r machine model layers tp pp vpp cp ep sequence micro_batches fused_loss measured; do
		predicted=$(seconds runs.plan run -p "machine=$machine" -p "shape=$model" -p "layers=$layers" \
			-p "tp=$tp" -p "pp=$pp" -p "vpp=$vpp" -p "cp=$cp" -p "ep=$ep" -p "sequence=$sequence" \
			-p "micro_batches=$micro_batches" -p "fused_loss=$fused_loss")
		echo "$machine,$model,$layers,$tp,$pp,$vpp,$cp,$ep,$sequence,$micro_batches,$fused_loss,$measured,$predicted"
	done
}

pairs()
{
	sed 1d overlap.csv | while IFS=, read -r job products off on; do
		without=$(seconds overlap.plan "$job" -p "products=$products" -p on=false)
		with=$(seconds overlap.plan "$job" -p "products=$products" -p on=true)
		echo "$job,$products,$off,$on,$without,$with"
	done
}

predictions | awk -F , -v profile="$profile" '
	function abs(x) { return x < 0 ? -x : x }
	function add(group, e) { n[group]++; far[group] += abs(e); bias[group] += e }
	function line(group) {
		printf "%-34s %4d runs  mean error %5.2f %%  mean deviation %+5.2f %%\n", group, n[group],
		       100 * far[group] / n[group], 100 * bias[group] / n[group]
	}
	$13 == "" { lost++; next }
	{
		kind = $2 ~ /deepseek/ ? "experts" : $7 > 1 ? "context" : "dense"
		e = $13 / $12 - 1
		add("all", e); add($1 ", " kind, e)
		series = $1 "," $2 "," $3 "," $4 "," $5 "," $6 "," $7 "," $8 "," $9 "," $11
		if (!(series in seen)) { seen[series] = 1; order[++count] = series }
		real[series, $10] = $12; told[series, $10] = $13
	}
	END {
		printf "step time under profile %s against measured runs\n", profile
		line("all")
		for (g in n) if (g != "all") groups[++k] = g
		for (i = 1; i <= k; i++) for (m = i + 1; m <= k; m++)
			if (groups[m] < groups[i]) { t = groups[i]; groups[i] = groups[m]; groups[m] = t }
		for (i = 1; i <= k; i++) line(groups[i])
		if (lost) printf "%d runs were refused\n", lost
		print "\nerror of one micro-batch, and of what a step takes besides, as shares of a step of eight"
		for (i = 1; i <= count; i++) {
			s = order[i]
			if (real[s, 8] == "" || real[s, 32] == "") continue
			slope = (real[s, 32] - real[s, 8]) / 24; mine = (told[s, 32] - told[s, 8]) / 24
			split(s, f, ",")
			printf "  %-18s %-16s tp %d pp %d ep %d  micro-batches %+6.2f %%  rest %+6.2f %%\n", f[1], f[2],
			       f[4], f[5], f[8], 100 * 8 * (mine - slope) / real[s, 8],
			       100 * ((told[s, 8] - 8 * mine) - (real[s, 8] - 8 * slope)) / real[s, 8]
		}
	}'
echo
echo "what overlap inside a layer saves, as a share of the step"
pairs | awk -F , '{ printf "  %-10s %-5s measured %5.1f %%  predicted %5.1f %%\n", $1, $2, 100 * (1 - $4 / $3), 100 * (1 - $6 / $5) }'
