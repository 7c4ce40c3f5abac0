//! Which walls reach up to a roof, and how high they are without it, as the model keeps it.

use crate::author::Author;
use ifc::Id;

/// The name of the relation between a roof and a wall that reaches up to it.
pub(crate) const RELATION: &str = "Reaches up to the roof";

/// The relations of a roof or a wall that say who reaches up to whom: relation, roof, wall.
pub(crate) fn ties(author: &Author, id: Id) -> Vec<(Id, Id, Id)> {
    author
        .edit
        .referrers_of(id, "IfcRelConnectsElements")
        .into_iter()
        .filter_map(|relation| {
            let found = author.edit.get(relation)?;
            let ours =
                found.class_name() == "IfcRelConnectsElements" && found.name().as_deref() == Some(RELATION);
            ours.then_some(())?;
            Some((relation, found.reference("RelatingElement")?, found.reference("RelatedElement")?))
        })
        .collect()
}

/// The height of a wall without the roof, as its relation says it.
pub(crate) fn height_before(author: &Author, relation: Id) -> Option<f64> {
    let text = author.edit.get(relation)?.text("Description")?;
    text.split_whitespace().find_map(|word| word.parse::<f64>().ok()).filter(|h| *h > 0.0)
}

/// The roof that a wall reaches up to.
pub fn roof_of(author: &Author, wall: Id) -> Option<Id> {
    ties(author, wall).into_iter().find(|(_, _, related)| *related == wall).map(|(_, roof, _)| roof)
}

/// The height in mm of a wall without the roof that it reaches up to; `None` where it reaches up to none.
pub fn own_height(author: &Author, wall: Id) -> Option<f64> {
    let tie = ties(author, wall).into_iter().find(|(_, _, related)| *related == wall);
    tie.and_then(|(relation, ..)| height_before(author, relation))
}
