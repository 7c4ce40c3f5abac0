//! A whole model as contents: for every instance a hash of all it is and refers to, however deep. Instances with a
//! GlobalId stand for themselves wherever they are referred to, so that a change in a wall does not change the storey
//! that it is on; what has none counts by its content.
//!
//! One node an instance: the rows of the opened file first, then what was added. About 20 bytes a node and 8 a
//! reference, whatever the instances hold.

use super::content::{Content, Plan, Reader};
use super::hash::{self, mix};
use ifc::parts::ClassCodes;
use ifc::parts::Source;
use ifc::parts::{Slot, Stored};
use ifc::{Id, Instance, Model};
use rayon::prelude::*;
use std::collections::HashMap;

/// Instances that one task reads.
const TASK: usize = 1 << 14;

/// A node that is not there: the target of a reference to nothing.
pub(super) const NOWHERE: u32 = u32::MAX;

/// The contents of a model.
pub(super) struct Forest<'m> {
    pub model: &'m Model,
    parts: Vec<Part>,
    /// Ids of the nodes behind the rows of the file.
    added: Vec<u32>,
    nodes: usize,
    /// The token that a node counts as where it is referred to: its GlobalId, or all its content. Nought for one removed.
    pub tokens: Vec<u64>,
    /// Nodes with a GlobalId, and its hash, sorted by the hash, then by node.
    pub rooted: Vec<(u64, u32)>,
}

/// The nodes that one task read.
#[derive(Default)]
struct Part {
    /// Hash of each node without what it refers to; nought for one removed.
    local: Vec<u64>,
    /// The place at which each node's references begin, and a last one behind all.
    first: Vec<u32>,
    /// Target node and mark.
    references: Vec<(u32, u32)>,
    rooted: Vec<(u64, u32)>,
}

impl<'m> Forest<'m> {
    /// Reads a model.
    pub(super) fn new(model: &'m Model, tolerance: Option<f64>) -> Self {
        let rows = model.base().len();
        let added: Vec<u32> = model.added().collect();
        let nodes = rows + added.len();
        let plans = Plans::from_model(model);
        let by_id: HashMap<u32, u32> =
            added.iter().zip(rows as u32..).map(|(id, node)| (*id, node)).collect();
        let resolve = |id: u32| match model.base().row(id) {
            Some(row) => row as u32,
            None if by_id.is_empty() => NOWHERE,
            None => by_id.get(&id).copied().unwrap_or(NOWHERE),
        };
        let parts: Vec<Part> = (0..nodes.div_ceil(TASK))
            .into_par_iter()
            .map(|task| {
                let mut part = Part::with_capacity(TASK);
                for node in task * TASK..((task + 1) * TASK).min(nodes) {
                    let id = match node.checked_sub(rows) {
                        None => model.base().id(node),
                        Some(place) => added.get(place).copied(),
                    };
                    part.read(model, &plans, node, id.unwrap_or_default(), tolerance, &resolve);
                }
                part
            })
            .collect();
        let mut forest = Self { model, parts, added, nodes, tokens: Vec::new(), rooted: Vec::new() };
        forest.rooted = forest.parts.iter().flat_map(|part| part.rooted.iter().copied()).collect();
        forest.grow();
        forest.rooted.par_sort_unstable();
        forest
    }

    /// The number of nodes, those removed included.
    pub(super) fn len(&self) -> usize {
        self.nodes
    }

    /// The id of a node.
    pub(super) fn id(&self, node: u32) -> Option<Id> {
        let rows = self.model.base().len();
        match (node as usize).checked_sub(rows) {
            None => self.model.base().id(node as usize).map(Id),
            Some(place) => self.added.get(place).copied().map(Id),
        }
    }

    /// The node of an id.
    pub(super) fn node(&self, id: Id) -> Option<u32> {
        if let Some(row) = self.model.base().row(id.0) {
            return Some(row as u32);
        }
        let place = self.added.binary_search(&id.0).ok()?;
        u32::try_from(self.model.base().len() + place).ok()
    }

    /// The instance of a node, unless it was removed.
    pub(super) fn instance(&self, node: u32) -> Option<Instance<'m>> {
        self.model.get(self.id(node)?)
    }

    /// The hash of a node without what it refers to; nought for one removed.
    pub(super) fn local(&self, node: u32) -> u64 {
        self.part(node).and_then(|(part, at)| part.local.get(at)).copied().unwrap_or(0)
    }

    /// The token that a node counts as.
    pub(super) fn token(&self, node: u32) -> u64 {
        self.tokens.get(node as usize).copied().unwrap_or(hash::DANGLING)
    }

    /// The nodes that a node refers to, with a mark that says where.
    pub(super) fn references(&self, node: u32) -> &[(u32, u32)] {
        self.part(node).map(|(part, at)| part.references_of(at)).unwrap_or_default()
    }

    /// True if a node has a GlobalId.
    pub(super) fn is_rooted(&self, node: u32) -> bool {
        self.tokens.get(node as usize).is_some_and(|token| token & ROOTED != 0)
    }

    /// All that a node is and refers to; for one with a GlobalId this is not its token.
    pub(super) fn content(&self, node: u32) -> u64 {
        self.gathered(node, |target| self.token(target))
    }

    /// The node's own hash with its references as `each` has them.
    pub(super) fn gathered(&self, node: u32, mut each: impl FnMut(u32) -> u64) -> u64 {
        let references = self.references(node);
        let own = self.local(node);
        references
            .iter()
            .fold(own, |sum, (target, mark)| sum.wrapping_add(mix(u64::from(*mark), each(*target))))
    }

    fn part(&self, node: u32) -> Option<(&Part, usize)> {
        let node = node as usize;
        Some((self.parts.get(node / TASK)?, node % TASK))
    }

    /// Gives every node its token, what is referred to first. What refers to itself in a circle without passing a
    /// GlobalId counts, at the point where the circle closes, without its references.
    fn grow(&mut self) {
        let mut tokens = vec![0u64; self.nodes];
        for (guid, node) in &self.rooted {
            if let Some(token) = tokens.get_mut(*node as usize) {
                *token = guid | ROOTED;
            }
        }
        // nodes on the way down, which a circle may lead back to
        let mut open = vec![0u64; self.nodes.div_ceil(64)];
        let mut stack: Vec<(u32, u32)> = Vec::new();
        for node in 0..self.nodes as u32 {
            if tokens.get(node as usize) != Some(&0) || self.local(node) == 0 {
                continue;
            }
            stack.push((node, 0));
            while let Some((node, next)) = stack.pop() {
                let references = self.references(node);
                let mut waits = None;
                for (place, (target, _)) in (next..).zip(references.iter().skip(next as usize)) {
                    let undone = tokens.get(*target as usize) == Some(&0) && self.local(*target) != 0;
                    if undone && *target != node && !bit(&open, *target) {
                        waits = Some((place, *target));
                        break;
                    }
                }
                if let Some((place, target)) = waits {
                    if next == 0 {
                        set_bit(&mut open, node);
                    }
                    stack.push((node, place + 1));
                    stack.push((target, 0));
                    continue;
                }
                let hash = self.gathered(node, |target| match tokens.get(target as usize) {
                    Some(0) => mix(self.local(target), hash::REFERENCE),
                    Some(token) => *token,
                    None => hash::DANGLING,
                });
                if let Some(token) = tokens.get_mut(node as usize) {
                    *token = (mix(hash, hash::REFERENCE) & !ROOTED) | 2;
                }
            }
        }
        self.tokens = tokens;
    }
}

/// The bit by which tokens of GlobalIds are told from those of contents.
const ROOTED: u64 = 1;

fn bit(bits: &[u64], at: u32) -> bool {
    bits.get(at as usize / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
}

fn set_bit(bits: &mut [u64], at: u32) {
    if let Some(word) = bits.get_mut(at as usize / 64) {
        *word |= 1 << (at % 64);
    }
}

impl Part {
    fn with_capacity(nodes: usize) -> Self {
        Self {
            local: Vec::with_capacity(nodes),
            first: vec![0],
            references: Vec::with_capacity(nodes * 3),
            rooted: Vec::new(),
        }
    }

    fn references_of(&self, at: usize) -> &[(u32, u32)] {
        match (self.first.get(at), self.first.get(at + 1)) {
            (Some(from), Some(to)) => self.references.get(*from as usize..*to as usize).unwrap_or_default(),
            _ => &[],
        }
    }

    fn read(
        &mut self,
        model: &Model,
        plans: &Plans,
        node: usize,
        id: u32,
        tolerance: Option<f64>,
        resolve: &impl Fn(u32) -> u32,
    ) {
        let references = &mut self.references;
        let mut reader = Reader { tolerance, each: |id, mark| references.push((resolve(id), mark)) };
        let content = match model.overlay().get(id) {
            Some(Slot::Removed) => None,
            Some(Slot::Present(stored)) => {
                Some(plans.with_stored(stored, |plan| reader.of_values(plan, &stored.values)))
            }
            None => {
                let text = model.base().text(node);
                let open = model.base().head(node).map(|head| head.open + 1);
                let plan = plans.of_row(model, node);
                Some(match open {
                    Some(open) => reader.of_text(plan, text, open),
                    None => Content { hash: hash::bytes(text, plan.class), guid: None },
                })
            }
        };
        if let Some(guid) = content.and_then(|content| content.guid) {
            self.rooted.push((guid, node as u32));
        }
        self.local.push(content.map_or(0, |content| content.hash.max(1)));
        self.first.push(self.references.len() as u32);
    }
}

/// Plans of the classes that a model has, by class code.
struct Plans {
    known: Vec<Option<Plan>>,
    unknown: Vec<Plan>,
    other: Plan,
}

impl Plans {
    fn from_model(model: &Model) -> Self {
        let mut known: Vec<Option<Plan>> = Vec::new();
        known.resize_with(model.schema().entities().len(), || None);
        let in_overlay = model.overlay().slots().filter_map(|(_, slot)| match slot {
            Slot::Present(stored) => Some(stored.class.code()),
            Slot::Removed => None,
        });
        let in_file = model.base().classes().iter().copied();
        for code in in_file.chain(in_overlay) {
            if let Some(slot) = known.get_mut(usize::from(code))
                && slot.is_none()
            {
                *slot = ClassCodes::entity_id(code)
                    .and_then(|id| model.schema().entity_at(id))
                    .map(Plan::for_entity);
            }
        }
        let unknown = model.base().unknown_classes().iter().map(|name| Plan::unknown(name)).collect();
        Self { known, unknown, other: Plan::unknown("") }
    }

    fn of_row(&self, model: &Model, row: usize) -> &Plan {
        let code = model.base().class(row);
        if let Some(Some(plan)) = self.known.get(usize::from(code)) {
            return plan;
        }
        let place = usize::from(code).checked_sub(usize::from(ClassCodes::UNKNOWN));
        place.and_then(|place| self.unknown.get(place)).unwrap_or(&self.other)
    }

    fn with_stored<T>(&self, stored: &Stored, then: impl FnOnce(&Plan) -> T) -> T {
        match self.known.get(usize::from(stored.class.code())) {
            Some(Some(plan)) => then(plan),
            _ => then(&Plan::unknown(stored.class.name())),
        }
    }
}

/// The class of a node, to tell whether two may be one: as a name, for schemas number classes each in their own way.
pub(super) fn class_of<'m>(forest: &Forest<'m>, node: u32) -> &'m str {
    match forest.instance(node).map(|instance| (instance.source(), instance)) {
        Some((Source::Base(row), _)) => forest.model.base().class_name(row),
        Some((Source::Overlay(_), instance)) => instance.class_name(),
        None => "",
    }
}
