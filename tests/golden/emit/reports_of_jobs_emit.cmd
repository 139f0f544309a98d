planc emit reports_of_jobs.plan -o $T
find $T -type f | sort
