//! The model itself, an encoder of the form of BERT: word pieces in, a vector for each text out.
//!
//! The pieces of texts that are computed together stand one below the other, so that matrices are multiplied once for all of them.
//! Only attention looks at each text alone. So texts of any lengths go together; nothing is filled up or masked.

use crate::DIMENSIONS;
use crate::arithmetic::{gelu, normalize, shares};
use crate::error::Error;
use crate::weights::{Layer, Linear, Shape, Weights};
use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayView2, Axis, s};
use std::ops::Range;

/// The shape of all-MiniLM-L6-v2.
const SHAPE: Shape = Shape { width: DIMENSIONS, wide: 4 * DIMENSIONS, layers: 6, heads: 12 };
/// The numbers of a vector that a head sees.
const HEAD: usize = SHAPE.width / SHAPE.heads;

/// The model, ready to run.
pub struct Network(Weights);

impl Network {
    /// Reads a model in ONNX.
    pub fn read(bytes: &[u8]) -> Result<Self, Error> {
        Weights::read(bytes, &SHAPE).map(Self)
    }

    /// The vectors of texts: the means of what the model says of each piece, made as long as 1.
    pub fn vectors(&self, texts: &[&[u32]]) -> Result<Vec<Vec<f32>>, Error> {
        let mut end = 0;
        let rows = texts.iter().map(|text| {
            let first = end;
            end += text.len();
            first..end
        });
        let rows: Vec<Range<usize>> = rows.collect();
        let mut states = self.begun(texts)?;
        for layer in &self.0.layers {
            attend(&mut states, layer, &rows);
            think(&mut states, layer);
        }
        let vectors = rows.into_iter().map(|rows| mean(&states.slice(s![rows, ..])));
        vectors.map(|vector| vector.ok_or(Error::NoDirection)).collect()
    }

    /// The first states of pieces: the sums of the vectors of piece, place and sentence.
    fn begun(&self, texts: &[&[u32]]) -> Result<Array2<f32>, Error> {
        let weights = &self.0;
        let mut states = Array2::zeros((texts.iter().map(|text| text.len()).sum(), SHAPE.width));
        let pieces = texts.iter().flat_map(|text| text.iter().enumerate());
        for (mut state, (place, piece)) in states.rows_mut().into_iter().zip(pieces) {
            let Some(state) = state.as_slice_mut() else { continue };
            state.copy_from_slice(&weights.sentence);
            let known = weights.words.add_to(*piece as usize, state);
            known.and_then(|()| weights.places.add_to(place, state)).ok_or(Error::UnknownPiece(*piece))?;
            normalize(state, &weights.norm);
        }
        Ok(states)
    }
}

/// Lets each piece look at all pieces of its text.
fn attend(states: &mut Array2<f32>, layer: &Layer, texts: &[Range<usize>]) {
    let asked = product(&states.view(), &layer.attention);
    let mut seen = Array2::zeros((states.nrows(), SHAPE.width));
    for rows in texts {
        let mut scores = Array2::zeros((rows.len(), rows.len()));
        for head in 0..SHAPE.heads {
            let part = |which: usize| {
                let first = which * SHAPE.width + head * HEAD;
                asked.slice(s![rows.clone(), first..first + HEAD])
            };
            let (query, key, value) = (part(0), part(1), part(2));
            general_mat_mul(1.0, &query, &key.t(), 0.0, &mut scores);
            each(&mut scores, shares);
            let mut seen = seen.slice_mut(s![rows.clone(), head * HEAD..(head + 1) * HEAD]);
            general_mat_mul(1.0, &scores, &value, 0.0, &mut seen);
        }
    }
    *states += &product(&seen.view(), &layer.attended);
    each(states, |state| normalize(state, &layer.attention_norm));
}

/// Works on each piece alone.
fn think(states: &mut Array2<f32>, layer: &Layer) {
    let mut wide = product(&states.view(), &layer.widened);
    each(&mut wide, gelu);
    *states += &product(&wide.view(), &layer.narrowed);
    each(states, |state| normalize(state, &layer.norm));
}

/// Rows multiplied with a matrix, and its bias.
fn product(rows: &ArrayView2<f32>, linear: &Linear) -> Array2<f32> {
    let mut product = Array2::zeros((rows.nrows(), linear.matrix.ncols()));
    product += &linear.bias;
    general_mat_mul(1.0, rows, &linear.matrix, 1.0, &mut product);
    product
}

fn each(rows: &mut Array2<f32>, change: impl Fn(&mut [f32])) {
    for mut row in rows.rows_mut() {
        if let Some(row) = row.as_slice_mut() {
            change(row);
        }
    }
}

/// The mean of rows, made as long as 1; none if it has no direction.
fn mean(rows: &ArrayView2<f32>) -> Option<Vec<f32>> {
    let sum = rows.sum_axis(Axis(0));
    let length = sum.iter().map(|number| f64::from(*number).powi(2)).sum::<f64>().sqrt();
    (length.is_finite() && length > 1e-6)
        .then(|| sum.iter().map(|number| (f64::from(*number) / length) as f32).collect())
}

#[cfg(test)]
mod tests {
    use super::mean;
    use ndarray::arr2;

    #[test]
    fn a_mean_is_as_long_as_one_or_none() {
        assert_eq!(mean(&arr2(&[[3.0, 0.0], [3.0, 8.0]]).view()), Some(vec![0.6, 0.8]));
        assert_eq!(mean(&arr2(&[[1.0, 0.0], [-1.0, 0.0]]).view()), None);
        assert_eq!(mean(&arr2(&[[f32::NAN, 0.0]]).view()), None);
    }
}
