# Constraints that no axis decides, and two that contradict each other.
planc check constant.plan
planc sweep constant.plan
