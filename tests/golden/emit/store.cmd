# written once, then current; the plan's folder does not matter
planc emit simumax.plan -o $T
planc emit simumax.plan -o $T
planc emit simumax.plan -o $T --check
planc emit script.plan -o $T --check
planc emit script.plan -o $T
# nothing is written over what planc did not write, and then none of the emit's files
echo mine > $T/train.sh
planc emit script.plan -o $T
cat $T/train.sh
echo '{}' > $T/files/strategy.json
echo '{}' > $T/files/model.json
planc emit simumax.plan -o $T
planc emit simumax.plan -o $T --check
rm $T/files/model.json $T/files/strategy.json $T/files/system.json $T/files/.planc-artefacts
echo '{}' > $T/files/system.json
planc emit simumax.plan -o $T
ls -A $T/files
rm $T/files/system.json
echo mine > $T/files/.planc-artefacts
planc emit simumax.plan -o $T
ls -A $T/files
# a folder in the way, a link on the way
rm $T/files/.planc-artefacts
mkdir $T/files/model.json
planc emit simumax.plan -o $T
rmdir $T/files/model.json $T/files
mkdir $T/elsewhere
ln -s elsewhere $T/files
planc emit simumax.plan -o $T
ls -A $T/elsewhere
planc emit script.plan megatron -o $T/made/by/planc
planc emit script.plan simumax -o $T
