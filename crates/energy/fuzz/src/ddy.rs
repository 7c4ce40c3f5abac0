//! Any bytes are a file of design days or a Fault; those that are chosen are among those that there are.
use energy::weather::DesignDays;
use energy::weather::ddy::Purpose;

/// One input.
pub fn run(bytes: &[u8]) {
    let Ok(days) = DesignDays::read(bytes) else { return };
    for day in days.chosen() {
        let known = days.days.iter().any(|known| std::ptr::eq(known, day));
        assert!(known && day.purpose != Purpose::Other);
    }
    for purpose in [Purpose::Heating, Purpose::Cooling] {
        assert!(days.at(purpose, 99.6).iter().all(|day| day.purpose == purpose));
    }
}
