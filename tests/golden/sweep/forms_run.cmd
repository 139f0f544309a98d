# The forms of a report, and the file that it is written to.
planc sweep boxes.plan sizes --format jsonl | sed -n 1,3p
planc sweep boxes.plan nothing --format jsonl 2>/dev/null
planc sweep forms.plan odd --format html
planc sweep boxes.plan front --format html -o $T/front.html && grep -c '<circle' $T/front.html
planc sweep boxes.plan sizes --format html -o $T/front.html && grep -c '<circle' $T/front.html
planc sweep boxes.plan sizes --format csv -o $T/front.html
planc sweep boxes.plan sizes --format csv -o $T/sizes.csv && sed -n 1,2p $T/sizes.csv
planc sweep boxes.plan sizes --format csv -o $T/sizes.csv
planc sweep boxes.plan sizes -o $T/sizes.txt && sed -n 1p $T/sizes.txt
planc sweep boxes.plan sizes --format jason
planc sweep boxes.plan --format html
