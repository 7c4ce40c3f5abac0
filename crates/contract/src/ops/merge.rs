//! Two changes of one model joined, or the conflicts in which both cannot hold.

use super::PlatformOperation;
use crate::Effect;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// The renumbering of the instances that a merge added: runs of first number, number after the last, new first number.
pub type IdRuns = Vec<(u32, u32, u32)>;

/// A side of a merge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The one that is there: the request's `model`.
    Ours,
    /// The one that comes to it.
    Theirs,
}

/// Adds to `model` what leads from `base` to `theirs`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Merge {
    /// The side that wins, by a conflict's key; `*` stands for those that are not named.
    pub resolve: BTreeMap<String, Side>,
    /// Asks whether the change does on `model` what it did on `base`.
    pub compare_effect: bool,
    /// Makes the change name `theirs` as its second parent.
    pub as_merge: bool,
    /// The `ids` that earlier merges between `base` and `model` answered, from `base` on.
    pub model_ids: Vec<IdRuns>,
    /// The `ids` of earlier merges between `base` and `theirs`.
    pub theirs_ids: Vec<IdRuns>,
}

impl Merge {
    /// The key that stands for all conflicts that are not named.
    pub const OTHERS: &'static str = "*";

    /// The side that a conflict was decided for by its own key.
    pub fn named(&self, key: &str) -> Option<Side> {
        self.resolve.get(key).copied()
    }

    /// The side that conflicts without a name of their own were decided for.
    pub fn others(&self) -> Option<Side> {
        self.named(Self::OTHERS)
    }

    /// Keys of `resolve` that none of the conflicts met has.
    pub fn unknown(&self, is_met: impl Fn(&str) -> bool) -> Vec<String> {
        self.resolve.keys().filter(|key| *key != Self::OTHERS && !is_met(key)).cloned().collect()
    }
}

/// The outcome of a merge.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum MergeAnswer {
    /// Both hold; the change stands in the artifact.
    Joined {
        /// The numbering of instances of `theirs`, for merges to come.
        ids: IdRuns,
        /// True if the change does on `model` what it did on `base`; none where that was not asked for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        same_effect: Option<bool>,
        /// In what it does something else.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        effects: Option<Effects>,
    },
    /// Both cannot hold; nothing was changed.
    Conflicts {
        /// The conflicts left to decide, to a bound.
        conflicts: Vec<MergeConflict>,
        /// All of them.
        count: u64,
        /// Those beyond that bound.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        more: Option<u64>,
    },
    /// Keys were decided that this merge has no conflicts for; nothing was changed.
    Unknown {
        /// Those keys.
        unknown_conflicts: Vec<String>,
    },
}

/// In what a change differs from what it was, fact by fact, to a bound.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Effects {
    /// Facts that it made and makes no longer.
    pub no_longer: Vec<String>,
    /// Facts that it makes and did not make.
    pub now_also: Vec<String>,
}

/// A conflict as a caller decides by it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MergeConflict {
    /// The key by which it is decided; the same in every run of this merge.
    pub key: String,
    /// The conflict in a sentence, without a stop.
    pub message: String,
    /// The thing that it is about.
    pub about: ConflictSubject,
    /// Its kind, with what either side has.
    #[serde(flatten)]
    pub kind: ConflictKind,
    /// The consequence of choosing either side.
    pub choose: Choices,
}

/// A thing of a model; members that are unknown are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ConflictSubject {
    /// Its class or type.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub class: String,
    /// Its GlobalId, else its number in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// The sentence that says what choosing a side does.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Choices {
    /// For ours.
    pub ours: String,
    /// For theirs.
    pub theirs: String,
}

/// A kind of conflict, with what either side has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ConflictKind {
    /// Both gave an attribute or field another value.
    Attribute {
        /// Its name.
        attribute: String,
        /// The value before.
        base: Value,
        /// Ours.
        ours: Value,
        /// Theirs.
        theirs: Value,
    },
    /// Both gave a property another value.
    Property {
        /// `Set.Property`.
        property: String,
        /// The value before; null where there was none.
        base: Value,
        /// Ours; null where it is removed.
        ours: Value,
        /// Theirs; null where it is removed.
        theirs: Value,
    },
    /// Both moved it elsewhere.
    Moved {
        /// By how much on our side.
        ours: Displacement,
        /// By how much on theirs.
        theirs: Displacement,
    },
    /// One removed what the other changed or needs.
    Removed {
        /// Our side of it.
        ours: ConflictSide,
        /// Theirs.
        theirs: ConflictSide,
    },
    /// Together they give a relation more members than it may have.
    TooMany {
        /// The relation.
        relation: String,
        /// The most that it may have.
        most: u64,
        /// Ours.
        ours: Vec<ConflictSubject>,
        /// Theirs.
        theirs: Vec<ConflictSubject>,
    },
    /// Together they leave an attribute fewer members than it has to have.
    TooFew {
        /// The attribute.
        attribute: String,
        /// The least that it has to have.
        least: u64,
    },
    /// Both added another thing with one GlobalId.
    SameGlobalId,
    /// Both added another thing with one name.
    SameName,
}

/// A displacement.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Displacement {
    /// In mm, along the axes of what it stands on.
    pub moved_by_mm: [f64; 3],
}

/// A side of a conflict over something that is removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum ConflictSide {
    /// It is removed here.
    Removed {
        /// True.
        removed: bool,
    },
    /// It stays here.
    Kept {
        /// Its changes here.
        changed: Changes,
        /// Those that need it here, to a bound.
        needed_by: Vec<NeededBy>,
    },
}

/// Changes of a thing that the other side removes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Changes {
    /// True if there are any.
    Any(bool),
    /// Their names.
    Named(Vec<String>),
}

/// One that refers to a thing that is removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum NeededBy {
    /// By what is known of it.
    Subject(ConflictSubject),
    /// By type and name, in one text.
    Label(String),
}

impl PlatformOperation for Merge {
    const NAME: &'static str = "merge";
    const EFFECT: Effect = Effect::Modify;
    type Answer = MergeAnswer;
}
