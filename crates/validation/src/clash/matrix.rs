//! Matrices of disciplines: which are held against which, and how closely.

use serde::Deserialize;

/// The matrix that comes with the program.
const DISCIPLINES: &str = include_str!("disciplines.toml");

/// A matrix.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Matrix {
    /// Its title.
    pub title: String,
    /// Its rows, in the order in which coordinators look at them.
    #[serde(rename = "row")]
    pub rows: Vec<Row>,
}

/// One test of a matrix.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Class, selector or word for the first set.
    pub source: String,
    /// The same for the second set.
    pub target: String,
    /// `hard`, `clearance`, `duplicate` or `inside`.
    #[serde(default)]
    pub mode: Option<String>,
    /// mm of depth that are let pass.
    #[serde(default)]
    pub tolerance: f64,
    /// mm that have to be kept free, for the mode `clearance`.
    #[serde(default)]
    pub clearance: Option<f64>,
}

impl Matrix {
    /// The matrix of disciplines that comes with the program.
    pub fn disciplines() -> Result<Self, toml::de::Error> {
        toml::from_str(DISCIPLINES)
    }
}
