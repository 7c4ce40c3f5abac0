//! Joins that somebody asks for: which walls, and how their corner is cut; or that they are parted.

use super::corner::Arm;
use super::ends::{is_fixed, refit};
use super::links::{Kind, link, links, unlink};
use super::meeting::places;
use crate::author::Author;
use crate::follow::bring;
use crate::host::Wall;
use crate::layer_priority;
use crate::lookup::{guid, label};
use crate::measures::mm;
use crate::relations::End;
use crate::roof_ties::own_height;
use crate::wall_profile::Profile;
use contract::Fault;
use glam::DVec2;
use ifc::Id;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;

/// Ends that are no farther than this from where axes cross are brought there, in mm.
const CLOSED: f64 = 1000.0;

/// The join asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JoinType {
    /// The first wall runs through, the other stops at its face.
    Butt,
    /// Both are cut on the line that halves their angle.
    Mitre,
    /// The end of one stops at the face of the other, on whose path it lies.
    Tee,
    /// The kind that suits.
    Auto,
    /// Parted, with square ends.
    None,
}

/// Two walls as they are joined.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct JoinAnswer {
    /// GlobalId of the connection.
    pub join_id: String,
    /// GlobalIds of both walls; the one that runs through first.
    pub element_ids: [String; 2],
    /// butt, mitre or tee.
    pub join_type: &'static str,
    /// Where on each: start, end or path.
    pub at: [&'static str; 2],
}

/// The joins made, or taken away.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct JoinsAnswer {
    /// The joins.
    pub joins: Vec<JoinAnswer>,
    /// GlobalIds of the connections taken away.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parted: Vec<String>,
    /// GlobalIds of the walls that were drawn again.
    pub regenerated: Vec<String>,
}

/// Joins walls with each other, or parts them.
pub fn join(author: &mut Author, ids: &[Id], kind: JoinType) -> Result<JoinsAnswer, Fault> {
    if ids.len() < 2 || ids.len() > 200 {
        return Err(Fault::invalid("element_ids", "`element_ids` must name 2 to 200 different walls."));
    }
    let mut walls = Vec::with_capacity(ids.len());
    for (i, id) in ids.iter().enumerate() {
        if !author.edit.get(*id).is_some_and(|w| w.is_a("IfcWall")) {
            return Err(Fault::invalid(
                &format!("element_ids[{i}]"),
                format!("{} is no wall; walls can be joined.", label(author.edit, *id)),
            ));
        }
        walls.push(Wall::read_any(author, *id)?);
    }
    if let [a, b] = &mut walls[..]
        && kind != JoinType::None
        && places(a, b).is_none()
    {
        let is_corner = matches!(kind, JoinType::Butt | JoinType::Mitre);
        close(author, a, b, is_corner)?;
    }
    let (mut made, mut parted) = (Vec::new(), Vec::new());
    if kind == JoinType::None {
        parted = part(author, ids)?;
    } else {
        made = connect(author, &walls, kind)?;
    }
    let mut reached: BTreeSet<Id> = ids.iter().copied().collect();
    for id in ids {
        reached.extend(links(author, *id).into_iter().map(|l| l.other));
    }
    let mut regenerated = Vec::new();
    for id in reached {
        if refit(author, id)? {
            regenerated.push(guid(author.edit, id));
        }
    }
    let joins = made.into_iter().filter_map(|relation| answer(author, relation)).collect();
    Ok(JoinsAnswer { joins, parted, regenerated })
}

fn part(author: &mut Author, ids: &[Id]) -> Result<Vec<String>, Fault> {
    let mut parted = Vec::new();
    for id in ids {
        for link in links(author, *id).into_iter().filter(|l| ids.contains(&l.other)) {
            parted.push(guid(author.edit, link.relation));
            unlink(author, link.relation)?;
        }
    }
    if parted.is_empty() {
        return Err(Fault::constraint(
            "These walls are not joined with each other; there is nothing to part.",
        )
        .with("field", "join_type"));
    }
    Ok(parted)
}

fn connect(author: &mut Author, walls: &[Wall], kind: JoinType) -> Result<Vec<Id>, Fault> {
    let mut made = Vec::new();
    let mut met = BTreeSet::new();
    for (i, a) in walls.iter().enumerate() {
        for b in walls.iter().skip(i + 1) {
            let Some((own, there)) = places(a, b) else { continue };
            check(author, (a, own), (b, there), kind)?;
            let pair =
                if there == End::Path { [(b.id, there), (a.id, own)] } else { [(a.id, own), (b.id, there)] };
            let how = match kind {
                JoinType::Butt => Kind::Butt,
                JoinType::Mitre => Kind::Mitre,
                _ => Kind::Auto,
            };
            made.push(link(author, pair, how)?);
            met.extend([a.id, b.id]);
        }
    }
    match walls.iter().find(|wall| !met.contains(&wall.id)) {
        Some(alone) => Err(apart(author, alone, walls)),
        None => Ok(made),
    }
}

fn check(author: &Author, a: (&Wall, End), b: (&Wall, End), kind: JoinType) -> Result<(), Fault> {
    let names = || format!("{} and {}", label(author.edit, a.0.id), label(author.edit, b.0.id));
    let refused = |text: String| Err(Fault::constraint(text).with("field", "join_type"));
    let on_path = a.1 == End::Path || b.1 == End::Path;
    if on_path && matches!(kind, JoinType::Butt | JoinType::Mitre) {
        return refused(format!(
            "Of {} one ends on the other's path; that is a tee. Take tee or auto.",
            names()
        ));
    }
    if !on_path && kind == JoinType::Tee {
        return refused(format!(
            "{} meet end to end; a tee is an end on the other's path. Take butt, mitre or auto.",
            names()
        ));
    }
    let stem = |(wall, end): (&Wall, End)| end != End::Path && is_fixed(author, wall);
    let fixed: Vec<Id> = [a, b].into_iter().filter(|w| stem(*w)).map(|(w, _)| w.id).collect();
    let needed = if on_path || kind == JoinType::Mitre { 1 } else { 2 };
    if fixed.len() >= needed || (kind == JoinType::Butt && fixed.contains(&b.0.id)) {
        let named: Vec<String> = fixed.iter().map(|id| label(author.edit, *id)).collect();
        if fixed.len() == 2 {
            return refused(format!(
                "The bodies of {} were made by another program or cut otherwise, so that neither can be cut here. Make one of them anew in its place with create_wall: that is cut to the other.",
                named.join(" and ")
            ));
        }
        return refused(format!(
            "The body of {} was made by another program or cut otherwise, so its end cannot be cut here. Only a wall made here can stop at its face: butt with {} first, or auto.",
            named.join(" and "),
            named.join(" or ")
        ));
    }
    if kind == JoinType::Butt {
        let arms = |id: Id, end: End| links(author, id).iter().filter(|l| l.own == end).count();
        let many = arms(a.0.id, a.1).max(arms(b.0.id, b.1)) > 1;
        if many {
            return refused(format!(
                "More than two walls meet where {} do; a butt is between two. Take mitre or auto.",
                names()
            ));
        }
    }
    Ok(())
}

/// Brings the ends of two walls that nearly meet to where their axes cross. Ends of walls of other programs stay.
fn close(author: &mut Author, a: &mut Wall, b: &mut Wall, is_corner: bool) -> Result<(), Fault> {
    let near = |p: &DVec2| {
        let ends =
            [&*a, &*b].map(|wall| [0.0, wall.length].map(|along| wall.at(along).truncate().distance(*p)));
        ends.iter().map(|[s, e]| s.min(*e)).sum::<f64>()
    };
    let crossings = a.line().crossings(0.0, &b.line(), 0.0);
    let Some(corner) = crossings.into_iter().min_by(|p, q| near(p).total_cmp(&near(q))) else {
        return Ok(());
    };
    let gap = |wall: &Wall| {
        [End::Start, End::End]
            .map(|end| (Arm::at_end(wall, end).corner.distance(corner), end))
            .into_iter()
            .min_by(|x, y| x.0.total_cmp(&y.0))
    };
    // where one runs through the crossing, the other alone is brought to it, save at a corner
    let runs_through = |wall: &Wall| {
        let x = wall.place(corner).x;
        !is_corner && x > wall.thickness() && x < wall.length - wall.thickness()
    };
    for wall in [a, b] {
        let Some((apart, end)) = gap(wall) else { continue };
        if apart <= CLOSED && !runs_through(wall) && !is_fixed(author, wall) {
            bring(author, wall.id, end, corner)?;
            *wall = Wall::read_any(author, wall.id)?;
        }
    }
    Ok(())
}

/// The Fault for a wall that meets none of the others.
fn apart(author: &Author, alone: &Wall, walls: &[Wall]) -> Fault {
    const BOTH: [End; 2] = [End::Start, End::End];
    let gaps = walls.iter().filter(|other| other.id != alone.id).flat_map(|other| {
        BOTH.into_iter().flat_map(move |a| {
            BOTH.into_iter()
                .map(move |b| (Arm::at_end(alone, a).corner.distance(Arm::at_end(other, b).corner), other.id))
        })
    });
    let nearest = gaps.min_by(|a, b| a.0.total_cmp(&b.0));
    let (gap, other) = nearest.unwrap_or((0.0, alone.id));
    Fault::constraint(format!(
        "{} meets none of the other walls: its nearest end is {} mm from an end of {}. Bring them together first with modify_parameter start or end.",
        label(author.edit, alone.id),
        mm(gap),
        label(author.edit, other)
    ))
    .with("field", "element_ids")
    .with("element_id", guid(author.edit, alone.id))
}

fn word(end: End) -> &'static str {
    match end {
        End::Start => "start",
        End::End => "end",
        End::Path => "path",
    }
}

/// A join as it stands; `None` where its walls cannot be read.
pub fn answer(author: &Author, relation: Id) -> Option<JoinAnswer> {
    let stored = author.edit.get(relation)?;
    let (a, b) = (stored.reference("RelatingElement")?, stored.reference("RelatedElement")?);
    let link = links(author, a).into_iter().find(|l| l.relation == relation)?;
    let (first, second) = (Wall::read_any(author, a).ok()?, Wall::read_any(author, b).ok()?);
    // tops that are cut are not what corners are cut by
    let cut = |wall: &Wall| {
        own_height(author, wall.id).or_else(|| Profile::read(author, wall).map(|top| top.highest()))
    };
    let top = |wall: &Wall| wall.frame.translation.z + cut(wall).unwrap_or(wall.height);
    let is_fixed = |wall: &Wall| cut(wall).is_none() && is_fixed(author, wall);
    let tee = link.own == End::Path || link.there == End::Path;
    let is_level = (top(&first) - top(&second)).abs() < 1.0;
    // of walls as high the one with the stronger layer runs through
    let strongest = |wall: &Wall| layer_priority::of_layers(author, wall.id).into_iter().max();
    let is_cut = is_level && !is_fixed(&first) && !is_fixed(&second);
    let runs_on = !tee && Arm::at_end(&first, link.own).is_opposite(&Arm::at_end(&second, link.there));
    let ranks = if is_cut && !runs_on && first.bend == 0.0 && second.bend == 0.0 {
        [strongest(&first), strongest(&second)]
    } else {
        [None; 2]
    };
    let is_butt = link.kind == Kind::Butt || (link.kind == Kind::Auto && (!is_cut || ranks[0] != ranks[1]));
    let is_second = top(&second) > top(&first) + 1.0 || (is_level && ranks[1] > ranks[0]);
    let swapped = is_butt && link.kind == Kind::Auto && is_second;
    let mut ids = [guid(author.edit, a), guid(author.edit, b)];
    let mut at = [word(link.own), word(link.there)];
    if swapped && !tee {
        ids.reverse();
        at.reverse();
    }
    let join_type = if tee {
        "tee"
    } else if is_butt {
        "butt"
    } else {
        "mitre"
    };
    Some(JoinAnswer { join_id: guid(author.edit, relation), element_ids: ids, join_type, at })
}
