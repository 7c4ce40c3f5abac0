//! Checks of a model against the table of a view: its schema and header, the classes of its instances, the representations of its
//! products, the units of its project.

use super::{View, curves::is_flat, example, table::Representation};
use ifc::schema::Entity;
use ifc::{Id, Instance, Model};
use serde::Serialize;
use std::cell::RefCell;
use std::collections::HashMap;

/// The most levels of an item that are looked at.
const DEPTH: usize = 1_000;

/// The subject of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// FILE_SCHEMA.
    Schema,
    /// FILE_DESCRIPTION.
    Header,
    /// The class of an instance.
    Class,
    /// The identifier, type and items of a representation.
    Representation,
    /// The units of the project.
    Units,
}

/// Something that the table does not allow, or that it asks for and is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The rule.
    pub rule: Rule,
    /// The instance, such as `#12`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// Its class.
    pub class: String,
    /// The GlobalId of the instance or of what it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub global_id: Option<String>,
    /// The complaint.
    pub message: String,
    #[serde(skip)]
    pub(crate) id: Option<Id>,
}

/// Everything in a model that a view does not allow.
pub fn check(model: &Model, view: &View) -> Vec<Finding> {
    let mut findings = Vec::new();
    let whole = |rule, class: &str, message: String| Finding {
        rule,
        instance: None,
        class: class.to_owned(),
        global_id: None,
        message,
        id: None,
    };
    if model.schema().version() != view.schema {
        let message =
            format!("is {}, and {} is of {}", model.schema().name(), view.name, view.schema.as_str());
        return vec![whole(Rule::Schema, "FILE_SCHEMA", message)];
    }
    let wanted = view.definition(|class| model.has_class(class));
    if !model.header().description.contains(&wanted) {
        findings.push(whole(Rule::Header, "FILE_DESCRIPTION", format!("does not say {wanted}")));
    }
    for class in model.class_counts().into_keys() {
        let is_allowed = model.schema().entity(&class).is_some_and(|entity| view.allows(entity));
        if !is_allowed {
            let message = format!("is no class of {}", view.name);
            let ids = model.of_class_exact(&class).into_iter();
            findings.extend(ids.map(|id| at(model, id, Rule::Class, message.clone())));
        }
    }
    let judge = Judge::new(model, view);
    for id in model.of_class("IfcShapeRepresentation") {
        if let Some(message) = model.get(id).and_then(|r| judge.complaint(&r)) {
            findings.push(at(model, id, Rule::Representation, message));
        }
    }
    for unit in missing_units(model, view) {
        findings.push(whole(Rule::Units, "IfcUnitAssignment", format!("does not declare {unit}")));
    }
    findings
}

fn at(model: &Model, id: Id, rule: Rule, message: String) -> Finding {
    let class = model.get(id).map(|i| i.class_name().to_owned()).unwrap_or_default();
    let global_id = example(model, id).filter(|id| !id.starts_with('#'));
    Finding { rule, instance: Some(id.to_string()), class, global_id, message, id: Some(id) }
}

/// The kinds of unit that the view asks for and the project does not declare.
pub(super) fn missing_units<'v>(model: &Model, view: &'v View) -> Vec<&'v str> {
    let mut declared = Vec::new();
    for project in model.of_class("IfcProject") {
        let units =
            model.get(project).and_then(|p| p.reference("UnitsInContext")).and_then(|id| model.get(id));
        for unit in units.map(|units| units.references("Units")).unwrap_or_default() {
            declared.extend(model.get(unit).and_then(|unit| unit.enumeration("UnitType")));
        }
    }
    view.units.iter().map(String::as_str).filter(|kind| !declared.iter().any(|d| d == kind)).collect()
}

/// The products, and other things, that a representation belongs to.
#[derive(Debug, Default)]
pub(super) struct Owners {
    /// Products that have it as theirs.
    pub products: Vec<Id>,
    /// True if it is mapped.
    pub is_mapped: bool,
    /// True if it is a part of another one.
    pub is_aspect: bool,
}

impl Owners {
    pub fn of_representation(model: &Model, representation: Id) -> Owners {
        let mut owners = Owners::default();
        for by in model.referrers(representation).into_iter().filter_map(|by| model.get(by)) {
            if by.is_a("IfcProductDefinitionShape") {
                owners.products.extend(model.referrers_of(by.id(), "IfcProduct"));
            }
            owners.is_mapped |= by.is_a("IfcRepresentationMap");
            owners.is_aspect |= by.is_a("IfcShapeAspect");
        }
        owners
    }
}

/// Says of representations whether a view allows them.
pub(super) struct Judge<'m> {
    model: &'m Model,
    view: &'m View,
    /// True for an item that leads to classes of the view alone.
    whole: RefCell<HashMap<Id, bool>>,
}

impl<'m> Judge<'m> {
    pub fn new(model: &'m Model, view: &'m View) -> Judge<'m> {
        Judge { model, view, whole: RefCell::default() }
    }

    /// The objection to a representation, if there is any.
    fn complaint(&self, representation: &Instance<'_>) -> Option<String> {
        let identifier = representation.text("RepresentationIdentifier").unwrap_or_default();
        let kind = representation.text("RepresentationType").unwrap_or_default();
        let owners = Owners::of_representation(self.model, representation.id());
        let items = representation.references("Items");
        let is_row = |row: &&Representation| {
            row.kind == kind
                && (row.identifier == identifier || (owners.is_aspect && owners.products.is_empty()))
        };
        let named: Vec<&Representation> = self.view.representations.iter().filter(is_row).collect();
        if named.is_empty() {
            return Some(format!("{identifier} of type {kind} is no representation of {}", self.view.name));
        }
        if !named.iter().any(|row| self.may_have(row, &owners)) {
            let classes: Vec<&str> = named.iter().flat_map(|row| row.of.iter().map(String::as_str)).collect();
            return Some(format!("{identifier} of type {kind} is for {}", classes.join(", ")));
        }
        let fits = named.iter().any(|row| self.may_have(row, &owners) && self.holds(row, &items));
        (!fits).then(|| {
            format!("{identifier} of type {kind} has items that {} does not allow there", self.view.name)
        })
    }

    /// True if all products that have it may have representations of this row; mapped ones are judged where they are used.
    pub fn may_have(&self, row: &Representation, owners: &Owners) -> bool {
        row.of.is_empty()
            || owners.products.iter().all(|product| {
                self.model.get(*product).is_some_and(|p| row.of.iter().any(|class| p.is_a(class)))
            })
    }

    /// True if all items are as the row has them.
    pub fn holds(&self, row: &Representation, items: &[Id]) -> bool {
        !items.is_empty() && items.iter().all(|item| self.takes(row, *item))
    }

    /// True if an item is as the row has it.
    pub fn takes(&self, row: &Representation, item: Id) -> bool {
        let Some(instance) = self.model.get(item) else { return false };
        let has_dimension = match row.kind.as_str() {
            "Curve2D" => is_flat(self.model, item),
            "Curve3D" => !is_flat(self.model, item),
            _ => true,
        };
        has_dimension
            && row.items.iter().any(|class| instance.is_a(class))
            && self.is_swept_of(row, &instance)
            && self.leads_to_allowed(item, 0)
    }

    fn is_swept_of(&self, row: &Representation, item: &Instance<'_>) -> bool {
        let class = |id: Id| self.model.get(id).map(|i| i.class_name()).unwrap_or_default();
        let is_curve = |id: Id| row.curves.is_empty() || row.curves.iter().any(|name| name == class(id));
        if let Some(profile) = item.reference("SweptArea").and_then(|id| self.model.get(id)) {
            let mut curves =
                profile.reference("OuterCurve").into_iter().chain(profile.references("InnerCurves"));
            return row.profiles.is_empty()
                || (row.profiles.iter().any(|name| name == profile.class_name()) && curves.all(is_curve));
        }
        if let Some(directrix) = item.reference("Directrix") {
            return is_curve(directrix);
        }
        if item.is_a("IfcGeometricSet") {
            return item.references("Elements").into_iter().all(is_curve);
        }
        true
    }

    /// True if an item and all that it refers to are of classes of the view.
    pub fn leads_to_allowed(&self, id: Id, depth: usize) -> bool {
        if let Some(known) = self.whole.borrow().get(&id) {
            return *known;
        }
        let is_allowed = |entity: Option<&Entity>| entity.is_some_and(|entity| self.view.allows(entity));
        let Some(instance) = self.model.get(id).filter(|i| depth < DEPTH && is_allowed(i.entity())) else {
            return false;
        };
        // what is mapped is judged by itself
        let mut targets = Vec::new();
        if instance.is_a("IfcMappedItem") {
            targets.extend(instance.reference("MappingTarget"));
        } else {
            instance.attributes().iter().for_each(|value| value.for_each_ref(&mut |id| targets.push(id)));
        }
        // what leads to itself is no shape
        self.whole.borrow_mut().insert(id, false);
        let whole = targets.into_iter().all(|target| self.leads_to_allowed(target, depth + 1));
        self.whole.borrow_mut().insert(id, whole);
        whole
    }
}
