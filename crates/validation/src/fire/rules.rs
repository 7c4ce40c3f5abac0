//! The rules of the fire checks, each with its page.

use crate::Severity;
use crate::rule_page::RulePage;

/// The source of rules that hold the model against itself.
const OWN: &str = "fire_rating_check: what the model states, held against itself";
/// The source of the rules for openings.
const TABLE: &str = "International Building Code 2021, 716.1 and table 716.1(2), fire barriers; `opening_ratio` sets another measure";

pub(super) const OPENING_WEAKER: RulePage = RulePage {
    id: "fire.opening_weaker",
    clause: Some("IBC 2021 716.1(2)"),
    title: "Openings as strong as their wall asks",
    text: "A door or window in a rated wall within the building keeps fire back for as long as the wall asks: 45 min in 1 h, 90 min in 2 h, 180 min in 3 h.",
    why: "A compartment holds for as long as its weakest part; a door that burns through first makes the wall's rating worthless.",
    severity: Severity::Error,
    passes: "A door of EI 90 in a wall of 2 h.",
    fails: "A door T30 in a wall of 2 h: 30 min where 90 are due.",
    source: TABLE,
};

pub(super) const OPENING_MISSING: RulePage = RulePage {
    id: "fire.opening_missing",
    clause: Some("IBC 2021 716.1(2)"),
    title: "Openings in rated walls have a rating",
    text: "A door or window in a rated wall within the building states its fire rating.",
    why: "Who orders the door takes the rating from the model; without one, an ordinary door is built into the wall.",
    severity: Severity::Warning,
    passes: "A door whose Pset_DoorCommon.FireRating is EI 45 in a wall of 1 h.",
    fails: "A door without FireRating in a wall F90.",
    source: TABLE,
};

pub(super) const OPENING_UNPROTECTED: RulePage = RulePage {
    id: "fire.opening_unprotected",
    clause: Some("IBC 2021 716.1(2)"),
    title: "Openings in rated walls are closed",
    text: "An opening of more than 0.3 m² in a rated wall within the building is filled by a rated door or window.",
    why: "Fire and smoke pass an open hole at once, whatever the wall is rated for.",
    severity: Severity::Error,
    passes: "An opening in a wall REI 60 with a door EI 60 in it.",
    fails: "An opening of 1 m by 2.1 m in a wall REI 60 with nothing in it.",
    source: TABLE,
};

pub(super) const MISSING_RATING: RulePage = RulePage {
    id: "fire.missing_rating",
    clause: None,
    title: "Bounds of compartments are rated",
    text: "Between the rooms of two fire compartments, one wall, slab or door at least has a fire rating.",
    why: "The bounds of a compartment are what holds the fire in it; without a rating, nobody knows for how long.",
    severity: Severity::Warning,
    passes: "A wall EI 60 between a room of the zone Fire compartment 1 and one of Fire compartment 2.",
    fails: "The same wall without FireRating.",
    source: OWN,
};

pub(super) const COMPARTMENT_OPEN: RulePage = RulePage {
    id: "fire.compartment_open",
    clause: None,
    title: "Compartments are closed",
    text: "Rooms of two fire compartments are not open to each other.",
    why: "Two compartments that share their air are one; the fire goes from one into the other.",
    severity: Severity::Error,
    passes: "Two rooms of different compartments with a rated wall and door between them.",
    fails: "Two rooms of different compartments that meet in a side without a wall.",
    source: OWN,
};

pub(super) const WALL_BELOW_SLAB: RulePage = RulePage {
    id: "fire.wall_below_slab",
    clause: Some("IBC 2021 707.5"),
    title: "Rated walls reach the slab over them",
    text: "A rated wall goes up to the slab, roof or beam over it; a gap of up to 20 mm counts as closed.",
    why: "Fire goes over a wall that ends below the slab, above a suspended ceiling where nobody sees it.",
    severity: Severity::Error,
    passes: "A wall EI 60 whose top touches the slab.",
    fails: "A wall EI 60 that ends 400 mm below the slab.",
    source: "International Building Code 2021, 707.5, continuity of fire barriers; the figure of the gap is our own",
};

pub(super) const SHAFT_MISSING: RulePage = RulePage {
    id: "fire.shaft_missing",
    clause: None,
    title: "Walls of shafts are rated",
    text: "In a model that states fire ratings, the walls around shafts, lifts and stairwells have one.",
    why: "A shaft joins storeys; walls without a rating let the fire climb in it.",
    severity: Severity::Warning,
    passes: "A room called Lift shaft between walls REI 90.",
    fails: "A room called Lift shaft of which one wall has no FireRating, while other walls of the model have.",
    source: OWN,
};

pub(super) const UNREADABLE: RulePage = RulePage {
    id: "fire.unreadable",
    clause: None,
    title: "Ratings are written as classes",
    text: "A fire rating is a class with minutes or hours: REI 60, EI2 30-C, F90, T30, FRL 90/90/90, FD30S, 2 HR.",
    why: "A text that no program understands is held against nothing; the element counts neither as rated nor as unrated.",
    severity: Severity::Info,
    passes: "A wall whose FireRating is REI 60.",
    fails: "A wall whose FireRating is `see plan`.",
    source: OWN,
};

pub(super) const UNJUDGED: RulePage = RulePage {
    id: "fire.unjudged",
    clause: None,
    title: "There is something to judge",
    text: "The model states fire ratings or fire compartments.",
    why: "A model that says nothing of fire passes no check of it; that is said rather than passed over.",
    severity: Severity::Info,
    passes: "A model with a wall whose FireRating is REI 60.",
    fails: "A model without any FireRating, and without zones that are fire compartments.",
    source: OWN,
};

/// Every rule of the fire checks.
static RULES: [RulePage; 9] = [
    OPENING_WEAKER,
    OPENING_MISSING,
    OPENING_UNPROTECTED,
    MISSING_RATING,
    COMPARTMENT_OPEN,
    WALL_BELOW_SLAB,
    SHAFT_MISSING,
    UNREADABLE,
    UNJUDGED,
];

/// Returns every rule of the fire checks.
pub fn rules() -> &'static [RulePage] {
    &RULES
}
