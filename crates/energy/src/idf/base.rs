//! The file a document was read from, and where its objects are.

use super::lexer::{Entry, Lexed};
use super::{Handle, Record};
use foldhash::HashMap;
use memchr::memchr_iter;
use std::sync::{Arc, OnceLock};

/// The form in which a model is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// The text form.
    Idf,
    /// JSON.
    EpJson,
}

impl Format {
    /// Returns the ending of the names of such files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Idf => "idf",
            Self::EpJson => "epJSON",
        }
    }
}

/// The encoding of the bytes that the text was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8, or plain ASCII.
    Utf8,
    /// One byte for each letter.
    Latin1,
}

/// A member of an epJSON file: an object with the span of its body.
#[derive(Debug)]
pub struct Member {
    /// The values.
    pub record: Arc<Record>,
    /// Its JSON, from brace to brace.
    pub body: (usize, usize),
}

/// The objects of a file as they were read: by spans of its text, or whole.
#[derive(Debug)]
pub enum Objects {
    /// In the text form.
    Text(Lexed),
    /// In epJSON, in the order of the file.
    Json(Vec<Member>),
}

/// A file as it was read. Never changed.
#[derive(Debug)]
pub struct Base {
    /// Its text.
    pub text: String,
    /// Its bytes' encoding.
    pub encoding: Encoding,
    /// Its objects.
    pub objects: Objects,
    index: OnceLock<Index>,
    /// The positions at which its lines end.
    ends: OnceLock<Vec<u32>>,
}

/// Objects by type, and by type and name.
#[derive(Debug, Default)]
pub struct Index {
    /// Objects by the type's name in small letters.
    pub by_type: HashMap<Box<str>, Vec<u32>>,
    /// Hashes of type and name, in order, each with its object.
    pub by_name: Vec<(u64, u32)>,
}

impl Base {
    pub fn new(text: String, encoding: Encoding, objects: Objects) -> Self {
        Self { text, encoding, objects, index: OnceLock::new(), ends: OnceLock::new() }
    }

    /// The line of a place in its text, from one.
    pub fn line(&self, at: usize) -> u32 {
        let ends = self.ends.get_or_init(|| {
            memchr_iter(b'\n', self.text.as_bytes()).filter_map(|end| u32::try_from(end).ok()).collect()
        });
        ends.partition_point(|end| (*end as usize) < at) as u32 + 1
    }

    /// Counts its objects.
    pub fn count(&self) -> u32 {
        match &self.objects {
            Objects::Text(lexed) => lexed.entries.len() as u32,
            Objects::Json(members) => members.len() as u32,
        }
    }

    /// Its format.
    pub fn format(&self) -> Format {
        match self.objects {
            Objects::Text(_) => Format::Idf,
            Objects::Json(_) => Format::EpJson,
        }
    }

    /// An object of the text form.
    pub fn entry(&self, handle: Handle) -> Option<&Entry> {
        match &self.objects {
            Objects::Text(lexed) => lexed.entries.get(handle.0 as usize),
            Objects::Json(_) => None,
        }
    }

    /// An object of epJSON.
    pub fn member(&self, handle: Handle) -> Option<&Member> {
        match &self.objects {
            Objects::Text(_) => None,
            Objects::Json(members) => members.get(handle.0 as usize),
        }
    }

    /// The index, built when first asked for; `names` tells type and name of an object.
    pub fn index<'a>(&self, names: impl Fn(Handle) -> (&'a str, &'a str)) -> &Index {
        self.index.get_or_init(|| {
            let mut index = Index::default();
            let mut lower: HashMap<&str, Box<str>> = HashMap::default();
            for number in 0..self.count() {
                let (type_name, name) = names(Handle(number));
                let key = lower.entry(type_name).or_insert_with(|| type_name.to_ascii_lowercase().into());
                match index.by_type.get_mut(&**key) {
                    Some(list) => list.push(number),
                    None => {
                        index.by_type.insert(key.clone(), vec![number]);
                    }
                }
                if !name.is_empty() {
                    index.by_name.push((name_hash(type_name, name), number));
                }
            }
            index.by_name.sort_unstable();
            index
        })
    }
}

/// A hash of a type and a name that does not see the case of letters.
pub fn name_hash(type_name: &str, name: &str) -> u64 {
    let letters = type_name.bytes().chain([0]).chain(name.bytes());
    letters.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3)
    })
}
