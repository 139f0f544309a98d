planc sweep nameless.plan
planc sweep nameless.plan --format jsonl
planc sweep nameless.plan --format csv
