//! Attributes of instances: never inherited from the type; empty texts, empty lists and the third truth count as no value.

use super::context::Context;
use super::document::AttributeFacet;
use super::element::Element;
use super::outcome::Outcome;
use ifc::Value;

impl Context<'_> {
    /// Returns whether an instance meets an attribute facet.
    pub fn attribute(&self, element: &Element<'_>, facet: &AttributeFacet) -> Outcome {
        let (Some(instance), Some(name)) = (element.instance, &facet.name) else {
            return Outcome::absent("there is no such attribute");
        };
        let Some(class) = element.class else { return Outcome::absent("its class is unknown") };
        let (mut found, mut empty) = (0, None);
        for (at, attribute) in class.attributes.iter().enumerate() {
            if !name.accepts_text(attribute.name) {
                continue;
            }
            let value = instance.attr_at(at);
            match value.untyped() {
                Value::Null | Value::Derived => {}
                Value::Unknown => empty = Some(format!("{} is unknown", attribute.name)),
                Value::Text(text) if text.is_empty() => empty = Some(format!("{} is empty", attribute.name)),
                Value::List(members) if members.is_empty() => {
                    empty = Some(format!("{} is an empty list", attribute.name));
                }
                _ => {
                    found += 1;
                    let Some(wanted) = facet.value.as_ref().filter(|wanted| !wanted.is_empty()) else {
                        continue;
                    };
                    let measure = match &value {
                        Value::Typed(name, _) => name.as_str(),
                        _ => ifc_schema::leaf(attribute.declared),
                    };
                    let Some(datum) = self.datum(&value, measure, None) else {
                        return Outcome::wrong(format!("{} holds no plain value", attribute.name));
                    };
                    if !wanted.accepts(&datum) {
                        return Outcome::wrong(format!(
                            "{} is {datum}, not {}",
                            attribute.name,
                            wanted.describe()
                        ));
                    }
                }
            }
        }
        match (found, empty) {
            (0, Some(empty)) => Outcome::wrong(empty),
            (0, None) => Outcome::absent(format!("it has no value of {}", name.describe())),
            _ => Outcome::Met,
        }
    }
}
