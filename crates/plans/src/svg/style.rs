//! Styles: attributes, `style`, and style sheets by selectors.

use simplecss::{AttributeOperator, PseudoClass, StyleSheet};
use std::str::FromStr as _;
use svgtypes::{Color, Length, LengthUnit, Paint};
use xml::Element;

/// An element with those that it lies within.
#[derive(Clone, Copy)]
pub(super) struct Node<'a> {
    pub(super) element: &'a Element,
    pub(super) parent: Option<&'a Node<'a>>,
    /// Its number among the children of its parent.
    pub(super) number: usize,
}

impl simplecss::Element for Node<'_> {
    fn parent_element(&self) -> Option<Self> {
        self.parent.copied()
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        let number = self.number.checked_sub(1)?;
        let element = self.parent?.element.children.get(number)?;
        Some(Self { element, parent: self.parent, number })
    }

    fn has_local_name(&self, name: &str) -> bool {
        self.element.name == name
    }

    fn attribute_matches(&self, name: &str, operator: AttributeOperator<'_>) -> bool {
        self.element.attribute(name).is_some_and(|value| operator.matches(value))
    }

    fn pseudo_class_matches(&self, class: PseudoClass<'_>) -> bool {
        matches!(class, PseudoClass::FirstChild) && self.number == 0
    }
}

/// The parts of a style that matter here; fields are inherited.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Look {
    pub(super) stroke: Option<[u8; 3]>,
    pub(super) fill: Option<[u8; 3]>,
    pub(super) colour: [u8; 3],
    pub(super) width: f64,
    pub(super) is_dashed: bool,
    pub(super) font_size: f64,
    pub(super) is_shown: bool,
    /// 0 start, 1 middle, 2 end.
    pub(super) anchor: u8,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            stroke: None,
            fill: Some([0, 0, 0]),
            colour: [0, 0, 0],
            width: 1.0,
            is_dashed: false,
            font_size: 16.0,
            is_shown: true,
            anchor: 0,
        }
    }
}

impl Look {
    /// The look of an element by its own declarations over what it inherits.
    pub(super) fn of_element(&self, node: &Node<'_>, sheet: &StyleSheet<'_>) -> Self {
        let mut look = self.clone();
        for attribute in &node.element.attributes {
            if attribute.namespace.is_none() {
                look.set(&attribute.name, &attribute.value);
            }
        }
        for rule in &sheet.rules {
            if rule.selector.matches(node) {
                for own in &rule.declarations {
                    look.set(own.name, own.value);
                }
            }
        }
        if let Some(text) = node.element.attribute("style") {
            for own in simplecss::DeclarationTokenizer::from(text) {
                look.set(own.name, own.value);
            }
        }
        look
    }

    fn set(&mut self, name: &str, value: &str) {
        let value = value.trim();
        match name {
            "stroke" => self.stroke = self.paint(value, self.stroke),
            "fill" => self.fill = self.paint(value, self.fill),
            "color" => {
                if let Ok(colour) = Color::from_str(value) {
                    self.colour = [colour.red, colour.green, colour.blue];
                }
            }
            "stroke-width" => self.width = pixels(value, self.font_size).unwrap_or(self.width),
            "stroke-dasharray" => self.is_dashed = !matches!(value, "none" | "inherit" | ""),
            "font-size" => self.font_size = pixels(value, self.font_size).unwrap_or(self.font_size),
            "display" => self.is_shown &= value != "none",
            "visibility" => self.is_shown &= !matches!(value, "hidden" | "collapse"),
            "opacity" => self.is_shown &= value.parse::<f64>().map_or(true, |own| own > 0.0),
            "fill-opacity" if value.parse() == Ok(0.0) => self.fill = None,
            "stroke-opacity" if value.parse() == Ok(0.0) => self.stroke = None,
            "text-anchor" => {
                self.anchor = match value {
                    "middle" => 1,
                    "end" => 2,
                    _ => 0,
                }
            }
            _ => {}
        }
    }

    fn paint(&self, value: &str, inherited: Option<[u8; 3]>) -> Option<[u8; 3]> {
        match Paint::from_str(value) {
            Ok(Paint::None) => None,
            Ok(Paint::Color(colour)) => (colour.alpha > 0).then_some([colour.red, colour.green, colour.blue]),
            Ok(Paint::CurrentColor) => Some(self.colour),
            // a pattern or gradient is seen, whatever its colours
            Ok(Paint::FuncIRI(..)) => Some([128, 128, 128]),
            Ok(Paint::Inherit | Paint::ContextFill | Paint::ContextStroke) | Err(_) => inherited,
        }
    }
}

/// A length in user units.
pub(super) fn pixels(value: &str, font_size: f64) -> Option<f64> {
    let length = Length::from_str(value).ok()?;
    let unit = match length.unit {
        LengthUnit::None | LengthUnit::Px => 1.0,
        LengthUnit::Mm => 96.0 / 25.4,
        LengthUnit::Cm => 960.0 / 25.4,
        LengthUnit::In => 96.0,
        LengthUnit::Pt => 96.0 / 72.0,
        LengthUnit::Pc => 16.0,
        LengthUnit::Em => font_size,
        LengthUnit::Ex => font_size / 2.0,
        LengthUnit::Percent => return None,
    };
    Some(length.number * unit).filter(|own| own.is_finite())
}
