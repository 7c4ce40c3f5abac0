"""Reads and checks EnergyPlus models as idfkit and eppy do: `measure.py idfkit|eppy [--schema IDD] FILE...`.

Prints JSON: CPU seconds to read and to check each file (eppy checks nothing by itself), and peak memory in MB. What is
loaded once, such as a schema, is loaded before the clock runs.
"""

import argparse
import json
import resource
import time


def idfkit_reader(_schema):
    import idfkit

    idfkit.get_schema(idfkit.LATEST_VERSION)

    def check(document):
        return len(idfkit.validate_document(document).errors)

    return idfkit.load_idf, check


def eppy_reader(schema):
    from eppy.modeleditor import IDF

    IDF.setiddname(schema)
    return IDF, None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("peer", choices=["idfkit", "eppy"])
    parser.add_argument("--schema")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    read, check = {"idfkit": idfkit_reader, "eppy": eppy_reader}[arguments.peer](arguments.schema)
    # the first file is read once before, so that nothing is measured that is done once
    read(arguments.files[0])
    rows = []
    for file in arguments.files:
        begun = time.process_time()
        document = read(file)
        row = {"file": file, "read": time.process_time() - begun}
        if check:
            begun = time.process_time()
            row["findings"] = check(document)
            row["check"] = time.process_time() - begun
        rows.append(row)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"files": rows, "peak_mb": peak}))


main()
