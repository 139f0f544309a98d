planc sweep every_axis.plan
