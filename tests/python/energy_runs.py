"""Prototypes that are simulated for some days through Pensaer's tools, and what EnergyPlus itself wrote in the same run: its database, its
report of tables, the CSV file that its own ReadVarsESO makes of its meters, and what it says of zones before it simulates."""

import csv
import html
import json
import re
import sqlite3
import time
import urllib.request
from pathlib import Path

from client import Fault
from energy_idf import Model

WEATHERS = {
    "Chicago": "USA_IL_Chicago-OHare.Intl.AP.725300_TMY3.epw",
    "Denver": "USA_CO_Golden-NREL.724666_TMY3.epw",
}
# what a run is told anew: its periods and its outputs
REPLACED = (
    "RunPeriod", "SimulationControl", "Output:SQLite", "Output:Table:SummaryReports", "OutputControl:Table:Style", "Output:Table:Monthly",
    "Output:Variable", "Output:Meter", "Output:Meter:MeterFileOnly",
)
# design days are simulated as well, so that what belongs to them could be mistaken for what belongs to the days of the year
DAYS = """
SimulationControl,Yes,Yes,Yes,Yes,Yes,No,1;
RunPeriod,Winter days,1,8,,1,10,,Tuesday,No,No,No,Yes,Yes;
RunPeriod,Summer days,7,10,,7,12,,Tuesday,No,No,No,Yes,Yes;
"""
OUTPUTS = """
Output:SQLite,SimpleAndTabular;
Output:Table:SummaryReports,AllSummaryAndSizingPeriod;
OutputControl:Table:Style,HTML;
"""


def weather_of(model, energyplus):
    """The weather file that goes with a prototype."""
    [file] = (file for place, file in WEATHERS.items() if place in model)
    return str(Path(energyplus) / "WeatherData" / file)


def with_days(path, outputs):
    """The text of a prototype that simulates its design days, three days in January and three in July, with these outputs."""
    model = Model(path.read_text(encoding="latin-1"))
    for kind in REPLACED:
        for one in model.all(kind):
            model.remove(one)
    model.add(DAYS + OUTPUTS + outputs)
    return model.changed()


def run(session, **asked):
    """A run to its end, however long it takes."""
    answer = session.call("run_simulation", **asked)
    while answer["status"] in ("queued", "running"):
        answer = session.call("get_simulation_status", job_id=answer["job_id"], wait_seconds=30)
    return answer


def begin(session, tool, **arguments):
    """Asks and does not wait for the answer; the number by which `answer` finds it."""
    number = next(session.numbers)
    session.send({"id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
    return number


def answer(session, number):
    """The answer to what `begin` asked, as a call has it."""
    for line in session.process.stdout:
        message = json.loads(line)
        if message.get("id") == number:
            result = message["result"]
            if result.get("isError"):
                raise Fault("begun", result.get("structuredContent") or result)
            return result["structuredContent"]
    raise EOFError("the server closed its output")


def whole(answer):
    """An answer with all the members of its lists, which one that is long has in a file beside it."""
    if "omitted" not in answer:
        return answer
    [link] = [link for link in answer["links"] if link["title"] == "The whole answer"]
    with urllib.request.urlopen(link["href"]) as reply:
        return json.load(reply)


def resource(session, uri):
    """What stands at an address."""
    [content] = session.request("resources/read", {"uri": uri})["contents"]
    return json.loads(content["text"])


def wait_until(what, seconds=60):
    """Waits until something is so; its value."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = what()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"{what.__doc__ or what} is not so after {seconds} s")


def fault_of(call, *given, **asked):
    """The one Fault that a call ends with."""
    try:
        answer = call(*given, **asked)
    except Fault as fault:
        return fault.fault
    raise AssertionError(f"no Fault but {json.dumps(answer)[:600]}")


TAG = re.compile(r"<[^>]*>")
PARTS = re.compile(
    r"<p>Report:<b>(?P<report>.*?)</b></p>|<p>For:<b>(?P<what>.*?)</b></p>|<b>(?P<title>[^<]*)</b><br><br>|<table\b[^>]*>(?P<table>.*?)</table>",
    re.DOTALL,
)
ROW = re.compile(r"<tr>(.*?)</tr>", re.DOTALL)
CELL = re.compile(r"<td[^>]*>(.*?)(?:</td>|\n)", re.DOTALL)


class Table:
    """A table of the report as EnergyPlus printed it."""

    def __init__(self, text):
        rows = [[words(cell) for cell in CELL.findall(row)] for row in ROW.findall(text)]
        self.columns = rows[0][1:]
        self.rows = [(row[0], row[1:]) for row in rows[1:] if row]

    def column(self, name):
        """Where a column stands, by its name without units."""
        [at] = [at for at, column in enumerate(self.columns) if plain(column) == name]
        return at

    def by_row(self, name):
        """The cells of a column by row."""
        at = self.column(name)
        return {row: cells[at] for row, cells in self.rows if row}


def words(cell):
    return html.unescape(TAG.sub("", cell)).replace("\xa0", " ").strip()


def plain(column):
    """A heading without its units."""
    return re.sub(r"\s*[\[{][^\]}]*[\]}]\s*$", "", column)


def tables(path):
    """Every table of `eplustbl.htm`, by report, what it is for, and title."""
    found, report, what, title = {}, "", "", ""
    for part in PARTS.finditer(path.read_text(encoding="latin-1")):
        if part["report"] is not None:
            report = words(part["report"])
        elif part["what"] is not None:
            what = words(part["what"])
        elif part["title"] is not None:
            title = words(part["title"])
        else:
            found[report, what, title] = Table(part["table"])
    return found


def printed(cell):
    """The number in a cell with half a unit of its last digit; none where there is none."""
    try:
        value = float(cell)
    except ValueError:
        return None
    digits, _, power = cell.lower().partition("e")
    decimals = len(digits.partition(".")[2])
    return value, 0.5000001 * 10.0 ** (int(power or 0) - decimals)


def step(value, decimals):
    """Half of the last digit that Pensaer tells of a number: so many decimals, or four digits that count where that is more."""
    first = 0
    if value:
        first = int(f"{abs(value):e}".partition("e")[2])
    return 0.5000001 * 10.0 ** -max(decimals, 3 - first)


def same(told, exact, decimals):
    """True of a number that is another one to the digits that are told."""
    return abs(told - exact) <= step(exact, decimals) + 1e-12 * abs(exact)


class Written:
    """What EnergyPlus left of a run."""

    def __init__(self, folder):
        self.folder = folder
        self.database = sqlite3.connect(f"file:{folder / 'eplusout.sql'}?mode=ro", uri=True)
        self.tables = tables(folder / "eplustbl.htm")

    def rows(self, sql, *given):
        return self.database.execute(sql, given).fetchall()

    def meters(self):
        """The sums of the monthly meters over the run periods, by their names."""
        return dict(self.rows(
            "SELECT d.Name, sum(r.Value) FROM ReportData r JOIN ReportDataDictionary d USING (ReportDataDictionaryIndex)"
            " JOIN Time t USING (TimeIndex) JOIN EnvironmentPeriods e USING (EnvironmentPeriodIndex)"
            " WHERE d.IsMeter = 1 AND d.ReportingFrequency = 'Monthly' AND e.EnvironmentType = 3 GROUP BY d.Name"
        ))

    def meters_by_readvars(self):
        """The same from the CSV file of EnergyPlus' ReadVarsESO, which says nothing of environments: every period lies in one month and
        is a row, design days first."""
        kinds = [kind for (kind,) in self.rows("SELECT EnvironmentType FROM EnvironmentPeriods ORDER BY EnvironmentPeriodIndex")]
        with open(self.folder / "eplusmtr.csv", newline="") as file:
            heading, *rows = csv.reader(file)
        assert len(rows) == len(kinds) and kinds == sorted(kinds), (kinds, [row[0] for row in rows])
        monthly = [at for at, name in enumerate(heading) if name.endswith("(Monthly)")]
        own = [row for row, kind in zip(rows, kinds, strict=True) if kind == 3]
        return {heading[at].partition(" [")[0]: sum(float(row[at]) for row in own) for at in monthly}

    def table(self, report, title, what="Entire Facility"):
        return self.tables[report, what, title]
