//! Tests of schedules, constructions, windows and days.

use super::*;

const DAYS: &str = "SizingPeriod:DesignDay,d,1,21,WinterDesignDay;";

fn schedule(fields: &str) -> String {
    format!("{}Schedule:Compact,S,,{fields};ScheduleTypeLimits,Share,0,1,Continuous;", cube("", ""))
}

#[test]
fn a_schedule_says_every_minute_of_every_day() {
    let whole = IssueKind::IncompleteSchedule;
    only(&schedule("Through: 12/31,For: AllDays,Until: 24:00,1"), whole, "");
    only(
        &schedule("Through: 12/31,For: AllDays,Until: 23:00,1"),
        whole,
        "Error: Schedule:Compact `S` is not whole: the day ends at 23:00",
    );
    only(&schedule("Through: 6/30,For: AllDays,Until: 24:00,1"), whole, "do not reach to 31 December");
    only(
        &schedule("Through: 12/31,For: AllDays,Until: 8:00,1,Until: 7:00,2,Until: 24:00,1"),
        whole,
        "the time 7:00 does not follow 8:00",
    );
    only(
        &schedule("Through: 12/31,For: AllDays,Until: 8:00,1,Until: 8:00,2,Until: 24:00,1"),
        whole,
        "Warning: ",
    );
    only(
        &schedule("Through: 12/31,For: Weekdays,Until: 24:00,1"),
        whole,
        "Warning: Schedule:Compact `S` says nothing of Sunday",
    );
    let twice = "Through: 12/31,For: Weekdays,Until: 24:00,1,For: Monday,Until: 24:00,1,For: AllOtherDays,Until: 24:00,1";
    only(&schedule(twice), whole, "names a kind of day twice in one period: `For: Monday`");
    let apart = "Through: 6/30,For: AllDays,Until: 24:00,1,Through: 12/31,For: AllDays,Until: 24:00,1";
    only(&schedule(apart), whole, "");
}

#[test]
fn the_weeks_of_a_year_follow_each_other() {
    let day = "Schedule:Day:Interval,D,,No,24:00,1;Schedule:Week:Compact,W,For: AllDays,D;";
    let year = |weeks: &str| format!("{}{day}Schedule:Year,Y,,{weeks};", cube("", ""));
    let whole = IssueKind::IncompleteSchedule;
    only(&year("W,1,1,12,31"), whole, "");
    only(&year("W,1,1,6,30,W,7,1,12,31"), whole, "");
    only(&year("W,1,1,6,30,W,7,2,12,31"), whole, "no week says 7/1");
    only(&year("W,1,1,7,1,W,7,1,12,31"), whole, "two weeks say 7/1");
}

#[test]
fn values_keep_to_their_limits_and_uses() {
    let value = IssueKind::ScheduleValue;
    let of = |limits: &str, number: &str| {
        format!(
            "{}ScheduleTypeLimits,Share,0,1,Continuous;Schedule:Constant,S,{limits},{number};",
            cube("", "")
        )
    };
    only(&of("Share", "1"), value, "");
    only(&of("Share", "2.5"), value, "has the value 2.5, and must not be above 1");
    only(&of("Share", "-1"), value, "must not be below 0");
    only(&of("", "2.5"), value, "");
    only(
        &(of("", "-1") + "People,P,Z,S,People,3;"),
        value,
        "People `P` goes by the schedule `S`, which has the value -1, below zero",
    );
}

#[test]
fn a_window_lies_within_its_wall() {
    let window = |x: f64, y: f64| {
        format!(
            "{}FenestrationSurface:Detailed,W,Window,G,S,,,,,4,{x},{y},2,{x},{y},1,{},{y},1,{},{y},2;",
            cube("", ""),
            x + 1.0,
            x + 1.0
        )
    };
    let outside = IssueKind::WindowOutside;
    only(&window(1.0, 0.0), outside, "");
    only(&window(2.5, 0.0), outside, "reaches 0.50 m beyond the outline of the surface `S`");
    only(&window(9.0, 0.0), outside, "reaches 7.00 m beyond");
    only(&window(1.0, 0.5), outside, "a corner is 0.50 m off it");
}

#[test]
fn a_surface_has_three_corners_and_an_area() {
    let bad = IssueKind::BadSurface;
    let surface = |corners: &str| {
        format!("{}BuildingSurface:Detailed,X,Wall,C,Z,,Adiabatic,,,,,,{corners};", cube("", ""))
    };
    only(&surface("0,0,0,0,0,1"), bad, "Error: BuildingSurface:Detailed `X` has 2 corners");
    only(&surface("0,0,0,0,0,1,0,0,2"), bad, "has no area");
    only(&surface("0,0,0,0,0,1,1,0,1"), bad, "");
    only(
        &surface("0,0,0,0,0,1,1,0,1").replace(",,,,,,", ",,,,,5,"),
        bad,
        "is said to have 5 corners and has 3",
    );
    // what is no number is told by the schema
    only(&surface("0,0,0,0,0,north,1,0,1"), bad, "");
    only(&surface("NaN,0,0,0,0,1,1,0,1"), bad, "");
}

#[test]
fn a_model_has_zones() {
    only(&cube("SENWFR", "").replace("Zone,Z;", ""), IssueKind::NoZones, "The model has no zone");
    only(&cube("", ""), IssueKind::NoZones, "");
}

#[test]
fn layers_belong_together_and_are_mirrored_on_the_other_side() {
    let glass = "WindowMaterial:SimpleGlazingSystem,G,2,0.4;Construction,W,G;";
    let wrong = IssueKind::WrongConstruction;
    only(&(cube("", "") + glass), wrong, "");
    only(
        &(cube("", "") + glass + "Construction,B,M,G;"),
        wrong,
        "The construction `B` has layers of walls and of windows",
    );
    only(&(cube("", "") + glass + "Construction,D,G,G;"), wrong, "and further panes");
    let wall = cube("", "").replacen("S,Wall,C,", "S,Wall,W,", 1);
    only(&(wall + glass), wrong, "has the construction `W`, which is one of windows");
    let window = "FenestrationSurface:Detailed,F,Window,C,S,,,,,4,1,0,2,1,0,1,2,0,1,2,0,2;";
    only(&(cube("", "") + window), wrong, "has the construction `C`, which is opaque");
    let pair = |other: &str| {
        format!(
            "{}Material:NoMass,N,Rough,2;Material:NoMass,Same,Rough,2;Construction,A,M,N;Construction,B,{other};\
             BuildingSurface:Detailed,P,Wall,A,Z,,Surface,Q,,,,3,0,0,0,0,0,1,1,0,1;\
             BuildingSurface:Detailed,Q,Wall,B,Z,,Surface,P,,,,3,1,0,1,0,0,1,0,0,0;",
            cube("", "")
        )
    };
    only(&pair("N,M"), wrong, "");
    only(&pair("Same,M"), wrong, "");
    only(&pair("M,N"), wrong, "are not the same in opposite order");
    only(&pair("M"), wrong, "are not the same in opposite order");
}

#[test]
fn a_layer_is_not_thicker_than_conduction_is_computed_through() {
    let of = |thickness: &str| {
        cube("", "")
            .replace("Material:NoMass,M,Rough,1;", &format!("Material,M,Rough,{thickness},1,2000,900;"))
    };
    only(&of("3"), IssueKind::WrongConstruction, "");
    only(&of("200"), IssueKind::WrongConstruction, "The material `M` is 200 m thick");
    only(&(of("200") + "HeatBalanceAlgorithm,ConductionFiniteDifference;"), IssueKind::WrongConstruction, "");
}

#[test]
fn a_boundary_that_is_an_object_is_named() {
    let of = |boundary: &str| cube("", "").replacen("Outdoors,", boundary, 1);
    only(
        &of("OtherSideCoefficients,"),
        IssueKind::UnattachedSurface,
        "borders on OtherSideCoefficients, and names none",
    );
    only(&of("OtherSideCoefficients,Side"), IssueKind::UnattachedSurface, "");
}

#[test]
fn days_are_in_the_calendar() {
    let place = IssueKind::NoWeatherOrLocation;
    let period = |text: &str| cube("", "").replace("RunPeriod,R,1,1,,12,31;", text) + DAYS;
    only(&period("RunPeriod,R,1,1,,2,29;"), place, "");
    only(&period("RunPeriod,R,1,1,,2,31;"), place, "names the day 31 of month 2");
    only(&period("RunPeriod,R,3,1,2020,2,1,2019;"), place, "ends before it begins");
    for date in ["7/21", "July 21", "21 July", "2nd Sunday in March", "Last Monday in May", "February 29"] {
        only(&period(&format!("RunPeriod,R,1,1,,12,31;RunPeriodControl:SpecialDays,H,{date};")), place, "");
    }
    for date in ["February 31", "13/1", "7th Sunday in March", "someday", "0/0"] {
        only(
            &period(&format!("RunPeriod,R,1,1,,12,31;RunPeriodControl:DaylightSavingTime,{date},10/31;")),
            place,
            "which is none",
        );
    }
    only(&period("SizingPeriod:DesignDay,e,6,31,WinterDesignDay;"), place, "names the day 31 of month 6");
}
