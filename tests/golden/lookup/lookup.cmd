planc test lookup.plan
