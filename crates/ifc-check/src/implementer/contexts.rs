//! GEM051 and GEM052: geometric contexts and their subcontexts.

use super::Context;
use super::representations::identifiers;

pub(super) fn presence(context: &mut Context<'_, '_>) {
    let owner = if context.is_4_or_later() { "IfcContext" } else { "IfcProject" };
    let owners = context.of_class(owner);
    let Some(first) = owners.first().copied() else { return };
    let mut any = false;
    for project in owners {
        for found in context.at(&project, "RepresentationContexts") {
            any = true;
            if !found.is_a("IfcGeometricRepresentationContext") {
                context.report_about(&project, Some("RepresentationContexts"), |named| {
                    format!(
                        "{named} has {} ({}) as a context, where an IfcGeometricRepresentationContext is due",
                        found.id(),
                        found.class_name()
                    )
                });
                continue;
            }
            let kind = found.text("ContextType");
            if !matches!(kind.as_deref(), Some("Model" | "Plan" | "NotDefined")) {
                context.report_about(&found, Some("ContextType"), |named| {
                    let kind = kind.as_deref().map_or_else(|| "$".to_owned(), |kind| format!("'{kind}'"));
                    format!("{named} has the ContextType {kind}; write 'Model', 'Plan' or 'NotDefined'")
                });
            }
        }
    }
    if !any {
        context.report_about(&first, Some("RepresentationContexts"), |named| {
            format!("{named} has no RepresentationContexts; give it an IfcGeometricRepresentationContext of type 'Model'")
        });
    }
}

pub(super) fn subcontexts(context: &mut Context<'_, '_>) {
    if !context.is_4_or_later() {
        return;
    }
    for parent in context.of_exactly("IfcGeometricRepresentationContext") {
        if parent.inverse("HasSubContexts").is_empty() {
            context.report_about(&parent, Some("HasSubContexts"), |named| {
                format!("{named} has no subcontexts; give it one for each kind of representation, such as 'Body' and 'Axis'")
            });
        }
    }
    let due = identifiers(context.version());
    for sub in context.of_class("IfcGeometricRepresentationSubContext") {
        let found = sub.text("ContextIdentifier").filter(|text| !text.is_empty());
        let message = match &found {
            None => "has no ContextIdentifier".to_owned(),
            Some(found) if due.contains(&found.as_str()) => continue,
            Some(found) => format!("has the ContextIdentifier '{found}'"),
        };
        context.report_about(&sub, Some("ContextIdentifier"), |named| {
            format!("{named} {message}; write one of {}", due.join(", "))
        });
    }
}
