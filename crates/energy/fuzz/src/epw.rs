//! Any bytes are a weather file or a Fault; a file comes to numbers.
use energy::weather::Epw;

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok(epw) = Epw::read(bytes) else { return };
    let summary = epw.summary();
    assert!(summary.months.len() <= 12 && summary.records == epw.records.len());
    for month in summary.months {
        let range = month.dry_bulb_c;
        assert!(range.minimum <= range.maximum && range.mean.is_finite(), "{range:?}");
    }
    assert!(summary.degree_days.hdd18 >= 0.0 && summary.degree_days.cdd10 >= 0.0);
}
