//! Calls of somebody who is not known: anybody may make any number of them, and the audit log is not to grow with each. The first of an
//! address in a minute is written down as it came; the others of that minute are counted, and become one entry.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::net::IpAddr;

const MINUTE_MS: u64 = 60_000;
/// Addresses that are counted by themselves; the others of a minute are counted together.
const ADDRESSES: usize = 64;
/// Where the others are counted.
const OTHERS: &str = "other addresses";

/// The refused calls of the minute, by address.
#[derive(Debug, Default)]
pub(crate) struct Refusals(Mutex<Minute>);

#[derive(Debug, Default)]
struct Minute {
    began_ms: u64,
    /// How many calls were refused after the first.
    more: HashMap<String, u64>,
}

/// The refused calls of an address that are not written down one by one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Uncounted {
    pub(crate) from: String,
    pub(crate) calls: u64,
}

impl Refusals {
    /// Counts a refused call. Answers true where it is to be written down by itself, and what earlier minutes left to be.
    pub(crate) fn count(&self, from: Option<IpAddr>, now_ms: u64) -> (bool, Vec<Uncounted>) {
        let mut minute = self.0.lock();
        let left = minute.turned(now_ms);
        if minute.began_ms == 0 {
            minute.began_ms = now_ms;
        }
        let mut from = from.map_or_else(|| "no address".to_owned(), network);
        if minute.more.len() >= ADDRESSES && !minute.more.contains_key(&from) {
            OTHERS.clone_into(&mut from);
        }
        let is_first = !minute.more.contains_key(&from);
        let more = minute.more.entry(from).or_default();
        if !is_first {
            *more = more.saturating_add(1);
        }
        (is_first, left)
    }

    /// The counts of a minute that is over.
    pub(crate) fn over(&self, now_ms: u64) -> Vec<Uncounted> {
        self.0.lock().turned(now_ms)
    }
}

impl Minute {
    fn turned(&mut self, now_ms: u64) -> Vec<Uncounted> {
        if self.began_ms == 0 || now_ms.saturating_sub(self.began_ms) < MINUTE_MS {
            return Vec::new();
        }
        let before = std::mem::take(self);
        let left = before.more.into_iter().filter(|(_, calls)| *calls > 0);
        let mut left: Vec<Uncounted> = left.map(|(from, calls)| Uncounted { from, calls }).collect();
        left.sort_by(|a, b| a.from.cmp(&b.from));
        left
    }
}

/// The network that one customer of a provider has: one address of IPv4, 64 bits of IPv6.
fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v4(last: u8) -> Option<IpAddr> {
        Some(IpAddr::from([192, 0, 2, last]))
    }

    #[test]
    fn of_a_flood_the_first_call_and_one_count_are_written_down() {
        let refusals = Refusals::default();
        let firsts = (0..5000).filter(|n| refusals.count(v4(7), 1_000 + n).0).count();
        assert_eq!(firsts, 1);
        assert_eq!(refusals.over(60_999), []);
        assert_eq!(refusals.over(61_001), [Uncounted { from: "192.0.2.7".into(), calls: 4999 }]);
        assert_eq!(refusals.over(200_000), [], "it is written down once");
        assert_eq!(refusals.count(v4(7), 200_001), (true, Vec::new()), "a new minute");
    }

    #[test]
    fn from_however_many_addresses_it_comes_a_minute_has_few_entries() {
        let refusals = Refusals::default();
        let address = |n: u128| Some(IpAddr::from((0x2001_0db8_u128 << 96 | n << 64).to_be_bytes()));
        let firsts = (0..100_000).filter(|n| refusals.count(address(*n), 1_000).0).count();
        assert_eq!(firsts, ADDRESSES + 1);
        assert_eq!(
            refusals.over(70_000),
            [Uncounted { from: OTHERS.into(), calls: 100_000 - ADDRESSES as u64 - 1 }]
        );
        let one = |n: u16| Some(IpAddr::from([0x2001, 0xdb8, 0, 0, 0, 0, 0, n]));
        assert!(refusals.count(one(1), 80_000).0);
        assert!(!refusals.count(one(2), 80_001).0, "one customer has many addresses of IPv6");
    }
}
