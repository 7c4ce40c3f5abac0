//! Properties and quantities: the element's own over those of its type. All sets and properties that the names let through must be as
//! asked; of a property with several values any may be meant, but for bounds, which a bounded one must keep with both of its own.

use super::constraint::{Constraint, Datum};
use super::context::{Context, values};
use super::document::PropertyFacet;
use super::element::Element;
use super::outcome::Outcome;
use ifc::psets::{Detail, Property};

impl<'m> Context<'m> {
    /// Returns whether an instance meets a property facet.
    pub fn property(&self, element: &Element<'m>, facet: &PropertyFacet) -> Outcome {
        let (Some(set_name), Some(name)) = (&facet.property_set, &facet.base_name) else {
            return Outcome::absent("the facet names no property");
        };
        let sets = self.property_sets(element);
        let mut is_found = false;
        for set in sets.iter().filter(|set| set_name.accepts_text(set.name())) {
            let mut in_set = false;
            for property in set.properties(|own| name.accepts_text(own)) {
                match self.one(property, facet) {
                    Outcome::Absent(_) => {}
                    Outcome::Met => in_set = true,
                    Outcome::Wrong(why) => {
                        return Outcome::Wrong(format!("{}.{}: {why}", set.name(), property.name));
                    }
                }
            }
            if !in_set {
                return Outcome::absent(format!("{} has no value of {}", set.name(), name.describe()));
            }
            is_found = true;
        }
        if is_found {
            Outcome::Met
        } else {
            Outcome::absent(format!("it has no set {}", set_name.describe()))
        }
    }

    fn one(&self, property: &Property, facet: &PropertyFacet) -> Outcome {
        let all = match &property.detail {
            Detail::Complex(_) => return Outcome::wrong("complex properties cannot be asked for"),
            Detail::Reference(None) => return Outcome::absent("it has no value"),
            Detail::Reference(Some(_)) => {
                return Outcome::wrong("it refers to an instance, which cannot be asked for");
            }
            _ => values(property),
        };
        let mut given = all.into_iter().filter(|(value, _)| !value.is_null()).peekable();
        if given.peek().is_none() {
            return Outcome::absent("it has no value");
        }
        let mut others = Vec::new();
        let mut data: Vec<Datum<'_>> = Vec::new();
        let mut is_empty = false;
        for (value, measure) in given {
            if facet.data_type.as_deref().is_some_and(|wanted| !measure.eq_ignore_ascii_case(wanted)) {
                others.push(measure.to_ascii_uppercase());
                continue;
            }
            match self.datum(value, measure, property.unit) {
                Some(Datum::Text(text)) if text.is_empty() => is_empty = true,
                Some(datum) => data.push(datum),
                None => is_empty = true,
            }
        }
        if data.is_empty() {
            return match (is_empty, others.first()) {
                (false, Some(other)) => Outcome::wrong(format!(
                    "its type is {other}, not {}",
                    facet.data_type.as_deref().unwrap_or_default()
                )),
                _ => Outcome::wrong("its value is empty or unknown"),
            };
        }
        let Some(wanted) = facet.value.as_ref().filter(|wanted| !wanted.is_empty()) else {
            return Outcome::Met;
        };
        if let (Detail::Bounded { lower, upper }, Constraint::Restriction(restriction)) =
            (&property.detail, wanted)
            && (restriction.bounds.has_min() || restriction.bounds.has_max())
        {
            let of = |value| {
                let (_, measure) = (value, measure_of(value));
                self.datum(value, measure, property.unit)
            };
            let (lower, upper) = (of(lower), of(upper));
            let lacks = |needed: bool, own: &Option<Datum<'_>>| needed && own.is_none();
            if lacks(restriction.bounds.has_min(), &lower) || lacks(restriction.bounds.has_max(), &upper) {
                return Outcome::wrong(format!("it lacks a bound that could be {}", wanted.describe()));
            }
            return match [lower, upper].into_iter().flatten().find(|own| !wanted.accepts(own)) {
                Some(own) => Outcome::wrong(format!("its bound {own} is not {}", wanted.describe())),
                None => Outcome::Met,
            };
        }
        if data.iter().any(|datum| wanted.accepts(datum)) {
            return Outcome::Met;
        }
        let listed: Vec<String> = data.iter().take(4).map(ToString::to_string).collect();
        Outcome::wrong(format!("it is {}, not {}", listed.join(", "), wanted.describe()))
    }
}

fn measure_of(value: &ifc::Value) -> &str {
    match value {
        ifc::Value::Typed(name, _) => name,
        _ => "",
    }
}
