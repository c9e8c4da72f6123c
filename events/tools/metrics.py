def make_metrics(facts, blocks):
    return []
