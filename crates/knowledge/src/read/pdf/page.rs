//! The text of a page: its instructions followed as far as they move and show text (ISO 32000-1, 9.4).

use super::fonts::Font;
use crate::read::{LONGEST_DOCUMENT, Problem};
use lopdf::content::{Content, Operation};
use lopdf::{Dictionary, Document, Error, Object, ObjectId};
use std::collections::BTreeMap;

/// Bytes of instructions of one page or form.
const LARGEST_PAGE: usize = 32 << 20;
/// Instructions that all pages may have.
const STEPS: usize = 10_000_000;
/// Instructions that a form counts as, and a font.
const FORM: usize = 200;
/// Forms within forms.
const DEPTH: usize = 6;
/// States that are saved one within the other.
const SAVED: usize = 256;
/// Fonts of a page.
const FONTS: usize = 2_000;

/// The amounts that may still be read of a document.
pub struct Budget {
    bytes: usize,
    steps: usize,
    text: usize,
}

impl Budget {
    /// A budget of bytes of instructions.
    pub fn new(bytes: usize) -> Self {
        Self { bytes, steps: STEPS, text: LONGEST_DOCUMENT }
    }
}

fn exhausted() -> Problem {
    Problem::TooLarge("the pages of the PDF have more to read than is read of a document".to_owned())
}

/// The text of a page; none where the page is damaged.
pub fn text(document: &Document, id: ObjectId, budget: &mut Budget) -> Result<Option<String>, Problem> {
    let limit = LARGEST_PAGE.min(budget.bytes);
    let bytes = match document.get_page_content_with_limit(id, limit) {
        Ok(bytes) => bytes,
        Err(Error::Decompress(_)) => return Err(exhausted()),
        Err(_) => return Ok(None),
    };
    let Ok(fonts) = document.get_page_fonts(id) else { return Ok(None) };
    let fonts = fonts.into_iter().take(FONTS).collect();
    let mut forms = BTreeMap::new();
    if let Ok((own, further)) = document.get_page_resources(id) {
        let further = further.iter().filter_map(|id| document.get_dictionary(*id).ok());
        for resources in own.into_iter().chain(further) {
            collect_forms(document, resources, &mut forms);
        }
    }
    let mut said = Said::default();
    let place = Place { document, depth: 0, base: IDENTITY };
    run(&place, &bytes, &fonts, &forms, &mut said, budget)?;
    Ok(Some(said.text))
}

type Fonts<'a> = BTreeMap<Vec<u8>, &'a Dictionary>;
type Forms = BTreeMap<Vec<u8>, ObjectId>;

fn collect_forms(document: &Document, resources: &Dictionary, forms: &mut Forms) {
    let Ok(objects) = resources.get_deref(b"XObject", document).and_then(Object::as_dict) else { return };
    for (name, object) in objects {
        if let Ok(id) = object.as_reference() {
            forms.entry(name.clone()).or_insert(id);
        }
    }
}

/// Where instructions stand: in a page, or in a form within it.
struct Place<'a> {
    document: &'a Document,
    depth: usize,
    /// The map from their coordinates to the page's.
    base: Matrix,
}

type Matrix = [f32; 6];

/// The map that first does `inner`, then `outer`.
fn chain(inner: Matrix, outer: Matrix) -> Matrix {
    let [a, b, c, d, e, f] = inner;
    let [p, q, r, s, t, u] = outer;
    [a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u]
}

/// A form: instructions of their own within a page, with fonts and forms of their own.
fn form(place: &Place<'_>, id: ObjectId, said: &mut Said, budget: &mut Budget) -> Result<(), Problem> {
    let Place { document, depth, .. } = *place;
    let Ok(stream) = document.get_object(id).and_then(Object::as_stream) else { return Ok(()) };
    if depth > DEPTH
        || !stream.dict.get(b"Subtype").and_then(Object::as_name).is_ok_and(|name| name == b"Form")
    {
        return Ok(());
    }
    let limit = LARGEST_PAGE.min(budget.bytes);
    let bytes = match stream.decompressed_content_with_limit(limit) {
        Ok(bytes) => bytes,
        Err(Error::Decompress(_)) => return Err(exhausted()),
        Err(_) => stream.content.clone(),
    };
    let (mut fonts, mut forms) = (Fonts::new(), Forms::new());
    if let Ok(resources) = stream.dict.get_deref(b"Resources", document).and_then(Object::as_dict) {
        collect_forms(document, resources, &mut forms);
        if let Ok(known) = resources.get_deref(b"Font", document).and_then(Object::as_dict) {
            for (name, font) in known.iter().take(FONTS) {
                if let Ok((_, Object::Dictionary(font))) = document.dereference(font) {
                    fonts.insert(name.clone(), font);
                }
            }
        }
    }
    let own = stream.dict.get_deref(b"Matrix", document).and_then(Object::as_array).ok();
    let own = own.and_then(|numbers| {
        let numbers: Vec<f32> = numbers.iter().filter_map(|number| number.as_float().ok()).collect();
        Matrix::try_from(numbers).ok()
    });
    let base = chain(own.unwrap_or(IDENTITY), place.base);
    budget.steps = budget.steps.checked_sub(FORM).ok_or_else(exhausted)?;
    run(&Place { document, depth, base }, &bytes, &fonts, &forms, said, budget)
}

/// The text that was said, and where the last word ended.
#[derive(Default)]
struct Said {
    text: String,
    x: f32,
    y: f32,
}

/// The maps of page, text and line, and the size of the letters.
struct State {
    page: Matrix,
    matrix: Matrix,
    line: Matrix,
    leading: f32,
    size: f32,
}

const IDENTITY: Matrix = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0];

impl State {
    /// Moves to where a line begins, from the beginning of this one.
    fn next_line(&mut self, x: f32, y: f32) {
        let [a, b, c, d, e, f] = self.line;
        self.line = [a, b, c, d, x * a + y * c + e, x * b + y * d + f];
        self.matrix = self.line;
    }

    fn advance(&mut self, x: f32) {
        let [a, b, _, _, e, f] = &mut self.matrix;
        *e += x * *a;
        *f += x * *b;
    }

    /// The height of the letters.
    fn height(&self) -> f32 {
        let [_, _, c, d, _, _] = chain(self.matrix, self.page);
        (self.size * (c * c + d * d).sqrt()).abs().max(0.01)
    }

    fn show(&mut self, bytes: &[u8], font: Option<&Font<'_>>, said: &mut Said) {
        let Some(font) = font else { return };
        let mut shown = String::new();
        font.decode(bytes, &mut shown);
        let height = self.height();
        let [_, _, _, _, x, y] = chain(self.matrix, self.page);
        let (down, right) = ((said.y - y).abs(), x - said.x);
        if !said.text.is_empty() {
            if down > height * 2.2 {
                trim_blank(&mut said.text);
                said.text.push_str("\n\n");
            } else if down > height * 0.4 {
                trim_blank(&mut said.text);
                said.text.push('\n');
            } else if (right > height * 0.2 || right < -height) && !said.text.ends_with(char::is_whitespace) {
                said.text.push(' ');
            }
        }
        said.text.extend(shown.chars().filter(|sign| !sign.is_control() && *sign != '\u{ad}'));
        self.advance(font.width(bytes) / 1_000.0 * self.size);
        let [_, _, _, _, x, y] = chain(self.matrix, self.page);
        (said.x, said.y) = (x, y);
    }
}

fn trim_blank(text: &mut String) {
    text.truncate(text.trim_end_matches(' ').len());
}

fn run(
    place: &Place<'_>,
    bytes: &[u8],
    fonts: &Fonts<'_>,
    forms: &Forms,
    said: &mut Said,
    budget: &mut Budget,
) -> Result<(), Problem> {
    budget.bytes = budget.bytes.checked_sub(bytes.len()).ok_or_else(exhausted)?;
    // made when they are asked for first
    let mut made: BTreeMap<Vec<u8>, Font<'_>> = BTreeMap::new();
    let mut saved: Vec<Matrix> = Vec::new();
    let mut state = State { page: place.base, matrix: IDENTITY, line: IDENTITY, leading: 0.0, size: 1.0 };
    let mut font_name: Vec<u8> = Vec::new();
    for operation in operations(bytes) {
        budget.steps = budget.steps.checked_sub(1).ok_or_else(exhausted)?;
        let before = said.text.len();
        let operands = &operation.operands;
        let number = |at: usize| {
            let number = operands.get(at).and_then(|operand| operand.as_float().ok());
            number.filter(|number| number.is_finite()).unwrap_or(0.0)
        };
        let string =
            |at: usize| operands.get(at).and_then(|operand| operand.as_str().ok()).unwrap_or_default();
        match operation.operator.as_str() {
            "q" if saved.len() < SAVED => saved.push(state.page),
            "Q" => state.page = saved.pop().unwrap_or(state.page),
            "cm" => {
                let own = [number(0), number(1), number(2), number(3), number(4), number(5)];
                state.page = chain(own, state.page);
            }
            "BT" => (state.matrix, state.line) = (IDENTITY, IDENTITY),
            "Tf" => {
                let name = operands.first().and_then(|name| name.as_name().ok()).unwrap_or_default();
                state.size = number(1);
                font_name = name.to_vec();
                if let Some(font) = fonts.get(name).filter(|_| !made.contains_key(name)) {
                    budget.steps = budget.steps.checked_sub(FORM).ok_or_else(exhausted)?;
                    made.insert(name.to_vec(), Font::new(place.document, font));
                }
            }
            "TL" => state.leading = number(0),
            "Td" => state.next_line(number(0), number(1)),
            "TD" => {
                state.leading = -number(1);
                state.next_line(number(0), number(1));
            }
            "Tm" => {
                state.line = [number(0), number(1), number(2), number(3), number(4), number(5)];
                state.matrix = state.line;
            }
            "T*" => state.next_line(0.0, -state.leading),
            "Tj" => state.show(string(0), made.get(&font_name), said),
            "'" => {
                state.next_line(0.0, -state.leading);
                state.show(string(0), made.get(&font_name), said);
            }
            "\"" => {
                state.next_line(0.0, -state.leading);
                state.show(string(2), made.get(&font_name), said);
            }
            "TJ" => {
                for piece in operands.first().and_then(|list| list.as_array().ok()).into_iter().flatten() {
                    match piece {
                        Object::String(bytes, _) => state.show(bytes, made.get(&font_name), said),
                        other => state.advance(-other.as_float().unwrap_or(0.0) / 1_000.0 * state.size),
                    }
                }
            }
            "Do" => {
                let name = operands.first().and_then(|name| name.as_name().ok()).unwrap_or_default();
                if let Some(id) = forms.get(name) {
                    let within = Place { depth: place.depth + 1, base: state.page, ..*place };
                    form(&within, *id, said, budget)?;
                }
            }
            _ => {}
        }
        budget.text =
            budget.text.checked_sub(said.text.len().saturating_sub(before)).ok_or_else(exhausted)?;
    }
    Ok(())
}

/// The instructions up to the first that is none.
fn operations(bytes: &[u8]) -> impl Iterator<Item = Operation> + '_ {
    Content::<Vec<Operation>>::decode_iter(bytes).map_while(Result::ok)
}
