"""Results as Pensaer's tools tell them, beside what EnergyPlus itself wrote in the same run: energy by end use against its meters and its table,
peak loads against its sizes, their parts against its report of components. Prototypes run for some days in winter and summer and for
their design days.

In the ordinary run three models are tried; `PENSAER_ALL_RESULTS=1` tries all 32.
"""

import os
from pathlib import Path

import energy_runs as runs
import needs
import pytest
from client import Client
from energy_runs import plain, printed, same

ENERGYPLUS = needs.energyplus()
PROTOTYPES = Path(needs.prototypes())
ALL = os.environ.get("PENSAER_ALL_RESULTS", "") not in ("", "0")
# a tower with chillers and storeys that stand for several; cold rooms; a kitchen, whose run has severe errors and many warnings
ORDINARY = ("RefBldgLargeOfficeNew2004_Chicago", "RefBldgSuperMarketNew2004_Chicago", "ASHRAE901_RestaurantFastFood_STD2019_Denver")
MODELS = tuple(sorted(path.stem for path in PROTOTYPES.glob("*.idf"))) if ALL else ORDINARY

# the rows of the table of end uses and the first parts of the names of their meters, as EnergyPlus' manual has them (Input Output Reference,
# Output:Meter)
USES = {
    "Heating": "Heating",
    "Cooling": "Cooling",
    "Interior Lighting": "InteriorLights",
    "Exterior Lighting": "ExteriorLights",
    "Interior Equipment": "InteriorEquipment",
    "Exterior Equipment": "ExteriorEquipment",
    "Fans": "Fans",
    "Pumps": "Pumps",
    "Heat Rejection": "HeatRejection",
    "Humidification": "Humidifier",
    "Heat Recovery": "HeatRecovery",
    "Water Systems": "WaterSystems",
    "Refrigeration": "Refrigeration",
    "Generators": "Cogeneration",
}
SOURCES = {
    "Electricity": "Electricity",
    "Natural Gas": "NaturalGas",
    "Gasoline": "Gasoline",
    "Diesel": "Diesel",
    "Coal": "Coal",
    "Fuel Oil No 1": "FuelOilNo1",
    "Fuel Oil No 2": "FuelOilNo2",
    "Propane": "Propane",
    "Other Fuel 1": "OtherFuel1",
    "Other Fuel 2": "OtherFuel2",
    "District Cooling": "DistrictCooling",
    "District Heating Water": "DistrictHeatingWater",
    "District Heating Steam": "DistrictHeatingSteam",
    "Water": "Water",
}
# what systems hand on, and what is counted in a source already
NO_SOURCES = {
    "EnergyTransfer", "MainsWater", "PlantLoopCoolingDemand", "PlantLoopHeatingDemand", "ElectricityNet", "ElectricityPurchased",
    "ElectricitySurplusSold",
}
# recorded for each run period as well, so that an end use can name its meter; those of other sources are left to the table
EXACT = "".join(f"Output:Meter,{use}:Electricity,RunPeriod;\n" for use in USES.values())
OUTPUTS = (
    "".join(f"Output:Meter,{use}:*,Monthly;\n" for use in USES.values())
    + "".join(f"Output:Meter,{source}:Facility,Monthly;\n" for source in SOURCES.values())
    + EXACT
    + "Output:Meter,Electricity:Facility,RunPeriod;\n"
)
JOULES = 3.6e6
SIDES = ("Cooling", "Heating")
# an end use below this is not told, in kWh; of water the least is a drop
NOTHING = {"kWh": 0.05, "m3": 1e-9}


class Run:
    """A run of a prototype: what our tools answer, and what EnergyPlus wrote."""

    def __init__(self, session, name, folder):
        file = folder / f"{name}.idf"
        file.write_text(runs.with_days(PROTOTYPES / f"{name}.idf", OUTPUTS), encoding="latin-1")
        session.call("load_model", file_path=str(file))
        out = folder / name
        weather = runs.weather_of(name, ENERGYPLUS)
        self.status = runs.run(session, weather_file=weather, readvars=True, output_directory=str(out))
        assert self.status["status"] == "completed", self.status
        self.written = runs.Written(out)
        self.summary = runs.whole(session.call("get_results_summary"))
        self.peaks = runs.whole(session.call("analyze_peak_loads"))
        self.resources = {name: runs.resource(session, f"idfkit://simulation/{name}") for name in ("results", "peak-loads")}
        asked = {"report_name": "AnnualBuildingUtilityPerformanceSummary", "table_name": "End Uses"}
        self.table = runs.whole(session.call("query_simulation_table", **asked))
        self.series = session.call(
            "query_timeseries", variable_name="Electricity:Facility", frequency="Monthly", environment="annual", by="recorded"
        )
        # all parts of the largest peaks, of which the answer above lists the six largest
        self.parts, self.whole = {}, {}
        for side in SIDES:
            title = f"Estimated {side} Peak Load Components"
            asked = {"report_name": "ZoneComponentLoadSummary", "table_name": title, "column_name": "Total"}
            found = runs.whole(session.call("query_simulation_table", **asked))
            self.parts[side] = {table["for"]: {row["name"]: row["values"] for row in table["rows"]} for table in found["tables"]}
            self.whole[side] = not found.get("cells_left_out") and not found.get("tables_left_out")
        largest = [zone["zone"] for side in SIDES for zone in self.peaks[side.lower()]["zones"][:2]]
        self.cards = {zone: session.call("get_zone_properties", zone_name=zone)["zones"][0] for zone in largest}

    def side(self, side):
        return self.peaks[side.lower()]

    def sizes(self, side):
        """The rows of `ZoneSizes` by zone: load of the design day, size, day, time."""
        sql = "SELECT ZoneName, CalcDesLoad, UserDesLoad, DesDayName, PeakHrMin FROM ZoneSizes WHERE LoadType = ?"
        return {zone: rest for zone, *rest in self.written.rows(sql, side)}

    def zones(self):
        """The printed summary of zones, by name: area, how many a zone stands for, whether it is counted."""
        table = self.written.table("Input Verification and Results Summary", "Zone Summary")
        columns = [table.by_row(name) for name in ("Area", "Multipliers", "Part of Total Floor Area (Y/N)")]
        return {zone: [column[zone] for column in columns] for zone in columns[0] if not zone.endswith("Total")}

    def areas(self):
        """The printed areas of the building."""
        return self.written.table("Annual Building Utility Performance Summary", "Building Area").by_row("Area")


@pytest.fixture(scope="module")
def run_of(program, tmp_path_factory):
    """Each model is run once, one after another in one session."""
    done = {}
    folder = tmp_path_factory.mktemp("runs")
    with Client(program, tmp_path_factory.mktemp("data"), options=["--energyplus-dir", ENERGYPLUS]) as session:

        def found(name):
            if name not in done:
                done[name] = Run(session, name, folder)
            return done[name]

        yield found


every_model = pytest.mark.parametrize("name", MODELS)


def used(run):
    """The end uses that the summary tells, by use and source."""
    return {(row["use"], row["source"]): row for row in run.summary["end_uses"]["uses"]}


def amount(row):
    """An amount in kWh, or of water in m³, with half of the last digit that is told of it: to a watt-hour, which may be fewer than four digits
    where the amount is the table's and no meter is named."""
    if row["source"] == "Water":
        return row["value"], runs.step(row["value"], 2)
    return row["kwh"], 0.0005000001 if "meter" not in row else runs.step(row["kwh"], 3)


def metered(meters):
    """What the meters of the run sum up to by use and source, in kWh or m³. Others are of a zone, of a kind of space, of a subcategory, or of no
    source; there are no more kinds."""
    rows, columns = ({meter: name for name, meter in names.items()} for names in (USES, SOURCES))
    found = {}
    for name, value in meters.items():
        parts = name.split(":")
        if len(parts) != 2 or parts[0] not in rows or parts[1] not in columns:
            assert len(parts) > 2 or parts[1] == "Facility" or parts[1] in NO_SOURCES, name
            continue
        source = columns[parts[1]]
        found[rows[parts[0]], source] = value if source == "Water" else value / JOULES
    return found


@every_model
def test_end_uses_are_what_the_meters_of_the_run_periods_sum_up_to(name, run_of):
    run = run_of(name)
    told = used(run)
    for meters in (run.written.meters(), run.written.meters_by_readvars()):
        theirs = metered(meters)
        assert len(theirs) > 6 and sum(theirs.values()) > 0
        for key, exact in theirs.items():
            least = NOTHING["m3" if key[1] == "Water" else "kWh"]
            assert (key in told) == (abs(exact) >= least), (key, exact, told.get(key))
            if key in told:
                ours, half = amount(told[key])
                assert abs(ours - exact) <= half + 1e-12 * exact, (key, ours, exact)
        # and nothing is told that no meter has
        assert told.keys() <= theirs.keys(), told.keys() - theirs.keys()


@every_model
def test_totals_are_the_meters_of_the_facility_and_the_sums_of_the_uses(name, run_of):
    run = run_of(name)
    meters = run.written.meters()
    totals = {row["source"]: row for row in run.summary["end_uses"]["totals"]}
    of_source = {}
    for (_, source), row in used(run).items():
        of_source.setdefault(source, []).append(amount(row))
    assert "Electricity" in totals and totals.keys() == of_source.keys()
    energy = 0.0
    for source, row in totals.items():
        ours, half = amount(row)
        exact = meters[f"{SOURCES[source]}:Facility"] / (1 if source == "Water" else JOULES)
        assert abs(ours - exact) <= half + 1e-12 * exact, (source, ours, exact)
        # each is rounded by itself, and what is next to nothing is left out
        parts, halves = zip(*of_source[source], strict=True)
        room = sum(halves) + half + NOTHING["m3" if source == "Water" else "kWh"] * len(USES)
        assert abs(sum(parts) - ours) <= room, (source, sum(parts), ours)
        energy += 0.0 if source == "Water" else exact
    lines = {row["name"]: row["kwh"] for row in run.summary["end_uses"]["site_and_source"]}
    assert same(lines["Total Site Energy"], energy, 3), (lines, energy)


@every_model
def test_end_uses_are_what_the_report_prints(name, run_of):
    run = run_of(name)
    report = run.written.table("Annual Building Utility Performance Summary", "End Uses")
    told = used(run)
    totals = {row["source"]: row for row in run.summary["end_uses"]["totals"]}
    [table] = run.table["tables"]
    # numbers of the table are the same cells with more digits
    whole = {row["name"]: dict(zip([column["name"] for column in table["columns"]], row["values"], strict=True)) for row in table["rows"]}
    compared = 0
    for row, cells in report.rows:
        for column, cell in zip(report.columns, cells, strict=True):
            found = printed(cell)
            if not row or found is None:
                continue
            value, half = found
            source = plain(column)
            assert abs(float(whole[row][source]) - value) <= half, (row, source, whole[row][source], cell)
            own = totals.get(source) if row == "Total End Uses" else told.get((row, source))
            ours = own["value"] if own else 0.0
            # what is not told is next to nothing
            assert abs(ours - value) <= half + 1e-6, (row, source, ours, cell)
            compared += 1
    assert compared == (len(USES) + 1) * len(SOURCES), compared


@every_model
def test_the_answers_of_a_run_tell_the_same_end_uses(name, run_of):
    run = run_of(name)
    assert run.resources["results"]["end_uses"] == run.summary["end_uses"]
    by_status = sorted(run.status["end_uses"]["uses"], key=lambda row: (row["use"], row["source"]))
    assert by_status == sorted(run.summary["end_uses"]["uses"], key=lambda row: (row["use"], row["source"]))
    assert [row["name"] for row in run.summary["environments"] if row["kind"] == "annual"] == ["WINTER DAYS", "SUMMER DAYS"]
    assert any("144" in note for note in run.summary["end_uses"]["notes"]), run.summary["end_uses"]["notes"]


@every_model
def test_an_end_use_names_the_meter_that_was_recorded_for_run_periods(name, run_of):
    run = run_of(name)
    electric = {key: row for key, row in used(run).items() if key[1] == "Electricity"}
    assert len(electric) > 2
    assert {row["use"]: row.get("meter") for row in electric.values()} == {
        use: f"{USES[use]}:Electricity" for use, _ in electric
    }


@every_model
def test_a_monthly_meter_is_told_as_it_was_recorded(name, run_of):
    run = run_of(name)
    months = run.written.rows(
        "SELECT e.EnvironmentName, r.Value FROM ReportData r JOIN ReportDataDictionary d USING (ReportDataDictionaryIndex)"
        " JOIN Time t USING (TimeIndex) JOIN EnvironmentPeriods e USING (EnvironmentPeriodIndex)"
        " WHERE d.Name = 'Electricity:Facility' AND d.ReportingFrequency = 'Monthly' AND e.EnvironmentType = 3 ORDER BY r.TimeIndex"
    )
    parts = run.series["parts"]
    assert [part["environment"] for part in parts] == [environment for environment, _ in months] == ["WINTER DAYS", "SUMMER DAYS"]
    for part, (_, exact) in zip(parts, months, strict=True):
        [row] = part["rows"]
        assert same(row[1], exact, 0) and same(part["sum_kwh"], exact / JOULES, 3), (part, exact)


@every_model
def test_every_zone_is_sized_for_what_energyplus_sized_it(name, run_of):
    run = run_of(name)
    zones = run.zones()
    sized = set()
    for side in SIDES:
        sizes = run.sizes(side)
        report = run.written.table("HVAC Sizing Summary", f"Zone Sensible {side}")
        columns = ("Calculated Design Load", "User Design Load", "Design Day Name", "Date/Time Of Peak")
        shown = [report.by_row(column) for column in columns]
        ours = run.side(side)
        assert ours["zones"]
        for zone in ours["zones"]:
            own = zone["zone"]
            area, half = printed(zones[own][0])
            assert abs(zone["floor_area_m2"] - area) <= half + 0.005, (own, zone["floor_area_m2"], area)
            assert zone.get("multiplier", 1.0) == float(zones[own][1]), (zone, zones[own])
            if own not in sizes:
                # it has a peak in the run period alone, or no load on this side
                assert not {"calculated_w", "sized_w", "design_day", "sized_at"} & zone.keys() and printed(shown[0].get(own, "0.0"))[0] == 0, zone
                continue
            calculated, size, day, at = sizes[own]
            assert same(zone["calculated_w"], calculated, 1) and same(zone["sized_w"], size, 1), (zone, sizes[own])
            assert (zone["design_day"], zone["sized_at"]) == (day, at), (zone, sizes[own])
            for number, cell in zip((calculated, size), shown[:2], strict=True):
                value, half = printed(cell[own])
                assert abs(number - value) <= half, (own, number, cell[own])
            assert (shown[2][own], shown[3][own]) == (day, at), own
        assert ours["zones_left_out"] + len(ours["zones"]) >= sum(size > 0 for _, size, *_ in sizes.values())
        sized |= sizes.keys()
    assert run.summary["sized_zones"] == len(sized)


@every_model
def test_sizes_by_area_and_of_the_building_are_those_of_energyplus(name, run_of):
    run = run_of(name)
    zones = run.zones()
    for side in SIDES:
        report = run.written.table("HVAC Sizing Summary", f"Zone Sensible {side}")
        sizes, by_area = report.by_row("User Design Load"), report.by_row("User Design Load per Area")
        ours = run.side(side)
        with_size = [zone for zone in ours["zones"] if "sized_w" in zone]
        assert with_size
        for zone in with_size:
            value, half = printed(by_area[zone["zone"]])
            assert abs(zone["sized_w_per_m2"] - value) <= half + runs.step(value, 2), (zone, by_area[zone["zone"]])
        # the largest first
        listed = [printed(sizes[zone["zone"]])[0] for zone in with_size]
        assert listed == sorted(listed, reverse=True)
        # zones that are not counted with the floor area, such as attics, are none that are sized
        counted = [printed(sizes[zone])[0] for zone in sizes if zones[zone][2] == "Yes"]
        assert abs(ours["sized_w"] - sum(counted)) <= 0.005 * len(counted) + runs.step(sum(counted), 1), (ours["sized_w"], sum(counted))
        [area] = [printed(cell)[0] for row, cell in run.areas().items() if row == "Total Building Area"]
        density = sum(counted) / area
        assert abs(ours["sized_w_per_m2"] - density) <= runs.step(density, 2) + 1e-4 * density, (ours["sized_w_per_m2"], density)


@every_model
def test_the_card_of_a_zone_has_the_loads_it_was_sized_for(name, run_of):
    run = run_of(name)
    assert run.cards
    for zone, card in run.cards.items():
        for side in SIDES:
            told, sizes = card["of_run"].get(f"{side.lower()}_design_w"), run.sizes(side)
            assert (told is None) == (zone not in sizes), (zone, side, card["of_run"])
            assert told is None or same(told, sizes[zone][1], 1), (zone, side, card["of_run"], sizes[zone])


@every_model
def test_the_parts_of_design_peaks_are_those_of_the_report_and_add_up(name, run_of):
    run = run_of(name)
    compared = 0
    for side in SIDES:
        title = f"Estimated {side} Peak Load Components"
        for zone in run.side(side)["zones"]:
            table = run.written.table("Zone Component Load Summary", title, zone["zone"])
            total, percent = ({row: printed(cell) for row, cell in table.by_row(column).items()} for column in ("Total", "%Grand Total"))
            grand, half = total.pop("Grand Total")
            # EnergyPlus' own sum of its parts
            parts = {row: cell for row, cell in total.items() if cell is not None}
            assert abs(sum(value for value, _ in parts.values()) - grand) <= half + sum(own for _, own in parts.values()), (zone, parts)
            present = {row: cell for row, cell in parts.items() if abs(cell[0]) > cell[1]}
            if "design" not in zone:
                assert not present, (zone, present)
                continue
            design = zone["design"]
            assert abs(design["total_w"] - grand) <= half + runs.step(grand, 1), (zone["zone"], design["total_w"], grand)
            conditions = run.written.table("Zone Component Load Summary", f"{side} Peak Conditions", zone["zone"])
            assert design["at"] == conditions.by_row("Value")["Time of Peak Load"], (zone["zone"], design["at"])
            listed = {row: w for row, w, *_ in design["components"]}
            assert len(listed) == len(design["components"]) <= 6
            for row, w, *share in design["components"]:
                value, half = parts[row]
                assert abs(w - value) <= half + runs.step(value, 1), (zone["zone"], row, w, value)
                value, half = percent[row]
                assert abs(share[0] - value) <= half + 0.05, (zone["zone"], row, share, value)
            # the six largest, or all
            rest = [abs(value) - half for row, (value, half) in present.items() if row not in listed]
            if rest:
                assert len(listed) == 6 and max(rest) <= min(map(abs, listed.values())) + 0.05, (zone["zone"], design)
            else:
                room = sum(runs.step(w, 1) for w in (*listed.values(), grand)) + 0.01 * len(parts)
                assert abs(sum(listed.values()) - design["total_w"]) <= room, (zone["zone"], design)
            compared += 1
        # the table of components is answered as far as there is room, and says whether it is whole
        assert run.parts[side]
        cut = 0
        for zone, rows in run.parts[side].items():
            theirs = run.written.table("Zone Component Load Summary", title, zone).by_row("Total")
            found = {row: values[0] for row, values in rows.items()}
            whole = {row: printed(cell) for row, cell in theirs.items() if printed(cell) is not None}
            for row, (value, half) in whole.items():
                if row not in found:
                    continue
                assert abs(found[row] - value) <= half + runs.step(value, 1), (zone, row, found[row], value)
            if not whole.keys() <= found.keys():
                cut += 1
                continue
            grand = found.pop("Grand Total")
            present = [value for value in found.values() if isinstance(value, float | int)]
            assert abs(sum(present) - grand) <= sum(runs.step(value, 1) for value in (*present, grand)), (zone, grand, present)
        assert cut < len(run.parts[side]) and (cut == 0 or not run.whole[side])
    assert compared >= 2, run.peaks


@every_model
def test_a_zone_is_sized_at_the_time_of_which_its_parts_are_told(name, run_of):
    run = run_of(name)
    zones = [zone for side in SIDES for zone in run.side(side)["zones"] if "design" in zone and "sized_at" in zone]
    times = [(zone["sized_at"], zone["design"]["at"]) for zone in zones]
    assert times
    assert [own for own, _ in times] == [own for _, own in times]


@every_model
def test_the_peaks_of_the_run_periods_are_those_of_the_report(name, run_of):
    run = run_of(name)
    compared = 0
    for side in SIDES:
        table = run.written.table("Sensible Heat Gain Summary", f"Peak {side} Sensible Heat Gain Components")
        rows = dict(table.rows)
        headings = [plain(column) for column in table.columns]
        [when] = [at for at, heading in enumerate(headings) if heading.startswith("Time of Peak")]
        ours = run.side(side)
        peaks = {zone["zone"]: zone.get("run") for zone in ours["zones"]} | {"Total Facility": ours.get("facility")}
        for zone, peak in peaks.items():
            cells = rows[zone]
            numbers = {heading: printed(cell) for heading, cell in zip(headings, cells, strict=True)}
            parts = {heading: cell for heading, cell in numbers.items() if cell is not None and abs(cell[0]) > cell[1]}
            if peak is None:
                assert cells[when] == "-" or not parts, (zone, cells)
                continue
            assert peak["at"] == cells[when], (zone, peak["at"], cells[when])
            sums = [sum(value for value, _ in parts.values() if (value > 0) == gains) for gains in (True, False)]
            for row, w, *share in peak["components"]:
                # a part that adds heat and one that takes it have one name
                [heading] = [own for own in parts if same_part(own, row) and (parts[own][0] > 0) == (w > 0)]
                value, half = parts[heading]
                assert abs(w - value) <= half + runs.step(value, 1), (zone, row, w, value)
                # the whole is a sum of rounded cells
                assert abs(share[0] - 100 * value / sums[0 if value > 0 else 1]) <= 0.06, (zone, row, share, sums)
            if len(peak["components"]) < 6:
                assert len(peak["components"]) == len(parts), (zone, peak, parts)
            compared += 1
    assert compared >= 2, run.peaks


def same_part(heading, name):
    """True of a heading that is this name with one of the ends that headings have."""
    return heading.startswith(name) and heading.removeprefix(name) in ("", " Heat Addition", " Heat Removal", " Sensible Heat Addition", " Sensible Heat Removal")


@every_model
def test_the_resource_of_peak_loads_is_the_answer_of_the_tool(name, run_of):
    run = run_of(name)
    theirs = run.resources["peak-loads"]
    for side in ("cooling", "heating"):
        assert {key: value for key, value in theirs[side].items() if key not in ("zones", "zones_left_out")} == {
            key: value for key, value in run.peaks[side].items() if key not in ("zones", "zones_left_out")
        }
        both = zip(theirs[side]["zones"], run.peaks[side]["zones"], strict=False)
        assert all(mine == own for mine, own in both)


@every_model
def test_hours_off_the_set_points_are_those_of_the_report(name, run_of):
    run = run_of(name)
    table = run.written.table("System Summary", "Time Setpoint Not Met")
    columns = {
        "heating": "During Heating",
        "cooling": "During Cooling",
        "occupied_heating": "During Occupied Heating",
        "occupied_cooling": "During Occupied Cooling",
    }
    cells = {ours: table.by_row(theirs) for ours, theirs in columns.items()}
    told = run.summary["unmet_hours"]
    facility = {key: printed(column["Facility"])[0] for key, column in cells.items()}
    assert {key: round(told["facility"][key], 2) for key in columns} == pytest.approx(facility, abs=0.006)
    for zone in told["zones"]:
        for key, column in cells.items():
            value, half = printed(column[zone["zone"]])
            assert abs(zone[key] - value) <= half + runs.step(value, 2), (zone, key, value)
    off = sum(any(printed(column[zone])[0] > 0 for column in cells.values()) for zone in cells["heating"] if zone != "Facility")
    assert len(cells["heating"]) - 1 - off == told["zones_without"]
