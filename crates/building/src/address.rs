//! Addresses of buildings and sites in fields of their own: an IfcPostalAddress, in IFC4X3, which gives that up, the property set
//! Pset_Address.

use crate::author::Author;
use contract::Fault;
use ifc::{Id, Value};

/// An address.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Address {
    /// The lines above the town, such as street and number.
    pub lines: Vec<String>,
    /// Town.
    pub town: Option<String>,
    /// Region, county or state.
    pub region: Option<String>,
    /// Postal code.
    pub postal_code: Option<String>,
    /// Country.
    pub country: Option<String>,
}

impl Address {
    /// An address as on a letter: its lines, parted at line breaks, else at commas. Which of them is the town is not guessed.
    pub fn from_text(text: &str) -> Self {
        let parts: Vec<&str> =
            if text.contains('\n') { text.lines().collect() } else { text.split(',').collect() };
        let lines = parts.into_iter().map(str::trim).filter(|line| !line.is_empty());
        Self { lines: lines.map(str::to_owned).collect(), ..Self::default() }
    }

    /// Returns true if nothing is said.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    fn fields(&self) -> impl Iterator<Item = (&'static str, Value)> {
        let lines = (!self.lines.is_empty()).then(|| {
            ("AddressLines", Value::List(self.lines.iter().map(|line| line.as_str().into()).collect()))
        });
        let single = [
            ("Town", &self.town),
            ("Region", &self.region),
            ("PostalCode", &self.postal_code),
            ("Country", &self.country),
        ];
        let single = single.map(|(name, text)| text.as_deref().map(|text| (name, Value::from(text))));
        lines.into_iter().chain(single.into_iter().flatten())
    }
}

/// Writes the address of a building (`BuildingAddress`) or a site (`SiteAddress`).
pub fn write(author: &mut Author, owner: Id, attribute: &str, address: &Address) -> Result<(), Fault> {
    if address.is_empty() {
        return Ok(());
    }
    let fields: Vec<(&str, Value)> = address.fields().collect();
    if !author.is_latest() {
        let written = author.create("IfcPostalAddress", &fields)?;
        return author.set(owner, attribute, written);
    }
    let mut properties = Vec::new();
    for (name, value) in fields {
        let label = |value: Value| match value {
            Value::List(items) => Value::List(
                items.into_iter().map(|item| Value::Typed("IfcLabel".into(), Box::new(item))).collect(),
            ),
            single => Value::Typed("IfcLabel".into(), Box::new(single)),
        };
        let (class, attribute) = if name == "AddressLines" {
            ("IfcPropertyListValue", "ListValues")
        } else {
            ("IfcPropertySingleValue", "NominalValue")
        };
        properties.push(author.create(class, &[("Name", name.into()), (attribute, label(value))])?);
    }
    let properties = Value::list(properties.into_iter().map(Value::Ref));
    let set = author.root("IfcPropertySet", Some("Pset_Address"), &[("HasProperties", properties)])?;
    author.define(owner, set)
}
