"""The peer's side of `cargo xtask bench`: IfcOpenShell validates a file, without the rules of its schema or with them."""

import json
import resource
import sys
import time

import ifcopenshell
import ifcopenshell.validate


def main(source, rules):
    """Prints the figures as JSON. The schema's rules are made ready before: Pensaer has them in its tables."""
    model = ifcopenshell.open(source)
    logger = ifcopenshell.validate.json_logger()
    if rules:
        ifcopenshell.validate.validate(ifcopenshell.file(schema=model.schema), logger, express_rules=True)
    cpu, wall = time.process_time(), time.perf_counter()
    ifcopenshell.validate.validate(model, logger, express_rules=rules)
    figures = {
        "validate": {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall},
        "findings": len(logger.statements),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main(sys.argv[1], "--rules" in sys.argv)
