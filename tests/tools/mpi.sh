#!/bin/sh
# planc-mpi: what several ranks answer is byte for byte what planc answers, exit code and messages included; also when
# a rank is killed, for those that are left or after `--resume`. Usage: mpi.sh BUILD. The last line is "PASSED FAILED".
# Without mpirun, or where planc-mpi was not built, nothing is tested.
set -u
build=$1
planc=$build/planc
ranks=$build/planc-mpi
space=bench/deepseek_v3_space.plan
# Long enough to be stopped in the middle, as a rule: where ranks are sooner done, what they found has to be whole.
long="bench/llama3_70b_space.plan --exact"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' INT TERM
passed=0
failed=0

if [ ! -x "$ranks" ] || ! command -v mpirun >/dev/null; then
	echo "skipped: planc-mpi needs libopenmpi-dev and openmpi-bin, which are not installed"
	echo "0 0"
	exit
fi

# As root, with more ranks than processors, on one machine, in a container without ssh.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 \
	OMPI_MCA_plm=isolated OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none
if ! mpirun -n 2 true >"$tmp/log" 2>&1; then
	echo "skipped: mpirun cannot start processes here:"
	sed 's/^/     /' "$tmp/log"
	echo "0 0"
	exit
fi

# What MPI itself keeps is no leak of ours.
export ASAN_OPTIONS="${ASAN_OPTIONS-}:detect_leaks=0"

judge()
{
	if [ "$1" -eq 0 ]; then
		passed=$((passed + 1))
	else
		echo "FAIL mpi: $2"
		failed=$((failed + 1))
	fi
}

# same RANKS ARGUMENT...: output, messages and exit code are those of planc.
same()
{
	n=$1
	shift
	"$planc" "$@" >"$tmp/out.1" 2>"$tmp/err.1"
	code=$?
	mpirun -q -n "$n" "$ranks" "$@" >"$tmp/out.2" 2>"$tmp/err.2"
	[ $? -eq $code ] && cmp -s "$tmp/out.1" "$tmp/out.2" && cmp -s "$tmp/err.1" "$tmp/err.2"
	judge $? "$n ranks: $*"
}

# rank_pid RANK MPIRUN: the process of a rank.
rank_pid()
{
	grep -l "^PPid:[[:space:]]*$2\$" /proc/[0-9]*/status 2>/dev/null | while IFS=/ read -r _ _ pid _; do
		tr '\0' '\n' <"/proc/$pid/environ" 2>/dev/null | grep -qx "OMPI_COMM_WORLD_RANK=$1" && echo "$pid"
	done
}

# started NAME OPTION...: a search of three ranks that has written its checkpoint; $job is mpirun.
started()
{
	name=$tmp/$1
	shift
	mpirun "$@" -n 3 "$ranks" sweep $long --jobs 1 --checkpoint "$name.part" >"$name.out" 2>"$name.err" &
	job=$!
	for _ in $(seq 200); do
		sleep 0.05
		[ ! -e "$name.part" ] || break
	done
}

# goes_on NAME: planc and planc-mpi find the whole answer from where a search was stopped.
goes_on()
{
	cp "$tmp/$1.part" "$tmp/again.part" &&
		"$planc" sweep $long --checkpoint "$tmp/again.part" --resume 2>/dev/null | cmp -s "$tmp/long" - &&
		mpirun -q -n 2 "$ranks" sweep $long --checkpoint "$tmp/$1.part" --resume 2>/dev/null | cmp -s "$tmp/long" -
}

# stopped NAME: it has printed the whole answer, or a part and that it is one.
stopped()
{
	cmp -s "$tmp/long" "$tmp/$1.out" || { grep -q '^space: partial, ' "$tmp/$1.out" && grep -q W2403 "$tmp/$1.err"; }
}

"$planc" sweep $space >"$tmp/whole" && "$planc" sweep $long >"$tmp/long"
judge $? "unbroken runs"

# Those that are left go on; rank 0 waits for the lost one for some seconds, and so this is looked at in the end.
started lost --enable-recovery
lost=$job
kill -KILL "$(rank_pid 2 $job)"

for n in 1 2 4; do
	same "$n" sweep examples/search_deepseek_v3_a100.plan wider --format csv
done
same 4 sweep $space
same 3 sweep examples/llama3_8b_sweep.plan
same 3 sweep examples/llama3_70b_sweep.plan grids --format jsonl
same 3 sweep examples/deepseek_v3_h800.plan layouts --format json
same 3 sweep examples/search_llama3_8b_a100.plan grids --format html
same 2 sweep stdlib/tests/simumax_search_test.plan
same 2 sweep $space --shard 2/3 --checkpoint /dev/null/part

# One part by ranks, one by planc.
mpirun -q -n 3 "$ranks" sweep $space --shard 1/2 --checkpoint "$tmp/1.part" >"$tmp/log" 2>&1 &&
	"$planc" sweep $space --shard 2/2 --checkpoint "$tmp/2.part" >>"$tmp/log" 2>&1 &&
	"$planc" merge $space "$tmp/1.part" "$tmp/2.part" 2>/dev/null | cmp -s "$tmp/whole" -
judge $? "parts by ranks and by planc, joined"

# The sweeps that the property test compares with going through everything.
if [ -x "$build/tests/property/search_property" ]; then
	"$build/tests/property/search_property" --write >"$tmp/spaces.plan"
	same 3 sweep "$tmp/spaces.plan"
fi

same 3 sweep nowhere.plan
same 3 sweep $space nothing
same 3 sweep $space --jobs 0
same 3 sweep tests/golden/sweep/axes.plan
same 2 report examples/llama3_8b_a100.plan
same 2 ""

# On the machine of one rank the plan is missing.
cp $space "$tmp/here.plan"
(
	from=$PWD
	cd "$tmp" || exit
	"$from/$planc" sweep here.plan >there.1
	mpirun -q -n 2 "$from/$ranks" sweep here.plan : -n 1 -wdir / "$from/$ranks" sweep here.plan >there.2 2>there.err
)
cmp -s "$tmp/there.1" "$tmp/there.2" && grep -q 'W2404.*: rank 2 on .* takes no part: cannot read `here.plan`' "$tmp/there.err"
judge $? "a rank without the plan"

# A rank is killed: mpirun ends the others, rank 0 says what it has, the checkpoint has it, too.
started killed
kill -KILL "$(rank_pid 1 $job)"
wait $job
status=$?
stopped killed && { [ $status -eq 0 ] ||
	{ [ $status -eq 137 ] && grep -q 'process rank 1 .* exited on signal 9' "$tmp/killed.err"; }; }
judge $? "a rank is killed (exit $status)"
goes_on killed
judge $? "a rank is killed, and gone on"

started leader
kill -KILL "$(rank_pid 0 $job)"
wait $job
goes_on leader
judge $? "rank 0 is killed, and gone on"

started asked -q
kill -TERM "$(rank_pid 0 $job)"
wait $job
status=$?
stopped asked && { [ $status -eq 5 ] || cmp -s "$tmp/long" "$tmp/asked.out"; }
judge $? "rank 0 is asked to end (exit $status)"
goes_on asked
judge $? "rank 0 is asked to end, and gone on"

wait $lost
cmp -s "$tmp/long" "$tmp/lost.out" &&
	{ grep -q 'W2404.*: rank 2 on .* has not been heard of' "$tmp/lost.err" || ! grep -q 'W2404' "$tmp/lost.err"; }
judge $? "the others go on without a rank"

echo "$passed $failed"
