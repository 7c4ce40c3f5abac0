"""The peer's side of `cargo xtask bench --knowledge`: rdflib asks a Turtle file by SPARQL, again and again."""

import json
import resource
import statistics
import sys
import time

import rdflib


def main(path, sparql):
    """Prints the rows and the times in ms as JSON."""
    begin = time.perf_counter()
    graph = rdflib.Graph()
    graph.parse(path, format="turtle")
    told = {"load_ms": (time.perf_counter() - begin) * 1e3, "triples": len(graph)}
    prefixes = {prefix: iri for prefix, iri in graph.namespaces()}
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        rows = list(graph.query(sparql, initNs=prefixes))
        times.append((time.perf_counter() - begin) * 1e3)
    told |= {"rows": len(rows), "median_ms": statistics.median(times), "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}
    print(json.dumps(told))


main(*sys.argv[1:])
