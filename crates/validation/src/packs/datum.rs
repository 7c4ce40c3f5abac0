//! Values that the file states of a thing: attributes, properties and quantities of the element or its type, classifications.

use super::context::Context;
use super::kind::Item;
use super::measure::{Answer, Reading};
use super::value::{Value, text};
use crate::finding::{Quantity, Unit};
use ifc::psets;

/// The attribute of a thing's element; no reading where it is not set. Numbers are in the file's units.
pub(super) fn attribute(context: &Context<'_>, item: Item, name: &str) -> Answer {
    let element = context.element(item).ok_or("it is no element of the file")?;
    let instance = context.model().get(element).ok_or("it is not in the file")?;
    let value = instance.attr(name);
    Ok(plain(&value).map(Reading::new).into_iter().collect())
}

/// The property or quantity of a thing's element or its type, in the kind of quantity that is asked for; no reading where there is none.
pub(super) fn property(
    context: &Context<'_>,
    item: Item,
    set: &str,
    name: &str,
    wanted: Option<Unit>,
) -> Answer {
    let element = context.element(item).ok_or("it is no element of the file")?;
    let Some(found) = psets::find_with(&context.links, element, set, name) else { return Ok(Vec::new()) };
    let Some(unit) = wanted else { return Ok(plain(&found.value).map(Reading::new).into_iter().collect()) };
    let si = match unit {
        Unit::Count | Unit::Ratio => found.value.as_f64(),
        Unit::Minutes => found.value.as_f64().or_else(|| minutes(&text(&found.value)?)),
        Unit::Angle => found.in_si(context.model(), &context.units).map(f64::to_degrees),
        Unit::Length | Unit::Area | Unit::Volume => found.in_si(context.model(), &context.units),
    };
    if si.is_none() && plain(&found.value).is_some() {
        return Err(format!("`{set}.{name}` is not stated as a number with a unit"));
    }
    let reading = |value| Reading::new(Value::Quantity(Quantity { value, unit }));
    Ok(si.filter(|value| value.is_finite()).map(reading).into_iter().collect())
}

/// The codes and names by which a thing's element is classified, in one text.
pub(super) fn classification(context: &Context<'_>, item: Item) -> Answer {
    let element = context.element(item).ok_or("it is no element of the file")?;
    let attribute = |id: ifc::Id| {
        let instance = context.model().get(id)?;
        let code = instance.text("Identification").or_else(|| instance.text("ItemReference"));
        let parts: Vec<String> = [code, instance.name()].into_iter().flatten().collect();
        Some(parts.join(" "))
    };
    let all = context.links.classifications_of(element).into_iter().filter_map(attribute);
    Ok(all.filter(|text| !text.is_empty()).map(|text| Reading::new(Value::Text(text))).collect())
}

/// The number of minutes in a text such as `REI 60` or `F90`.
fn minutes(text: &str) -> Option<f64> {
    let digits: String =
        text.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

/// A value of the file without its type.
fn plain(value: &ifc::Value) -> Option<Value> {
    let json = psets::plain_json(value);
    match json {
        serde_json::Value::String(text) => Some(Value::Text(text)),
        serde_json::Value::Bool(truth) => Some(Value::Truth(truth)),
        serde_json::Value::Number(number) => {
            let value = number.as_f64().filter(|value| value.is_finite())?;
            Some(Value::Quantity(Quantity { value, unit: Unit::Count }))
        }
        serde_json::Value::Array(all) => {
            let texts = all.iter().map(|one| one.as_str().map_or_else(|| one.to_string(), str::to_owned));
            Some(Value::Texts(texts.collect())).filter(|_| !all.is_empty())
        }
        _ => None,
    }
}
