//! A drawing that grows while a file is read: names kept once, bounds held.

use crate::drawing::{Drawing, Entity, Format, Instance, Layer, Limits, Passed, Style};
use crate::effort::{Effort, Wanted};
use crate::error::Error;
use glam::DVec2;
use std::collections::HashMap;

/// Kinds and layers of what is left out that are counted apart.
const MOST_PASSED: usize = 2000;

/// The parts of a look, which tell one from another.
type StyleKey = (Option<[u8; 3]>, Option<u64>, Option<String>);

pub(crate) struct Builder<'a> {
    pub(crate) drawing: Drawing,
    limits: Limits,
    details: usize,
    layers: HashMap<String, u32>,
    styles: HashMap<StyleKey, u32>,
    passed: HashMap<(String, String, &'static str), usize>,
    unsound: usize,
    effort: Effort<'a>,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(format: Format, limits: &Limits, wanted: Wanted<'a>) -> Self {
        Self {
            drawing: Drawing::new(format),
            limits: *limits,
            details: 0,
            layers: HashMap::new(),
            styles: HashMap::new(),
            passed: HashMap::new(),
            unsound: 0,
            effort: Effort::endless(wanted),
        }
    }

    /// An error once the drawing is not wanted any more; to be asked for each thing that is read.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.effort.goes_on(20) { Ok(()) } else { Err(Error::GivenUp) }
    }

    /// The number of a layer.
    pub(crate) fn layer(&mut self, name: &str) -> u32 {
        if let Some(known) = self.layers.get(name) {
            return *known;
        }
        let number = self.drawing.layers.len() as u32;
        let is_default = name.is_empty() || name == "0";
        self.drawing.layers.push(Layer { name: name.to_owned(), is_default });
        self.layers.insert(name.to_owned(), number);
        number
    }

    /// The number of a look.
    pub(crate) fn style(&mut self, style: Style) -> u32 {
        let key = (style.colour, style.weight.map(f64::to_bits), style.linetype.clone());
        let next = self.drawing.styles.len() as u32;
        let number = *self.styles.entry(key).or_insert(next);
        if number == next {
            self.drawing.styles.push(style);
        }
        number
    }

    /// The number of a new instance.
    pub(crate) fn instance(&mut self, instance: Instance) -> Result<u32, Error> {
        if self.drawing.instances.len() >= self.limits.entities {
            return Err(self.too_many("references to blocks", self.limits.entities));
        }
        self.drawing.instances.push(instance);
        Ok(self.drawing.instances.len() as u32 - 1)
    }

    /// Adds an entity; one with numbers that are no places is counted and left out.
    pub(crate) fn push(&mut self, entity: Entity) -> Result<(), Error> {
        if !entity.shape.is_sound() {
            self.unsound += 1;
            return Ok(());
        }
        self.check()?;
        if self.drawing.entities.len() >= self.limits.entities {
            return Err(self.too_many("entities", self.limits.entities));
        }
        self.details += entity.shape.details();
        if self.details > self.limits.details {
            return Err(self.too_many("corners and characters", self.limits.details));
        }
        self.drawing.entities.push(entity);
        Ok(())
    }

    #[allow(clippy::unused_self)]
    fn too_many(&self, of: &'static str, most: usize) -> Error {
        let remedy =
            "freeze or delete layers that are no plan, purge and explode less, or save each storey by itself";
        Error::TooMany { of, most, remedy }
    }

    /// Counts an entity that is left out.
    pub(crate) fn pass(&mut self, kind: &str, layer: &str, reason: &'static str, at: Option<DVec2>) {
        let key = (kind.to_owned(), layer.to_owned(), reason);
        let next = self.drawing.passed.len();
        if let Some(found) = self.passed.get(&key).and_then(|n| self.drawing.passed.get_mut(*n)) {
            found.count += 1;
        } else if next < MOST_PASSED {
            self.passed.insert(key, next);
            let (kind, layer) = (kind.to_owned(), layer.to_owned());
            self.drawing.passed.push(Passed { kind, layer, reason, count: 1, at });
        }
    }

    /// Says something about the file; the same is said once.
    pub(crate) fn notice(&mut self, words: impl Into<String>) {
        let words = words.into();
        if self.drawing.notices.len() < 100 && !self.drawing.notices.contains(&words) {
            self.drawing.notices.push(words);
        }
    }

    /// The drawing; an error where nothing is in it.
    pub(crate) fn finish(mut self) -> Result<Drawing, Error> {
        if self.unsound > 0 {
            let words = format!(
                "{} entities have coordinates that are no places, or no length, and are left out",
                self.unsound
            );
            self.notice(words);
        }
        if self.drawing.entities.is_empty() {
            let reason = self.drawing.passed.first().map_or_else(
                || "the file holds no lines, arcs, areas or words".to_owned(),
                |passed| format!("{} {} are left out: {}", passed.count, passed.kind, passed.reason),
            );
            return Err(Error::Empty { reason });
        }
        Ok(self.drawing)
    }
}
