//! Styles: attributes, `<style>` rules and `style` properties, and what is inherited.

use super::colour;
use super::number::{Scan, length};
use xml::Element;

/// A rule of a style sheet.
#[derive(Debug, Clone)]
pub(super) struct Rule {
    /// The name of elements; none for all.
    element: Option<String>,
    class: Option<String>,
    id: Option<String>,
    declarations: Vec<(String, String)>,
}

impl Rule {
    fn weight(&self) -> (bool, bool, bool) {
        (self.id.is_some(), self.class.is_some(), self.element.is_some())
    }

    fn fits(&self, element: &Element) -> bool {
        let has = |class: &str| {
            element
                .attribute("class")
                .is_some_and(|own| own.split_whitespace().take(CLASSES).any(|name| name == class))
        };
        self.element.as_deref().is_none_or(|name| name == element.name)
            && self.class.as_deref().is_none_or(has)
            && self.id.as_deref().is_none_or(|id| element.attribute("id") == Some(id))
    }
}

/// Classes of one element that are looked at.
const CLASSES: usize = 20;

/// Rules of a template at most.
const MANY: usize = 2000;

/// Reads a style sheet into rules; answers what it passes over.
pub(super) fn sheet(text: &str, rules: &mut Vec<Rule>) -> Vec<String> {
    let mut passed = Vec::new();
    let text = without_comments(text);
    let mut rest = text.trim();
    while let Some((selectors, after)) = rest.split_once('{') {
        let selectors = selectors.trim();
        if selectors.starts_with('@') {
            passed.push(format!("the rule {}", selectors.chars().take(40).collect::<String>()));
            rest = after_block(after);
            continue;
        }
        let Some((inside, next)) = after.split_once('}') else {
            passed.push("a rule without an end".into());
            break;
        };
        let declarations = declarations(inside);
        for selector in selectors.split(',') {
            match rule(selector.trim(), &declarations) {
                Some(rule) if rules.len() < MANY => rules.push(rule),
                _ => passed
                    .push(format!("the selector {}", selector.trim().chars().take(40).collect::<String>())),
            }
        }
        rest = next.trim();
    }
    // the weaker first, and of the same those that come first
    rules.sort_by_key(Rule::weight);
    passed
}

fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("/*") {
        kept.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, next)| next);
    }
    kept.push_str(rest);
    kept
}

/// The text after a block whose beginning is read, blocks within it passed over.
fn after_block(text: &str) -> &str {
    let mut depth = 1_usize;
    for (at, char) in text.char_indices() {
        match char {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return text.get(at + 1..).unwrap_or_default().trim();
        }
    }
    ""
}

fn rule(selector: &str, declarations: &[(String, String)]) -> Option<Rule> {
    let mut rule = Rule { element: None, class: None, id: None, declarations: declarations.to_vec() };
    let mut rest = selector;
    let is_name = |char: char| char.is_alphanumeric() || char == '-' || char == '_';
    let cut = |text: &str| text.find(|char| !is_name(char)).unwrap_or(text.len());
    let (name, after) = rest.split_at_checked(cut(rest))?;
    if !name.is_empty() {
        rule.element = Some(name.to_owned());
    }
    rest = after.strip_prefix('*').unwrap_or(after);
    while let Some(mark) = rest.chars().next() {
        let (name, after) = rest.get(1..)?.split_at_checked(cut(rest.get(1..)?))?;
        let place = match mark {
            '.' => &mut rule.class,
            '#' => &mut rule.id,
            _ => return None,
        };
        if name.is_empty() || place.is_some() {
            return None;
        }
        *place = Some(name.to_owned());
        rest = after;
    }
    (!selector.is_empty()).then_some(rule)
}

fn declarations(text: &str) -> Vec<(String, String)> {
    let pair = |part: &str| {
        part.split_once(':').map(|(name, value)| (name.trim().to_ascii_lowercase(), value.trim().to_owned()))
    };
    text.split(';').filter_map(pair).collect()
}

/// A paint as it is given.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Paint {
    None,
    Colour([u8; 4]),
    /// The colour of the property `color`.
    Current,
}

/// Where words lie along their line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextAnchor {
    Start,
    Middle,
    End,
}

/// Where words lie across their line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Across {
    Foot,
    Middle,
    Top,
}

/// The style of an element, inherited values included.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Style {
    pub(super) fill: Paint,
    pub(super) stroke: Paint,
    pub(super) colour: [u8; 4],
    pub(super) fill_opacity: f64,
    pub(super) stroke_opacity: f64,
    /// That of the element and all around it.
    pub(super) opacity: f64,
    /// In user units.
    pub(super) width: f64,
    pub(super) dashes: Vec<f64>,
    pub(super) size: f64,
    pub(super) is_bold: bool,
    pub(super) anchor: TextAnchor,
    pub(super) across: Across,
    pub(super) is_hidden: bool,
    pub(super) is_left_out: bool,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            fill: Paint::Colour([0, 0, 0, 255]),
            stroke: Paint::None,
            colour: [0, 0, 0, 255],
            fill_opacity: 1.0,
            stroke_opacity: 1.0,
            opacity: 1.0,
            width: 1.0,
            dashes: Vec::new(),
            size: 16.0,
            is_bold: false,
            anchor: TextAnchor::Start,
            across: Across::Foot,
            is_hidden: false,
            is_left_out: false,
        }
    }
}

impl Style {
    /// The style of an element within this one; `passed` is told what is not understood.
    pub(super) fn of_child(&self, element: &Element, rules: &[Rule], passed: &mut Vec<String>) -> Self {
        let mut own = Self { is_left_out: false, ..self.clone() };
        for attribute in element.attributes.iter().filter(|attribute| attribute.namespace.is_none()) {
            own.set(&attribute.name, &attribute.value, self, passed);
        }
        for rule in rules.iter().filter(|rule| rule.fits(element)) {
            for (name, value) in &rule.declarations {
                own.set(name, value, self, passed);
            }
        }
        for (name, value) in declarations(element.attribute("style").unwrap_or_default()) {
            own.set(&name, &value, self, passed);
        }
        own
    }

    fn set(&mut self, name: &str, value: &str, outer: &Self, passed: &mut Vec<String>) {
        let value = value.trim().trim_end_matches("!important").trim();
        if value == "inherit" {
            return;
        }
        let is_known = match name {
            "fill" => paint(value).map(|paint| self.fill = paint).is_some(),
            "stroke" => paint(value).map(|paint| self.stroke = paint).is_some(),
            "color" => colour::read(value).map(|colour| self.colour = colour).is_some(),
            "fill-opacity" => share(value).map(|share| self.fill_opacity = share).is_some(),
            "stroke-opacity" => share(value).map(|share| self.stroke_opacity = share).is_some(),
            "opacity" => share(value).map(|share| self.opacity = outer.opacity * share).is_some(),
            "stroke-width" => length(value).map(|length| self.width = length).is_some(),
            "stroke-dasharray" => dashes(value).map(|dashes| self.dashes = dashes).is_some(),
            "font-size" => size(value, outer.size).map(|size| self.size = size).is_some(),
            "font-weight" => {
                let number = value.parse::<f64>().ok();
                self.is_bold =
                    matches!(value, "bold" | "bolder") || number.is_some_and(|number| number >= 600.0);
                number.is_some() || matches!(value, "bold" | "bolder" | "normal" | "lighter")
            }
            "text-anchor" => {
                let known =
                    [("start", TextAnchor::Start), ("middle", TextAnchor::Middle), ("end", TextAnchor::End)];
                known
                    .into_iter()
                    .find(|(name, _)| *name == value)
                    .map(|(_, anchor)| self.anchor = anchor)
                    .is_some()
            }
            "dominant-baseline" | "alignment-baseline" => {
                self.across = match value {
                    "middle" | "central" => Across::Middle,
                    "hanging" | "text-before-edge" | "text-top" => Across::Top,
                    _ => Across::Foot,
                };
                true
            }
            "display" => {
                self.is_left_out = value == "none";
                true
            }
            "visibility" => {
                self.is_hidden = matches!(value, "hidden" | "collapse");
                true
            }
            "clip-path" | "mask" | "filter" | "marker-start" | "marker-mid" | "marker-end" | "marker" => {
                value == "none"
            }
            _ => true,
        };
        if !is_known {
            passed.push(format!("{name}: {}", value.chars().take(40).collect::<String>()));
        }
    }

    /// The colour of a paint with all opacities.
    pub(super) fn resolved(&self, paint: &Paint, opacity: f64) -> Option<[u8; 4]> {
        let [red, green, blue, own] = match paint {
            Paint::None => return None,
            Paint::Current => self.colour,
            Paint::Colour(colour) => *colour,
        };
        let opacity = (f64::from(own) * opacity * self.opacity).round().clamp(0.0, 255.0) as u8;
        (opacity > 0).then_some([red, green, blue, opacity])
    }
}

fn paint(value: &str) -> Option<Paint> {
    match value {
        "none" => Some(Paint::None),
        "currentColor" | "currentcolor" => Some(Paint::Current),
        _ => colour::read(value).map(Paint::Colour),
    }
}

/// A size of letters, which may be one in those around it.
fn size(value: &str, outer: f64) -> Option<f64> {
    let times = |text: &str, whole: f64| text.trim().parse::<f64>().ok().map(|number| number * outer / whole);
    let relative = value.strip_suffix("em").and_then(|text| times(text, 1.0));
    let relative = relative.or_else(|| value.strip_suffix('%').and_then(|text| times(text, 100.0)));
    relative.filter(|size| size.is_finite()).or_else(|| length(value))
}

fn share(value: &str) -> Option<f64> {
    let number = match value.strip_suffix('%') {
        Some(number) => number.parse::<f64>().ok()? / 100.0,
        None => value.parse::<f64>().ok()?,
    };
    number.is_finite().then(|| number.clamp(0.0, 1.0))
}

fn dashes(value: &str) -> Option<Vec<f64>> {
    if value == "none" {
        return Some(Vec::new());
    }
    let parts = value.split([',', ' ']).filter(|part| !part.is_empty());
    let lengths: Vec<f64> = parts.map(length).collect::<Option<_>>()?;
    (lengths.len() <= 16 && Scan::new(value).number().is_some()).then_some(lengths)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn style_of(text: &str, css: &str) -> (Style, Vec<String>) {
        let element = xml::read(text.as_bytes(), &xml::Limits::default()).unwrap();
        let mut rules = Vec::new();
        let mut passed = sheet(css, &mut rules);
        let style = Style::default().of_child(&element, &rules, &mut passed);
        (style, passed)
    }

    #[test]
    fn stronger_rules_win() {
        let css = "/* a } */ #x { stroke-width: 4 } .a, .b { fill: red; stroke-width: 3 } rect { fill: blue; stroke: green }";
        let (style, passed) =
            style_of("<rect class='b' id='x' fill='white' stroke='white' style='fill:#010203'/>", css);
        assert_eq!(style.fill, Paint::Colour([1, 2, 3, 255]));
        assert_eq!(style.stroke, Paint::Colour([0, 128, 0, 255]));
        assert_eq!((style.width, passed), (4.0, Vec::<String>::new()));
    }

    #[test]
    fn what_is_not_understood_is_told() {
        let css = "@media print { .a { fill: red } } g > .b { fill: red } .c:hover{} rect.d { fill: lime } .e { fill: red";
        let (style, passed) =
            style_of("<rect class='d' fill='url(#x)' clip-path='url(#y)' stroke-width='5%'/>", css);
        assert_eq!(style.fill, Paint::Colour([0, 255, 0, 255]));
        assert_eq!(passed.len(), 7, "{passed:?}");
        assert_eq!(passed.last().map(String::as_str), Some("stroke-width: 5%"));
    }

    #[test]
    fn sizes_of_letters_may_be_relative() {
        assert_eq!(style_of("<g font-size='2em'/>", "").0.size, 32.0);
        assert_eq!(style_of("<g font-size='50%'/>", "").0.size, 8.0);
        assert_eq!(style_of("<g font-size='larger'/>", "").1.len(), 1);
    }

    #[test]
    fn opacities_multiply_and_hide() {
        let (style, _) = style_of("<g opacity='0.5' fill-opacity='50%' fill='rgba(0,0,0,0.5)'/>", "");
        assert_eq!(style.resolved(&style.fill, style.fill_opacity), Some([0, 0, 0, 32]));
        assert_eq!(style.resolved(&style.stroke, 1.0), None);
        let (style, _) = style_of("<g style='display : none;visibility:hidden; ;x'/>", "");
        assert!(style.is_left_out && style.is_hidden);
    }
}
