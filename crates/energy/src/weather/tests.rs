//! Weather files made here, and those that come with EnergyPlus.

use super::archive::WeatherFiles;
use super::ddy::{DesignDays, Purpose};
use super::epw::Epw;
use crate::days::days_in;
use contract::FaultCode;
use proptest::prelude::*;
use std::io::Write;
use zip::write::SimpleFileOptions;

const HEADING: &str = "LOCATION,Somewhere,ST,CTY,Made,123456,49.0,8.4,1.0,115.0
DESIGN CONDITIONS,1,Handbook,,Heating,1,-10.5,-8.0,1,2,Cooling,7,12.5,33.0,21.0,31.5,20.5,30.0,20.0,Extremes,9,8
TYPICAL/EXTREME PERIODS,1,Summer - Hot,Extreme,7/ 6,7/12
GROUND TEMPERATURES,1,.5,,,,1,2,3,4,5,6,7,8,9,10,11,12
HOLIDAYS/DAYLIGHT SAVINGS,No,4/9,10/29,1,New Year,1/ 1
COMMENTS 1,made, with commas
COMMENTS 2,more
";

fn row(month: u32, day: u32, hour: u32, minute: u32, dry_bulb: &str, global: &str) -> String {
    format!(
        "2001,{month},{day},{hour},{minute},?9?9,{dry_bulb},2.0,50,101000,0,0,300,{global},120,40,0,0,0,0,180,3.5,5,5,9999,99999,9,999999999,0,0,0,0,0,0,0\n"
    )
}

/// A year in which each hour has as many intervals, at 4 °C, and 24 °C from June to August.
fn year(per_hour: u32, leap: bool) -> String {
    let leap_word = if leap { "Yes" } else { "No" };
    let mut text = HEADING.replace("SAVINGS,No", &format!("SAVINGS,{leap_word}"));
    text.push_str("DATA PERIODS,1,");
    text.push_str(&per_hour.to_string());
    text.push_str(",Data,Monday, 1/ 1,12/31\n");
    for month in 1..=12 {
        let dry_bulb = if (6..=8).contains(&month) { "24.0" } else { "4.0" };
        for day in 1..=days_in(month, leap) {
            for hour in 1..=24 {
                for part in 1..=per_hour {
                    text.push_str(&row(month, day, hour, 60 / per_hour * part, dry_bulb, "100"));
                }
            }
        }
    }
    text
}

fn fault(text: &str) -> contract::Fault {
    Epw::read(text.as_bytes()).unwrap_err()
}

#[test]
fn a_year_is_read_and_summed_up() {
    let epw = Epw::read(year(1, false).as_bytes()).unwrap();
    assert_eq!(epw.records.len(), 8760);
    assert_eq!((epw.location.city.as_str(), epw.location.time_zone), ("Somewhere", 1.0));
    assert_eq!(epw.comments, ["made, with commas", "more"]);
    assert_eq!(epw.typical[0].start, "7/6");
    assert_eq!(epw.ground[0].monthly_c[11], 12.0);
    assert_eq!(epw.holidays.daylight_saving_start.as_deref(), Some("4/9"));
    assert_eq!(epw.holidays.days, [("New Year".to_owned(), "1/1".to_owned())]);
    let summary = epw.summary();
    // 92 days of 24 °C and 273 of 4 °C
    assert_eq!((summary.degree_days.hdd18, summary.degree_days.cdd18), (273.0 * 14.0, 92.0 * 6.0));
    assert_eq!((summary.degree_days.hdd10, summary.degree_days.cdd10), (273.0 * 6.0, 92.0 * 14.0));
    assert_eq!((summary.global_kwh_m2, summary.direct_kwh_m2), (876.0, 1051.2));
    assert_eq!((summary.months.len(), summary.months[6].dry_bulb_c.mean), (12, 24.0));
    let design = summary.design.unwrap();
    assert_eq!((design.heating_996_c, design.cooling_004_c), (Some(-10.5), (Some(33.0), Some(21.0))));
    assert_eq!(design.daily_range_k, Some(12.5));
    assert!(summary.notes.is_empty(), "{:?}", summary.notes);
}

#[test]
fn the_summary_is_the_same_after_its_way_through_json() {
    use contract::ops::PlatformOperation as _;
    let summary = Epw::read(year(1, false).as_bytes()).unwrap().summary();
    let outcome = crate::ops::ReadWeather::outcome(summary.clone()).unwrap();
    assert_eq!(crate::ops::ReadWeather::answer(&outcome.result).unwrap(), summary);
}

#[test]
fn leap_years_and_parts_of_hours_are_read() {
    let leap = Epw::read(year(1, true).as_bytes()).unwrap();
    assert_eq!((leap.records.len(), leap.is_leap()), (8784, true));
    let quarters = Epw::read(year(4, false).as_bytes()).unwrap();
    assert_eq!(quarters.records.len(), 4 * 8760);
    assert_eq!(quarters.summary().global_kwh_m2, 876.0);
    // a year that may be a leap year and leaves the day out
    let without = year(1, false).replace("SAVINGS,No", "SAVINGS,Yes");
    assert_eq!(Epw::read(without.as_bytes()).unwrap().records.len(), 8760);
}

#[test]
fn missing_values_are_not_temperatures() {
    let text = year(1, false).replacen(",4.0,2.0,50,", ",99.9,2.0,999,", 48);
    let epw = Epw::read(text.as_bytes()).unwrap();
    assert!(epw.records[0].dry_bulb.is_nan() && epw.records[0].humidity.is_nan());
    let summary = epw.summary();
    assert_eq!(summary.dry_bulb_c.maximum, 24.0);
    assert_eq!(summary.degree_days.hdd18, 271.0 * 14.0);
    assert_eq!(summary.notes.len(), 2);
    assert!(summary.notes[0].contains("dry bulb is missing in 48"));
}

#[test]
fn what_cannot_be_read_is_a_fault_with_its_line() {
    let good = year(1, false);
    assert_eq!(fault("Version,25.2;\n").data["line"], 1);
    assert_eq!(fault("").code, FaultCode::UnreadableFile);
    assert_eq!(fault(&good.replace(",49.0,8.4,", ",149.0,8.4,")).data["line"], 1);
    assert_eq!(fault(&good.replace("PERIODS,1,1,", "PERIODS,1,7,")).data["line"], 8);
    let line = |at: usize, change: &dyn Fn(&str) -> String| {
        let mut lines: Vec<String> = good.lines().map(str::to_owned).collect();
        lines[at] = change(&lines[at]);
        fault(&lines.join("\n"))
    };
    assert_eq!(line(100, &|row| row.replace(",4.0,2.0,", ",warm,2.0,")).data["line"], 101);
    assert_eq!(line(100, &|row| row.replace(",4.0,2.0,", ",NaN,2.0,")).data["line"], 101);
    assert_eq!(line(100, &|row| row[..20].to_owned()).data["line"], 101);
    assert_eq!(line(100, &|row| row.replace("2001,1,", "2001,13,")).data["line"], 101);
    // an hour that is missing is seen at the one after it
    let gap = line(100, &|_| String::new());
    assert!(gap.data["line"] == 102 && gap.message.contains("out of order"), "{gap}");
    let twice = line(100, &|row| format!("{row}\n{row}"));
    assert_eq!(twice.data["line"], 102);
    let cut: Vec<&str> = good.lines().take(5000).collect();
    let cut = fault(&cut.join("\n"));
    assert_eq!((cut.data["expected"].as_u64(), cut.data["found"].as_u64()), (Some(8760), Some(4992)));
}

proptest! {
    #[test]
    fn a_weather_file_with_any_bytes_changed_is_read_or_refused(at in 0_usize..3000, bytes in prop::collection::vec(any::<u8>(), 1..20)) {
        let mut text = HEADING.to_owned() + "DATA PERIODS,1,1,Data,Monday, 1/ 1,1/1\n";
        for hour in 1..=24 {
            text.push_str(&row(1, 1, hour, 60, "4.0", "100"));
        }
        let mut damaged = text.into_bytes();
        let at = at.min(damaged.len());
        let end = (at + bytes.len()).min(damaged.len());
        damaged.splice(at..end, bytes);
        if let Ok(epw) = Epw::read(&damaged) {
            prop_assert!(epw.summary().dry_bulb_c.mean.is_finite());
        }
    }
}

/// The number in a line of the statistics that come with a weather file, behind some words.
fn statistic(stat: &str, words: &str) -> f64 {
    let line = stat.lines().find(|line| line.contains(words)).unwrap_or_else(|| panic!("{words}"));
    let number = line.split_whitespace().find_map(|word| word.parse().ok());
    number.unwrap_or_else(|| panic!("{line}"))
}

#[test]
fn the_files_of_energyplus_come_to_what_their_statistics_say() {
    let Some(energyplus) = testing::energyplus() else { return };
    let mut read = 0;
    for entry in std::fs::read_dir(energyplus.join("WeatherData")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "epw") {
            continue;
        }
        let epw = Epw::read(&std::fs::read(&path).unwrap()).unwrap();
        let stat = std::fs::read(path.with_extension("stat")).unwrap();
        let stat = String::from_utf8_lossy(&stat).into_owned();
        let summary = epw.summary();
        let days = summary.degree_days;
        // ` -   2899 annual (standard) heating degree-days (10°C baseline)`: whole numbers
        for (words, ours) in [
            ("annual (wthr file) heating degree-days (10", days.hdd10),
            ("annual (wthr file) cooling degree-days (10", days.cdd10),
            ("annual (wthr file) heating degree-days (18", days.hdd18),
            ("annual (wthr file) cooling degree-days (18", days.cdd18),
        ] {
            let theirs = statistic(&stat, words);
            assert!((ours - theirs).abs() <= 2.0, "{}: {words}: {ours}, not {theirs}", path.display());
        }
        let design = summary.design.unwrap();
        assert!(design.heating_996_c.unwrap() < design.heating_990_c.unwrap());
        assert!(design.cooling_004_c.0 > design.cooling_020_c.0);
        // the same numbers are in the design days
        let days = DesignDays::read(&std::fs::read(path.with_extension("ddy")).unwrap()).unwrap();
        let chosen = days.chosen();
        assert_eq!(chosen.len(), 2);
        assert_eq!((chosen[0].purpose, chosen[0].percent), (Purpose::Heating, Some(99.6)));
        assert_eq!((chosen[1].purpose, chosen[1].percent), (Purpose::Cooling, Some(0.4)));
        assert_eq!(Some(chosen[0].maximum_c), design.heating_996_c);
        assert_eq!(Some(chosen[1].maximum_c), design.cooling_004_c.0);
        assert!(chosen[1].text.contains("SizingPeriod:DesignDay") && chosen[1].text.trim_end().contains(';'));
        let milder = days.at(Purpose::Cooling, 2.0);
        assert_eq!(milder.len(), 1);
        assert_eq!(Some(milder[0].maximum_c), design.cooling_020_c.0);
        assert_eq!(days.location.as_ref().unwrap()[1], format!("{:.2}", epw.location.latitude));
        read += 1;
    }
    assert_eq!(read, 5);
}

#[test]
fn design_days_without_percentages_are_chosen_by_temperature() {
    let day =
        |name: &str, kind: &str, warm: &str| format!("SizingPeriod:DesignDay,{name},1,21,{kind},{warm},8;\n");
    let text = day("Town Ann Htg Condns DB", "WinterDesignDay", "-5")
        + &day("Town Ann Heating Condns DB", "WinterDesignDay", "-9")
        + &day("Town Ann Clg Condns DB=>MWB", "SummerDesignDay", "31")
        + &day("Town Ann Clg Condns WB=>MDB", "SummerDesignDay", "39");
    let days = DesignDays::read(text.as_bytes()).unwrap();
    let names: Vec<f64> = days.chosen().iter().map(|day| day.maximum_c).collect();
    assert_eq!(names, [-9.0, 31.0]);
    assert_eq!(DesignDays::read(b"Zone,A;\n").unwrap_err().code, FaultCode::UnreadableFile);
    let broken =
        DesignDays::read(b"Zone,A;\nSizingPeriod:DesignDay,X,1,21,WinterDesignDay,cold,8;\n").unwrap_err();
    assert_eq!(broken.data["line"], 2);
}

/// An archive with files of names and contents.
fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

#[test]
fn an_archive_gives_its_weather_design_days_and_statistics() {
    let bytes = archive(&[
        ("a/x.txt", b"no"),
        ("a/Town.EPW", b"weather"),
        ("Town.ddy", b"days"),
        ("Town.stat", b"numbers"),
    ]);
    let files = WeatherFiles::read(&bytes).unwrap();
    assert_eq!((files.name.as_str(), files.epw.as_slice()), ("Town.EPW", b"weather".as_slice()));
    assert_eq!(
        (files.ddy.as_deref(), files.stat.as_deref()),
        (Some(b"days".as_slice()), Some(b"numbers".as_slice()))
    );
    assert_eq!(
        WeatherFiles::checksum(b"abc"),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
}

#[test]
fn an_archive_that_is_none_lies_or_leads_away_is_refused() {
    let code = |bytes: &[u8]| WeatherFiles::read(bytes).unwrap_err().code;
    assert_eq!(code(b"<html>not found</html>"), FaultCode::UnreadableFile);
    assert_eq!(code(&archive(&[("only.ddy", b"x")])), FaultCode::UnreadableFile);
    assert_eq!(code(&archive(&[("../../up.epw", b"x")])), FaultCode::UnreadableFile);
    assert_eq!(code(&archive(&[("/etc/abs/../../../up.epw", b"x")])), FaultCode::UnreadableFile);
    // 80 MB of nothing in some kilobytes
    let bomb = archive(&[("bomb.epw", &vec![b' '; 80 << 20])]);
    assert!(bomb.len() < 1 << 20);
    assert_eq!(code(&bomb), FaultCode::LimitReached);
    let many: Vec<(String, Vec<u8>)> = (0..70).map(|n| (format!("{n}.txt"), Vec::new())).collect();
    let many: Vec<(&str, &[u8])> =
        many.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    assert_eq!(code(&archive(&many)), FaultCode::LimitReached);
    let whole = archive(&[("Town.epw", b"weather")]);
    for cut in 0..whole.len() {
        assert!(WeatherFiles::read(&whole[..cut]).is_err());
    }
}
