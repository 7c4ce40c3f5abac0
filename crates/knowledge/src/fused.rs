//! Rankings joined: what several searches find (by words, by vectors) as one list.

use std::collections::HashMap;

/// How little the first places count more than those after them; the number of the method's authors.
const K: f64 = 60.0;

/// Ranked lists of addresses, best first, as one: reciprocal rank fusion (Cormack, Clarke, Büttcher 2009), each place counting
/// `1 / (60 + place)`. An address that stands twice in a list counts by its first place.
pub fn fused(lists: &[Vec<String>], limit: usize) -> Vec<(String, f64)> {
    let mut scores: HashMap<&str, f64> = HashMap::new();
    for list in lists {
        let mut places: HashMap<&str, usize> = HashMap::new();
        for (place, location) in list.iter().enumerate() {
            places.entry(location).or_insert(place + 1);
        }
        for (location, place) in places {
            *scores.entry(location).or_default() += 1.0 / (K + place as f64);
        }
    }
    let mut joined: Vec<(String, f64)> =
        scores.into_iter().map(|(location, score)| (location.to_owned(), score)).collect();
    joined.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    joined.truncate(limit);
    joined
}

#[cfg(test)]
mod tests {
    use super::fused;

    #[test]
    fn what_several_lists_have_comes_before_what_one_has() {
        let list = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let joined = fused(&[list(&["a", "b", "c"]), list(&["d", "b", "b"])], 10);
        let names: Vec<&str> = joined.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["b", "a", "d", "c"]);
        assert!((joined[0].1 - 2.0 / 62.0).abs() < 1e-12);
        assert_eq!(fused(&[list(&["a", "b"])], 1).len(), 1);
        assert!(fused(&[], 5).is_empty());
    }
}
