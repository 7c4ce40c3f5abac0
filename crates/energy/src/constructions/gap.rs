//! The resistance of gas between panes by EN 673: radiation from pane to pane, and conduction with convection in the gas, for vertical glass
//! at a mean of 10 °C and 15 K over all gaps.

use super::Layer;
use crate::idf::Object;

/// Density in kg/m³, dynamic viscosity in kg/(m·s), conductivity in W/(m·K) and specific heat in J/(kg·K) at 10 °C.
type Properties = [f64; 4];

/// The gases of EN 673, table 1, by the names that EnergyPlus has for them.
const GASES: [(&str, Properties); 4] = [
    ("Air", [1.232, 1.761e-5, 2.496e-2, 1008.0]),
    ("Argon", [1.699, 2.164e-5, 1.684e-2, 519.0]),
    ("Krypton", [3.56, 2.4e-5, 0.9e-2, 245.0]),
    ("Xenon", [5.689, 2.226e-5, 0.529e-2, 161.0]),
];

const STEFAN_BOLTZMANN: f64 = 5.67e-8;
/// In K.
const MEAN_TEMPERATURE: f64 = 283.0;
/// In K, over all gaps of a glazing.
const DIFFERENCE: f64 = 15.0;
/// Rounds in which the difference is shared among the gaps by their resistances; it settles in three.
const ROUNDS: usize = 10;

/// The mean properties of a gas or of a mixture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mixture(Properties);

impl Mixture {
    /// Reads a gas or a mixture; none where a gas is not known, such as one that is given by coefficients.
    pub(super) fn from_material(material: Object<'_>) -> Option<Self> {
        let gas = |name: &str| {
            GASES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name.trim())).map(|(_, own)| *own)
        };
        if let Some(name) = material.get("gas_type") {
            return gas(name).map(Self);
        }
        let count =
            material.number("number_of_gases_in_mixture").filter(|count| (1.0..=4.0).contains(count))?;
        let (mut sum, mut whole) = ([0.0; 4], 0.0);
        for at in 1..=count as usize {
            let own = gas(material.get(&format!("gas_{at}_type"))?)?;
            let share = material.number(&format!("gas_{at}_fraction")).filter(|share| *share > 0.0)?;
            whole += share;
            for (sum, own) in sum.iter_mut().zip(own) {
                *sum += share * own;
            }
        }
        (whole.is_finite() && whole > 0.0).then(|| Self(sum.map(|value| value / whole)))
    }

    /// The conductance of conduction and convection in W/(m²·K) through a gap of this thickness in m with this difference in K.
    fn conductance(self, thickness: f64, difference: f64) -> f64 {
        let [density, viscosity, conductivity, heat] = self.0;
        let grashof =
            9.81 * thickness.powi(3) * difference * density.powi(2) / (MEAN_TEMPERATURE * viscosity.powi(2));
        let prandtl = viscosity * heat / conductivity;
        let nusselt = (0.035 * (grashof * prandtl).powf(0.38)).max(1.0);
        nusselt * conductivity / thickness
    }
}

/// The conductance of radiation in W/(m²·K) between two faces.
fn radiation(emissivities: [f64; 2]) -> f64 {
    let exchange = 1.0 / (emissivities.map(|own| 1.0 / own).iter().sum::<f64>() - 1.0);
    4.0 * STEFAN_BOLTZMANN * exchange * MEAN_TEMPERATURE.powi(3)
}

/// The resistance in m²·K/W of all gaps among layers; a reason where a gas is not between panes.
pub(super) fn resistance(layers: &[Layer]) -> Result<f64, String> {
    let mut gaps = Vec::new();
    for (at, layer) in layers.iter().enumerate() {
        let Layer::Gas { thickness, mixture } = layer else { continue };
        let before = at.checked_sub(1).and_then(|at| layers.get(at));
        let (Some(Layer::Pane { emissivities: outer, .. }), Some(Layer::Pane { emissivities: inner, .. })) =
            (before, layers.get(at + 1))
        else {
            return Err("a gas in it is not between panes".to_owned());
        };
        let ([_, back], [front, _]) = (outer, inner);
        gaps.push((*thickness, *mixture, radiation([*back, *front])));
    }
    let count = gaps.len().max(1) as f64;
    let mut differences = vec![DIFFERENCE / count; gaps.len()];
    let mut sum = 0.0;
    for _ in 0..ROUNDS {
        let own = gaps.iter().zip(&differences).map(|((thickness, mixture, radiation), difference)| {
            1.0 / (mixture.conductance(*thickness, *difference) + radiation)
        });
        let own: Vec<f64> = own.collect();
        sum = own.iter().sum();
        differences = own.iter().map(|resistance| DIFFERENCE * resistance / sum).collect();
    }
    if sum.is_finite() { Ok(sum) } else { Err("a gap in it has no resistance".to_owned()) }
}
