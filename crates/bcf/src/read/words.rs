//! What elements of a file say, and where they say what they may not.

use crate::dates::is_date_time;
use crate::guid::Guid;
use crate::problem::Problem;
use xml::Element;

/// The reader of one file's elements.
pub(super) struct Words<'a> {
    file: String,
    problems: &'a mut Vec<Problem>,
}

impl<'a> Words<'a> {
    pub(super) fn new(file: &str, problems: &'a mut Vec<Problem>) -> Self {
        Self { file: file.to_owned(), problems }
    }

    /// The problems so far.
    pub(super) fn problems(&mut self) -> &mut Vec<Problem> {
        self.problems
    }

    /// Tells a problem of an element.
    pub(super) fn tell(&mut self, element: &Element, message: impl Into<String>) {
        self.problems.push(Problem {
            file: self.file.clone(),
            place: Some(element.place),
            message: message.into(),
        });
    }

    /// The text of an element, white space around it cut off; none where that is all.
    pub(super) fn own_text(element: &Element) -> Option<String> {
        let text = element.text.trim();
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// The same of a child.
    pub(super) fn text(element: &Element, name: &str) -> Option<String> {
        element.child(name).and_then(Self::own_text)
    }

    /// The value of an attribute, by whatever case; none where it is empty.
    pub(super) fn attribute(element: &Element, name: &str) -> Option<String> {
        let all = element.attributes.iter();
        let mut own = all.filter(|a| a.namespace.is_none() && a.name.eq_ignore_ascii_case(name));
        own.next().map(|a| a.value.trim().to_owned()).filter(|value| !value.is_empty())
    }

    /// A truth value of an attribute.
    pub(super) fn truth(&mut self, element: &Element, name: &str, default: bool) -> bool {
        match Self::attribute(element, name).as_deref() {
            None => default,
            Some("true" | "1" | "True") => true,
            Some("false" | "0" | "False") => false,
            Some(other) => {
                self.tell(element, format!("{name} is `{other}`, neither true nor false"));
                default
            }
        }
    }

    /// A date of a child.
    pub(super) fn date(&mut self, element: &Element, name: &str) -> Option<String> {
        let text = Self::text(element, name)?;
        if is_date_time(&text) {
            return Some(text);
        }
        let own = element.child(name).unwrap_or(element);
        self.tell(own, format!("{name} is `{text}`, which is no xs:dateTime"));
        None
    }

    /// A whole number of a child.
    pub(super) fn whole(&mut self, element: &Element, name: &str) -> Option<i32> {
        let text = Self::text(element, name)?;
        let number = text.parse().ok();
        if number.is_none() {
            self.tell(element.child(name).unwrap_or(element), format!("{name} is `{text}`, no whole number"));
        }
        number
    }

    /// A number of a child.
    pub(super) fn number(&mut self, element: &Element, name: &str) -> Option<f64> {
        let Some(text) = Self::text(element, name) else {
            self.tell(element, format!("{name} is missing"));
            return None;
        };
        let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
        if number.is_none() {
            self.tell(element.child(name).unwrap_or(element), format!("{name} is `{text}`, no number"));
        }
        number
    }

    /// A point or direction of a child.
    pub(super) fn point(&mut self, element: &Element, name: &str) -> Option<[f64; 3]> {
        let Some(own) = element.child(name) else {
            self.tell(element, format!("{name} is missing"));
            return None;
        };
        Some([self.number(own, "X")?, self.number(own, "Y")?, self.number(own, "Z")?])
    }

    /// A GUID of an attribute. One that is none is made one, always the same, so that what refers to it still finds it.
    pub(super) fn guid(&mut self, element: &Element, name: &str) -> Option<Guid> {
        let text = Self::attribute(element, name)?;
        Some(Guid::parse(&text).unwrap_or_else(|| {
            self.tell(element, format!("{name} is `{text}`, which is no GUID"));
            Guid::made_of(&[text.as_bytes()])
        }))
    }

    /// The texts of the children of a name.
    pub(super) fn texts(element: &Element, name: &str) -> Vec<String> {
        element.children_of(name).filter_map(Self::own_text).collect()
    }
}
