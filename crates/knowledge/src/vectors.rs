//! Vectors of sections by their addresses, of whatever model made them, and those nearest to one, exactly. All of them are looked
//! through: a hundred thousand take milliseconds.
//!
//! A store is one file: a head, the addresses, the numbers as 32-bit floats or as bytes with a scale for each vector.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap};
use std::io::{self, Write};
use std::path::Path;

/// Bytes that a store may have.
const LARGEST: u64 = 1 << 30;
/// Numbers that a vector may have.
const DIMENSIONS: usize = 8_192;
/// The beginning of a file; the last digit is the form.
const MAGIC: &[u8; 8] = b"PNSVEC01";

/// How the numbers are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Precision {
    /// As they are: four bytes each.
    Single,
    /// As bytes with a scale for each vector: a quarter of the size, similarities right to about a hundredth.
    Byte,
}

/// The reasons for which vectors are not taken or read.
#[derive(Debug, thiserror::Error)]
pub enum VectorError {
    /// A vector of another length than the store's.
    #[error("a vector of {found} numbers among vectors of {expected}")]
    Dimensions {
        /// The store's.
        expected: usize,
        /// The one's.
        found: usize,
    },
    /// A vector without direction, or with numbers that are none.
    #[error("the vector of {0} has no direction")]
    NoDirection(String),
    /// More than a store takes.
    #[error("more vectors than a store takes")]
    TooLarge,
    /// A file that is no store.
    #[error("this is no file of vectors: {0}")]
    Malformed(&'static str),
    /// A file could not be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Unit vectors by address.
#[derive(Debug, Clone, PartialEq)]
pub struct Vectors {
    dimensions: usize,
    locations: Vec<String>,
    places: HashMap<String, usize>,
    numbers: Numbers,
}

#[derive(Debug, Clone, PartialEq)]
enum Numbers {
    Single(Vec<f32>),
    Byte { scales: Vec<f32>, bytes: Vec<i8> },
}

impl Vectors {
    /// An empty store of vectors of a length.
    pub fn new(dimensions: usize, precision: Precision) -> Self {
        let numbers = match precision {
            Precision::Single => Numbers::Single(Vec::new()),
            Precision::Byte => Numbers::Byte { scales: Vec::new(), bytes: Vec::new() },
        };
        Self {
            dimensions: dimensions.clamp(1, DIMENSIONS),
            locations: Vec::new(),
            places: HashMap::new(),
            numbers,
        }
    }

    /// The number of vectors.
    pub fn len(&self) -> usize {
        self.locations.len()
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.locations.is_empty()
    }

    /// The numbers of a vector.
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// How its numbers are kept.
    pub fn precision(&self) -> Precision {
        match self.numbers {
            Numbers::Single(_) => Precision::Single,
            Numbers::Byte { .. } => Precision::Byte,
        }
    }

    /// True if there is a vector of this address.
    pub fn contains(&self, location: &str) -> bool {
        self.places.contains_key(location)
    }

    /// Takes a vector, made a unit one, in the place of what was there under its address.
    pub fn insert(&mut self, location: &str, vector: &[f32]) -> Result<(), VectorError> {
        let unit = self.unit(vector, location)?;
        let place = self.places.get(location).copied();
        if place.is_none() && (self.bytes() + 1) * 2 > LARGEST {
            return Err(VectorError::TooLarge);
        }
        let at = place.unwrap_or(self.len()) * self.dimensions;
        match &mut self.numbers {
            Numbers::Single(numbers) => put(numbers, at, unit),
            Numbers::Byte { scales, bytes } => {
                let most = unit.iter().fold(0.0_f32, |most, number| most.max(number.abs()));
                let scale = most / 127.0;
                let rounded =
                    unit.iter().map(|number| (number / scale).round().clamp(-127.0, 127.0) as i8).collect();
                put(bytes, at, rounded);
                put(scales, at / self.dimensions, vec![scale]);
            }
        }
        if place.is_none() {
            self.places.insert(location.to_owned(), self.locations.len());
            self.locations.push(location.to_owned());
        }
        Ok(())
    }

    /// Keeps those whose address is wanted.
    pub fn retain(&mut self, wanted: impl Fn(&str) -> bool) {
        let mut kept = Self::new(self.dimensions, self.precision());
        for (at, location) in self.locations.iter().enumerate().filter(|(_, location)| wanted(location)) {
            let range = at * self.dimensions..(at + 1) * self.dimensions;
            match (&self.numbers, &mut kept.numbers) {
                (Numbers::Single(from), Numbers::Single(to)) => {
                    to.extend_from_slice(from.get(range).unwrap_or_default());
                }
                (Numbers::Byte { scales, bytes }, Numbers::Byte { scales: to, bytes: into }) => {
                    to.push(scales.get(at).copied().unwrap_or_default());
                    into.extend_from_slice(bytes.get(range).unwrap_or_default());
                }
                _ => {}
            }
            kept.places.insert(location.clone(), kept.locations.len());
            kept.locations.push(location.clone());
        }
        *self = kept;
    }

    /// The addresses nearest to a vector, with the cosine of the angle between, nearest first; only those wanted.
    pub fn nearest(
        &self,
        vector: &[f32],
        limit: usize,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<Vec<(String, f32)>, VectorError> {
        let places = self.locations.iter().enumerate().filter(|(_, location)| wanted(location));
        let near = self.nearest_of(vector, limit, places.map(|(at, location)| (at, location.as_str())))?;
        Ok(near.into_iter().map(|(location, cosine)| (location.to_owned(), cosine)).collect())
    }

    /// The place of an address among the vectors.
    pub fn place(&self, location: &str) -> Option<usize> {
        self.places.get(location).copied()
    }

    /// Those of these places that are nearest to a vector, with the cosine of the angle between, nearest first. Each place comes with a mark
    /// that is answered in its stead; of places alike the lesser mark comes first.
    pub fn nearest_of<T: Ord>(
        &self,
        vector: &[f32],
        limit: usize,
        places: impl Iterator<Item = (usize, T)>,
    ) -> Result<Vec<(T, f32)>, VectorError> {
        let unit = self.unit(vector, "the question")?;
        let mut best: BinaryHeap<Candidate<T>> = BinaryHeap::new();
        for (at, mark) in places.take(if limit == 0 { 0 } else { usize::MAX }) {
            let candidate = Candidate { cosine: self.cosine(at, &unit), mark };
            if best.len() < limit {
                best.push(candidate);
            } else if best.peek().is_some_and(|worst| candidate < *worst) {
                best.pop();
                best.push(candidate);
            }
        }
        // from the smallest, which is the nearest
        Ok(best.into_sorted_vec().into_iter().map(|near| (near.mark, near.cosine)).collect())
    }

    fn cosine(&self, at: usize, unit: &[f32]) -> f32 {
        let range = at * self.dimensions..(at + 1) * self.dimensions;
        match &self.numbers {
            Numbers::Single(numbers) => dot(unit, numbers.get(range).unwrap_or_default(), |number| number),
            Numbers::Byte { scales, bytes } => {
                let sum = dot(unit, bytes.get(range).unwrap_or_default(), f32::from);
                sum * scales.get(at).copied().unwrap_or_default()
            }
        }
    }

    fn unit(&self, vector: &[f32], location: &str) -> Result<Vec<f32>, VectorError> {
        if vector.len() != self.dimensions {
            return Err(VectorError::Dimensions { expected: self.dimensions, found: vector.len() });
        }
        let length = vector.iter().map(|number| f64::from(*number).powi(2)).sum::<f64>().sqrt();
        if !length.is_finite() || length < 1e-20 {
            return Err(VectorError::NoDirection(location.to_owned()));
        }
        Ok(vector.iter().map(|number| (f64::from(*number) / length) as f32).collect())
    }

    /// About the bytes that the numbers take.
    fn bytes(&self) -> u64 {
        let each = match self.numbers {
            Numbers::Single(_) => self.dimensions * 4,
            Numbers::Byte { .. } => self.dimensions + 4,
        };
        (each * self.len()) as u64
    }

    /// Writes the store into a file: under another name first, so that who reads never finds half of it.
    pub fn save(&self, path: &Path) -> Result<(), VectorError> {
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let part = std::path::PathBuf::from(part);
        let mut file = io::BufWriter::new(std::fs::File::create(&part)?);
        let byte = u32::from(self.precision() == Precision::Byte);
        file.write_all(MAGIC)?;
        for number in [byte, self.dimensions as u32, self.len() as u32] {
            file.write_all(&number.to_le_bytes())?;
        }
        for location in &self.locations {
            file.write_all(&(location.len() as u32).to_le_bytes())?;
            file.write_all(location.as_bytes())?;
        }
        let (floats, bytes): (&[f32], &[i8]) = match &self.numbers {
            Numbers::Single(numbers) => (numbers, &[]),
            Numbers::Byte { scales, bytes } => (scales, bytes),
        };
        for number in floats {
            file.write_all(&number.to_le_bytes())?;
        }
        for number in bytes {
            file.write_all(&number.to_le_bytes())?;
        }
        file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_data()?;
        std::fs::rename(&part, path)?;
        Ok(())
    }

    /// Reads the store of a file.
    pub fn load(path: &Path) -> Result<Self, VectorError> {
        if std::fs::metadata(path)?.len() > LARGEST {
            return Err(VectorError::TooLarge);
        }
        Self::decode(&std::fs::read(path)?)
    }

    /// Reads a store from its bytes.
    pub fn decode(bytes: &[u8]) -> Result<Self, VectorError> {
        let short = || VectorError::Malformed("it ends too early");
        let mut rest = bytes.strip_prefix(MAGIC).ok_or(VectorError::Malformed("it does not begin as one"))?;
        let number = |rest: &mut &[u8]| -> Result<usize, VectorError> {
            let (number, after) = rest.split_first_chunk::<4>().ok_or_else(short)?;
            *rest = after;
            usize::try_from(u32::from_le_bytes(*number)).map_err(|_| short())
        };
        let (byte, dimensions, count) = (number(&mut rest)?, number(&mut rest)?, number(&mut rest)?);
        if !(1..=DIMENSIONS).contains(&dimensions) || byte > 1 {
            return Err(VectorError::Malformed("its head is damaged"));
        }
        let precision = if byte == 1 { Precision::Byte } else { Precision::Single };
        let mut store = Self::new(dimensions, precision);
        for at in 0..count {
            let length = number(&mut rest)?;
            let (location, after) = rest.split_at_checked(length).ok_or_else(short)?;
            let location =
                std::str::from_utf8(location).map_err(|_| VectorError::Malformed("an address is no text"))?;
            if store.places.insert(location.to_owned(), at).is_some() {
                return Err(VectorError::Malformed("an address stands twice"));
            }
            store.locations.push(location.to_owned());
            rest = after;
        }
        let cells = count.checked_mul(dimensions).ok_or_else(short)?;
        let floats = if byte == 1 { count } else { cells };
        let (head, tail) =
            rest.split_at_checked(floats.checked_mul(4).ok_or_else(short)?).ok_or_else(short)?;
        let floats: Vec<f32> =
            head.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        if floats.iter().any(|number| !number.is_finite()) {
            return Err(VectorError::Malformed("a number is none"));
        }
        let expected = if byte == 1 { cells } else { 0 };
        if tail.len() != expected {
            return Err(VectorError::Malformed("its length is not that of its head"));
        }
        store.numbers = match precision {
            Precision::Single => Numbers::Single(floats),
            Precision::Byte => {
                let bytes = tail.iter().map(|byte| i8::from_le_bytes([*byte])).collect();
                Numbers::Byte { scales: floats, bytes }
            }
        };
        Ok(store)
    }
}

fn put<T>(all: &mut Vec<T>, at: usize, new: Vec<T>) {
    if at >= all.len() {
        all.extend(new);
    } else {
        for (old, new) in all.iter_mut().skip(at).zip(new) {
            *old = new;
        }
    }
}

/// The scalar product, in eight sums that a processor makes at once.
fn dot<T: Copy>(unit: &[f32], numbers: &[T], number: impl Fn(T) -> f32) -> f32 {
    let mut sums = [0.0_f32; 8];
    let (left, left_rest) = unit.as_chunks::<8>();
    let (right, right_rest) = numbers.as_chunks::<8>();
    for (left, right) in left.iter().zip(right) {
        for ((sum, a), b) in sums.iter_mut().zip(left).zip(right) {
            *sum += a * number(*b);
        }
    }
    let rest: f32 = left_rest.iter().zip(right_rest).map(|(a, b)| a * number(*b)).sum();
    sums.iter().sum::<f32>() + rest
}

/// A mark with its cosine; the greatest is the one that is furthest away.
#[derive(PartialEq)]
struct Candidate<T> {
    cosine: f32,
    mark: T,
}

impl<T: Eq> Eq for Candidate<T> {}

impl<T: Ord> Ord for Candidate<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.cosine.total_cmp(&self.cosine).then_with(|| self.mark.cmp(&other.mark))
    }
}

impl<T: Ord> PartialOrd for Candidate<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(precision: Precision) -> Vectors {
        let mut vectors = Vectors::new(3, precision);
        for (name, vector) in [
            ("x", [2.0, 0.0, 0.0]),
            ("y", [0.0, 3.0, 0.0]),
            ("xy", [1.0, 1.0, 0.1]),
            ("-x", [-1.0, 0.0, 0.0]),
        ] {
            vectors.insert(name, &vector).unwrap();
        }
        vectors
    }

    #[test]
    fn the_nearest_are_found_in_either_precision_after_a_file() {
        for precision in [Precision::Single, Precision::Byte] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("vectors");
            filled(precision).save(&path).unwrap();
            let vectors = Vectors::load(&path).unwrap();
            assert_eq!(vectors, filled(precision));
            let near = vectors.nearest(&[1.0, 0.2, 0.0], 3, |_| true).unwrap();
            let names: Vec<&str> = near.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(names, ["x", "xy", "y"]);
            assert!((near[0].1 - 0.980_58).abs() < 0.01, "{near:?}");
            assert_eq!(vectors.nearest(&[1.0, 0.0, 0.0], 1, |name| name != "x").unwrap()[0].0, "xy");
        }
    }

    #[test]
    fn vectors_are_replaced_and_dropped_by_address() {
        let mut vectors = filled(Precision::Byte);
        vectors.insert("x", &[0.0, 0.0, 1.0]).unwrap();
        vectors.retain(|name| name != "y");
        assert_eq!(vectors.len(), 3);
        assert!(!vectors.contains("y"));
        assert_eq!(vectors.nearest(&[0.0, 0.0, 1.0], 1, |_| true).unwrap()[0].0, "x");
    }

    #[test]
    fn what_has_no_direction_or_another_length_is_refused() {
        let mut vectors = filled(Precision::Single);
        assert!(matches!(
            vectors.insert("a", &[1.0]),
            Err(VectorError::Dimensions { expected: 3, found: 1 })
        ));
        assert!(matches!(vectors.insert("a", &[0.0; 3]), Err(VectorError::NoDirection(_))));
        assert!(matches!(vectors.insert("a", &[f32::NAN, 0.0, 0.0]), Err(VectorError::NoDirection(_))));
    }

    #[test]
    fn a_file_that_is_cut_short_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("vectors");
        filled(Precision::Byte).save(&path).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        assert!(Vectors::decode(&bytes).is_ok());
        for end in 0..bytes.len() {
            assert!(Vectors::decode(&bytes[..end]).is_err(), "{end}");
        }
    }
}
