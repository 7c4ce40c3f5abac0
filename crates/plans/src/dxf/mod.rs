//! DXF read: text and binary, of every release that has sections and group codes (R10 to 2018 and later).
//!
//! Source: Autodesk, DXF Reference (2018). Read are header, layers, blocks and the entities of the model space. A reader of our own, since
//! the registry's `dxf` knows no HATCH, refuses a whole file for one bad number, and keeps a structure of several hundred bytes for each
//! entity. Here an entity is read when its tags are, and what is left out is counted.

mod block;
mod curve;
mod entity;
mod hatch;
mod note;
mod own;
mod tags;
mod words;

use crate::builder::Builder;
use crate::drawing::{Drawing, Format, Limits, Units};
use crate::effort::Wanted;
use crate::error::Error;
use block::{Block, Content};
use entity::Reader;
use std::collections::HashMap;
use tags::{Tag, Tags};
use words::CodePage;

/// Reads a file, as long as it is wanted.
pub fn read(bytes: &[u8], limits: &Limits, wanted: Wanted<'_>) -> Result<Drawing, Error> {
    let tags = Tags::new(bytes)?;
    let mut file = File {
        tags,
        next: None,
        builder: Builder::new(Format::Dxf, limits, wanted),
        limits: *limits,
        page: CodePage::default(),
        layers: HashMap::new(),
        blocks: HashMap::new(),
        model: Content::default(),
        sections: 0,
    };
    match file.sections() {
        Ok(true) => {}
        Ok(false) => {
            let place = file.tags.place();
            file.builder
                .notice(format!("the file ends at {place} without its end mark: something may be missing"));
        }
        // what stands before a bad tag is kept, if it is anything
        Err(Error::Dxf { place, reason }) if !file.model.is_empty() => {
            file.builder.notice(format!("{place}: {reason}; what comes after is not read"));
        }
        Err(error) => return Err(error),
    }
    if file.sections == 0 {
        let reason = "it has no sections, as a DXF has, and is no SVG".to_owned();
        return Err(Error::NotADrawing { reason });
    }
    block::explode(file.model, &file.blocks, &file.layers, &mut file.builder)?;
    file.builder.finish()
}

/// A layer of the table.
#[derive(Debug, Clone, Default)]
struct LayerRecord {
    colour: Option<i64>,
    linetype: String,
    is_hidden: bool,
}

struct File<'a> {
    tags: Tags<'a>,
    /// A tag that was read too early.
    next: Option<Tag<'a>>,
    builder: Builder<'a>,
    limits: Limits,
    page: CodePage,
    layers: HashMap<String, LayerRecord>,
    blocks: HashMap<String, Block>,
    model: Content,
    sections: usize,
}

impl<'a> File<'a> {
    fn tag(&mut self) -> Result<Option<Tag<'a>>, Error> {
        match self.next.take() {
            Some(tag) => Ok(Some(tag)),
            None => self.tags.next(),
        }
    }

    /// Reads all sections; true if the file has its end mark.
    fn sections(&mut self) -> Result<bool, Error> {
        let mut strange = 0;
        while let Some(tag) = self.tag()? {
            if tag.code == 0 && tag.is("EOF") {
                return Ok(true);
            }
            if !(tag.code == 0 && tag.is("SECTION")) {
                strange += 1;
                if self.sections == 0 && strange > 100 {
                    return Ok(false);
                }
                continue;
            }
            let Some(name) = self.tag()? else { break };
            self.sections += 1;
            if name.is("HEADER") {
                self.header()?;
            } else if name.is("TABLES") {
                self.tables()?;
            } else if name.is("BLOCKS") {
                self.blocks()?;
            } else if name.is("ENTITIES") {
                let mut model = std::mem::take(&mut self.model);
                let read = self.content(&mut model);
                self.model = model;
                read?;
            }
        }
        Ok(false)
    }

    fn header(&mut self) -> Result<(), Error> {
        let mut name = Vec::new();
        let (mut units, mut linear) = (0, 2);
        while let Some(tag) = self.tag()? {
            match tag.code {
                0 => break,
                9 => name = tag.bytes().trim_ascii().to_vec(),
                _ => match name.as_slice() {
                    b"$ACADVER" => {
                        self.builder.drawing.version =
                            String::from_utf8_lossy(tag.bytes().trim_ascii()).into_owned();
                    }
                    b"$DWGCODEPAGE" => {
                        self.page = CodePage::named(tag.bytes().trim_ascii(), &self.builder.drawing.version);
                    }
                    b"$INSUNITS" => units = tag.whole(),
                    b"$MEASUREMENT" => self.builder.drawing.units.is_metric = Some(tag.whole() == 1),
                    b"$LUNITS" => linear = tag.whole(),
                    _ => {}
                },
            }
        }
        // architectural and engineering lengths are written for drawings in inches alone
        let of_lengths = matches!(linear, 3 | 4).then_some(25.4);
        let said = &mut self.builder.drawing.units;
        *said = Units { mm: insunits(units).or(of_lengths), ..*said };
        Ok(())
    }

    fn tables(&mut self) -> Result<(), Error> {
        let mut current: Option<(String, LayerRecord)> = None;
        while let Some(tag) = self.tag()? {
            if tag.code == 0 {
                if let Some((name, record)) = current.take() {
                    self.layers.insert(name, record);
                }
                if tag.is("ENDSEC") {
                    break;
                }
                if tag.is("LAYER") {
                    current = Some(Default::default());
                }
                continue;
            }
            let page = self.page;
            let Some((name, record)) = current.as_mut() else { continue };
            match tag.code {
                2 => page.text(tag.bytes()).trim().clone_into(name),
                6 => page.text(tag.bytes()).trim().clone_into(&mut record.linetype),
                62 => {
                    let colour = tag.whole();
                    record.colour = Some(colour.abs());
                    record.is_hidden |= colour < 0;
                }
                70 => record.is_hidden |= tag.whole() & 1 != 0,
                _ => {}
            }
        }
        Ok(())
    }

    fn blocks(&mut self) -> Result<(), Error> {
        while let Some(tag) = self.tag()? {
            if tag.code != 0 {
                continue;
            }
            if tag.is("ENDSEC") {
                break;
            }
            if !tag.is("BLOCK") {
                continue;
            }
            let mut block = Block::default();
            let mut name = String::new();
            while let Some(tag) = self.tag()? {
                match tag.code {
                    0 => {
                        self.next = Some(tag);
                        break;
                    }
                    2 => self.page.text(tag.bytes()).trim().clone_into(&mut name),
                    10 => block.base.x = tag.real(),
                    20 => block.base.y = tag.real(),
                    70 => block.is_foreign = tag.whole() & (4 | 8) != 0,
                    _ => {}
                }
            }
            let read = self.content(&mut block.content);
            self.blocks.insert(name.to_uppercase(), block);
            read?;
        }
        Ok(())
    }

    /// Reads entities until the section or block ends.
    fn content(&mut self, content: &mut Content) -> Result<(), Error> {
        let mut own: Vec<Tag<'a>> = Vec::with_capacity(64);
        let mut kind: Option<Tag<'a>> = None;
        let mut reader = Reader::new(self.page, self.limits);
        loop {
            let tag = match self.tag() {
                Ok(tag) => tag,
                Err(error) => {
                    reader.entity(kind.as_ref(), &own, content, &mut self.builder)?;
                    reader.finish(content);
                    return Err(error);
                }
            };
            match tag {
                Some(tag) if tag.code != 0 => {
                    // binary pictures and proxies of any length are no plan; what is a plan fits
                    if own.len() < self.limits.details {
                        own.push(tag);
                    }
                }
                other => {
                    reader.entity(kind.as_ref(), &own, content, &mut self.builder)?;
                    own.clear();
                    kind = other;
                    let is_end =
                        other.is_none_or(|tag| tag.is("ENDSEC") || tag.is("ENDBLK") || tag.is("EOF"));
                    if is_end {
                        reader.finish(content);
                        if other.is_some_and(|tag| !tag.is("ENDBLK")) {
                            self.next = if other.is_some_and(|tag| tag.is("EOF")) { other } else { None };
                        }
                        return Ok(());
                    }
                }
            }
        }
    }
}

/// The mm of a unit by its number in `$INSUNITS`.
fn insunits(number: i64) -> Option<f64> {
    Some(match number {
        1 => 25.4,
        2 => 304.8,
        3 => 1_609_344.0,
        4 => 1.0,
        5 => 10.0,
        6 => 1000.0,
        7 => 1_000_000.0,
        8 => 25.4e-6,
        9 => 0.0254,
        10 => 914.4,
        11 => 1e-7,
        12 => 1e-6,
        13 => 0.001,
        14 => 100.0,
        15 => 10_000.0,
        16 => 100_000.0,
        21 => 1200.0 / 3937.0 * 1000.0,
        22 => 100.0 / 3937.0 * 1000.0,
        _ => return None,
    })
}
