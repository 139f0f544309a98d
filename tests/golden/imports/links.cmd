# A link may not lead out of the project; plan.toml says how far the project reaches.
mkdir -p $T/all/project && printf 'edition 1\nlet a = 1\n' >$T/all/out.plan
ln -s ../out.plan $T/all/project/in.plan && ln -s in.plan $T/all/project/near.plan
printf 'edition 1\nimport "in.plan" { a }\nimport "../out.plan" as o\n' >$T/all/project/x.plan
cd $T/all/project && planc check x.plan
touch $T/all/plan.toml
cd $T/all/project && planc check x.plan
