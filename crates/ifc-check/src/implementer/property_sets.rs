//! PSE001, PSE002 and QTY001: sets that are called as the standard's are the standard's, and no others look as if they
//! were.

use super::set_rules::{self, SetRule};
use super::{Context, named};
use ifc::{Instance, SchemaVersion, Value};

pub(super) fn standard_properties(context: &mut Context<'_, '_>) {
    for set in context.of_class("IfcPropertySet") {
        standard(context, &set, "Pset_", "HasProperties");
    }
}

pub(super) fn standard_quantities(context: &mut Context<'_, '_>) {
    // the rule has no table for IFC2X3
    if !context.is_4_or_later() {
        return;
    }
    for set in context.of_class("IfcElementQuantity") {
        if standard(context, &set, "Qto_", "Quantities")
            && set.text("MethodOfMeasurement").as_deref() != Some("BaseQuantities")
        {
            context.report_about(&set, Some("MethodOfMeasurement"), |named| {
                let found = set
                    .text("MethodOfMeasurement")
                    .map_or_else(|| "$".to_owned(), |text| format!("'{text}'"));
                format!("{named} has the MethodOfMeasurement {found}; 'BaseQuantities' is due")
            });
        }
    }
}

pub(super) fn custom_names(context: &mut Context<'_, '_>) {
    for set in context.of_class("IfcPropertySet") {
        let Some(name) = set.name() else { continue };
        let looks_standard = name.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("pset"));
        if looks_standard && !name.starts_with("Pset_") {
            context.report_about(&set, Some("Name"), |named| {
                format!("{named} is called almost as a standard set; call it Pset_… if it is one, else begin otherwise")
            });
        }
    }
}

/// Holds a set against the table, if its name begins so; answers whether it does.
fn standard(context: &mut Context<'_, '_>, set: &Instance<'_>, prefix: &str, members: &str) -> bool {
    let Some(name) = set.name().filter(|name| name.starts_with(prefix)) else { return false };
    let Some(rule) = set_rules::find(context.version(), &name) else {
        let schema = context.model.schema().name();
        context.report_about(set, Some("Name"), |named| {
            format!("{named}: {schema} has no set {name}; {prefix} is kept for the standard's, call yours otherwise")
        });
        return true;
    };
    for member in context.at(set, members) {
        property(context, set, rule, &member);
    }
    related(context, set, rule);
    true
}

fn property(context: &mut Context<'_, '_>, set: &Instance<'_>, rule: &SetRule, member: &Instance<'_>) {
    let Some(name) = member.name() else { return };
    let Some(due) = rule.property(&name) else {
        let near = ifc::schema::near(&name, rule.properties.iter().map(|property| property.name), 2);
        let near = if near.is_empty() { String::new() } else { format!(" (near it: {})", near.join(", ")) };
        let message = |name: &str| {
            format!(
                "{name} is no property of {}{near}; put properties of your own in a set of your own",
                named(set)
            )
        };
        let about = format!("{}.{name}", set.name().unwrap_or_default());
        if !context.report_exception(member, &about, message) {
            context.report_about(member, Some("Name"), message);
        }
        return;
    };
    if !due.class.is_empty() && !member.is_a(due.class) {
        context.report(member, |named| format!("{named} of {} should be an {}", set.id(), due.class));
    }
    match member.class_name() {
        "IfcPropertySingleValue" if !due.data_type.is_empty() => {
            let Value::Typed(found, _) = member.attr("NominalValue") else { return };
            if !is_type(context, &found, due.data_type) {
                context.report_about(member, Some("NominalValue"), |named| {
                    format!("{named} of {} is an {found}; write {}", set.id(), due.data_type)
                });
            }
        }
        "IfcPropertyEnumeratedValue" if !due.words.is_empty() => {
            let values = member.attr("EnumerationValues");
            for value in values.as_list().unwrap_or_default() {
                if let Some(word) = value.as_text()
                    && !due.words.contains(&word)
                {
                    context.report_about(member, Some("EnumerationValues"), |named| {
                        format!("{named} of {} is '{word}'; use one of {}", set.id(), due.words.join(", "))
                    });
                }
            }
        }
        _ => {}
    }
}

/// True if a defined type is this one or a specialisation of it.
fn is_type(context: &Context<'_, '_>, found: &str, due: &str) -> bool {
    let schema = context.model.schema();
    let mut name = found;
    loop {
        if name.eq_ignore_ascii_case(due) {
            return true;
        }
        match schema.type_declaration(name).map(|declaration| &declaration.definition) {
            Some(ifc::schema::Definition::Defined { declared, .. }) => name = declared,
            _ => return false,
        }
    }
}

/// Checks what the set is attached to against what it is for.
fn related(context: &mut Context<'_, '_>, set: &Instance<'_>, rule: &SetRule) {
    let relations = match context.version() {
        SchemaVersion::Ifc2x3 => set.inverse("PropertyDefinitionOf"),
        _ => set.inverse("DefinesOccurrence"),
    };
    let related: Vec<Instance<'_>> = relations
        .into_iter()
        .filter_map(|id| context.model.get(id))
        .flat_map(|relation| context.at(&relation, "RelatedObjects"))
        .collect();
    let (mut types, occurrences): (Vec<_>, Vec<_>) =
        related.into_iter().partition(|object| object.is_a("IfcTypeObject"));
    types.extend(set.inverse("DefinesType").into_iter().filter_map(|id| context.model.get(id)));
    for object in occurrences {
        if rule.kind == "PSET_TYPEDRIVENONLY" || rule.kind == "QTO_TYPEDRIVENONLY" {
            context.report(set, |name| {
                format!("{name} is for types only and given to {}; give it to its type", named(&object))
            });
        }
        applies(context, set, rule, &object, |class| object.is_a(class));
    }
    for object in types {
        if matches!(rule.kind, "PSET_OCCURRENCEDRIVEN" | "PSET_PERFORMANCEDRIVEN" | "QTO_OCCURRENCEDRIVEN") {
            context.report(set, |name| {
                format!(
                    "{name} is for occurrences only and given to the type {}; give it to the elements",
                    named(&object)
                )
            });
        }
        // tables name classes of occurrences where they mean their types too
        applies(context, set, rule, &object, |class| {
            ["", "Type", "Style"].iter().any(|suffix| object.is_a(&format!("{class}{suffix}")))
        });
    }
}

fn applies(
    context: &mut Context<'_, '_>,
    set: &Instance<'_>,
    rule: &SetRule,
    object: &Instance<'_>,
    is_a: impl Fn(&str) -> bool,
) {
    let matching: Vec<Option<&str>> =
        rule.applicable.iter().filter(|(class, _)| is_a(class)).map(|(_, predefined)| *predefined).collect();
    if matching.is_empty() {
        let mut classes: Vec<&str> = rule.applicable.iter().map(|(class, _)| *class).collect();
        classes.dedup();
        context.report(set, |name| {
            format!("{name} is given to {}; it is for {}", named(object), classes.join(", "))
        });
        return;
    }
    if matching.contains(&None) {
        return;
    }
    let found = predefined_type(context, object);
    if !matching
        .iter()
        .flatten()
        .any(|due| found.as_deref().is_some_and(|found| due.eq_ignore_ascii_case(found)))
    {
        let due: Vec<&str> = matching.iter().flatten().copied().collect();
        context.report(set, |name| {
            format!(
                "{name} is given to {} of the predefined type {}; it is for {}",
                named(object),
                found.as_deref().unwrap_or("none"),
                due.join(", ")
            )
        });
    }
}

/// The predefined type: an element's own, else its type's; for USERDEFINED what it is called.
fn predefined_type(context: &Context<'_, '_>, object: &Instance<'_>) -> Option<String> {
    let of = |object: &Instance<'_>, called: &str| match object.enumeration("PredefinedType") {
        Some(word) if word == "USERDEFINED" => object.text(called),
        found => found,
    };
    if object.is_a("IfcTypeObject") {
        return of(object, "ElementType");
    }
    if !object.attr("PredefinedType").is_null() {
        return of(object, "ObjectType");
    }
    let of_type = context.model.get(context.links.type_of(object.id())?)?;
    of(&of_type, "ElementType")
}
