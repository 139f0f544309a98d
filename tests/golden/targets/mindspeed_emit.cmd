planc emit mindspeed.plan -o $T
cat $T/own.sh
# A torchrun that says what it was given. What differs between the script that was given and the plan's says
# the same: cp is 1 (no algorithm is used), every layer is a mixture (-1 twice is the default), and the plan
# writes etp, the optimizer and the vocabulary, which are the defaults or follow from the tokenizer.
mkdir $T/bin && printf '#!/bin/sh\nprintf "%%s\\n" "$@"\n' >$T/bin/torchrun && chmod +x $T/bin/torchrun && cp given_mindspeed.sh $T
(cd $T && export PATH=$T/bin:$PATH DATA_PATH=d TOKENIZER_PATH=t CKPT_LOAD_DIR=l CKPT_SAVE_DIR=s; for s in given_mindspeed given tuned; do bash $s.sh; echo; done | awk -v RS= -v d=$T '{ print > (d "/" NR ".words") }')
for i in 1 2 3; do awk -f flags.awk $T/$i.words >$T/$i.flags; done
diff $T/1.flags $T/2.flags
grep -E -e '^--(stage|lora|neat|prompt|is-inst)' $T/3.flags
for f in $T/*.sh; do bash -n $f; done
if command -v shellcheck >/dev/null; then shellcheck -S warning $T/own.sh $T/tuned.sh $T/given.sh; fi
