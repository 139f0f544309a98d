# In place: what was changed is named, and nothing is written twice.
cp statements.plan comments.plan broken.plan $T
planc fmt --check $T/statements.plan $T/comments.plan
planc fmt $T/statements.plan $T/comments.plan $T/statements.plan
planc fmt $T/statements.plan $T/comments.plan
planc fmt --check $T/statements.plan $T/comments.plan
planc fmt - <$T/statements.plan | cmp - $T/statements.plan
planc fmt - <$T/comments.plan | cmp - $T/comments.plan
# A file with a syntax error is left alone.
planc fmt $T/broken.plan
cmp broken.plan $T/broken.plan
planc fmt --check - <broken.plan
planc fmt --check - <statements.plan
# What cannot be read or written.
planc fmt $T/missing.plan $T
ln -s comments.plan $T/link.plan; echo 'let  x = 1' >>$T/comments.plan; planc fmt $T/link.plan
cp encoding.plan $T/kept.plan; chmod 640 $T/kept.plan; planc fmt $T/kept.plan; stat -c %a $T/kept.plan
planc fmt
