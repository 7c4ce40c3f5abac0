//! Writes an index: everything that can be asked of a file is asked once, then put down in order.

use super::text::Writer;
use super::{BLOCK, CODES, HEAD, MAGIC, PARTS, meta_sum_seed, sum};
use crate::Problem;
use crate::base::Base;
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

/// Writes the index of a base to `path`: complete or not at all.
pub(crate) fn save(base: &Base, problems: &[Problem], sha256: &[u8; 32], path: &Path) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}.part", std::process::id()));
    let temporary = path.with_file_name(name);
    let written = write(base, problems, sha256, &temporary).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // what stays behind would be overwritten by the next attempt
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn write(base: &Base, problems: &[Problem], sha256: &[u8; 32], path: &Path) -> io::Result<()> {
    let (columns, _) = base.scanned();
    let classes = base.indexes.classes(base);
    let guids = base.indexes.guids(base);
    let references = base.indexes.references(base);
    let (starts, lengths, wraps) = columns.places();
    let mut sorted: Vec<(u32, u32)> = Vec::new();
    if !columns.ascending {
        sorted = columns.id.iter().zip(0..).map(|(id, row)| (*id, row)).collect();
        sorted.sort_unstable();
    }
    let mut out = Parts::new(File::create(path)?)?;
    out.part(columns.id.iter().map(|id| id.to_le_bytes()))?;
    out.part(starts.iter().map(|start| start.to_le_bytes()))?;
    out.part(lengths.iter().map(|length| length.to_le_bytes()))?;
    out.part(columns.class.iter().map(|class| class.to_le_bytes()))?;
    out.part(classes.all().iter().map(|row| row.to_le_bytes()))?;
    out.part(guids.pairs().iter().map(|(hash, _)| hash.to_le_bytes()))?;
    out.part(guids.pairs().iter().map(|(_, row)| row.to_le_bytes()))?;
    let (first, referrers) = references.columns();
    out.part(first.iter().map(|place| place.to_le_bytes()))?;
    out.part(referrers.iter().map(|row| row.to_le_bytes()))?;
    out.part(references.dangling.iter().flat_map(|(row, id)| [row.to_le_bytes(), id.to_le_bytes()]))?;
    out.part(sorted.iter().map(|(id, _)| id.to_le_bytes()))?;
    out.part(sorted.iter().map(|(_, row)| row.to_le_bytes()))?;

    let mut meta = Writer::default();
    meta.raw(sha256);
    meta.number(base.bytes.len() as u64);
    meta.number(sum::sample(&base.bytes));
    meta.number(columns.len() as u64);
    meta.number(columns.ascending.into());
    meta.number(base.append_at as u64);
    meta.list(wraps.iter(), |meta, row| meta.number(*row as u64));
    meta.list(classes.first().iter(), |meta, (code, first)| {
        meta.number((*code).into());
        meta.number((*first).into());
    });
    meta.list(base.unknown.iter(), |meta, name| meta.text(name));
    meta.list(base.shadowed.iter(), |meta, other| {
        meta.number(other.id.into());
        meta.number(other.start as u64);
        meta.number(other.length as u64);
    });
    meta.list(base.indexes.awaited(base).iter(), |meta, id| meta.number((*id).into()));
    meta.list(problems.iter(), |meta, problem| {
        meta.number(problem.line as u64);
        meta.number(problem.column as u64);
        meta.number(problem.id.map_or(0, |id| u64::from(id.0) + 1));
        meta.number(CODES.iter().position(|code| *code == problem.code).unwrap_or(CODES.len()) as u64);
        meta.text(&problem.message);
    });
    out.finish(meta, meta_sum_seed(base.schema()))
}

/// The parts as they are written.
struct Parts {
    out: BufWriter<File>,
    at: usize,
    places: Vec<(usize, usize)>,
    sums: Vec<u64>,
}

impl Parts {
    fn new(file: File) -> io::Result<Self> {
        let mut out = BufWriter::with_capacity(1 << 20, file);
        out.write_all(&[0; HEAD])?;
        Ok(Self { out, at: HEAD, places: Vec::with_capacity(PARTS), sums: Vec::new() })
    }

    /// Writes a part, block by block.
    fn part<const N: usize>(&mut self, mut numbers: impl Iterator<Item = [u8; N]>) -> io::Result<()> {
        let gap = self.at.next_multiple_of(HEAD) - self.at;
        self.out.write_all([0; HEAD].get(..gap).unwrap_or_default())?;
        self.at += gap;
        let begin = self.at;
        let mut block = Vec::with_capacity(BLOCK);
        loop {
            block.clear();
            block.extend(numbers.by_ref().take(BLOCK / N).flatten());
            if block.is_empty() {
                break;
            }
            self.sums.push(sum::sum(&block, self.sums.len() as u64));
            self.out.write_all(&block)?;
            self.at += block.len();
        }
        self.places.push((begin, self.at - begin));
        Ok(())
    }

    /// Writes the small part behind the others, then the head that finds it.
    fn finish(mut self, mut meta: Writer, seed: u64) -> io::Result<()> {
        for (at, bytes) in &self.places {
            meta.number(*at as u64);
            meta.number(*bytes as u64);
        }
        meta.list(self.sums.iter(), |meta, sum| meta.number(*sum));
        self.out.write_all(&meta.bytes)?;
        let mut head = Writer::default();
        head.raw(MAGIC);
        head.number(self.at as u64);
        head.number(meta.bytes.len() as u64);
        head.number(sum::sum(&meta.bytes, seed));
        head.number(sum::sum(&head.bytes, 0));
        self.out.seek(SeekFrom::Start(0))?;
        self.out.write_all(&head.bytes)?;
        self.out.flush()
    }
}
