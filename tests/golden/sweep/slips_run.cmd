planc sweep slips.plan days
