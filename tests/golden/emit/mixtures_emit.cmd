planc emit mixtures.plan -o $T > /dev/null
sed 1,2d $T/first_0.12.flags
sed 1,2d $T/overlapped_0.14.flags | grep -e moe -e layout -e overlap -e recompute
diff $T/deep_0.13.flags $T/deep_0.20.flags
sed 1,2d $T/hosted_0.16.flags | grep -e moe -e mla -e offload -e freq
cat $T/windowed_0.15.flags $T/delta_0.16.flags $T/indexed_0.16.flags | grep -e window -e linear-a -e linear-[nkv] -e variant -e dsa -e fp4 -e graph | sort -u
grep -h -e fsdp -e shard -e transpose $T/whole_0.16.flags $T/whole_0.20.flags $T/copied_0.20.flags $T/moments_0.20.flags | sort | uniq -c
sed 1,2d $T/last_0.20.flags
sed 1,2d $T/streamed_0.20.flags | grep -e mhc -A 4 -e recompute
