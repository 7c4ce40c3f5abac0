//! Addresses of headings, as they are written for links within Markdown.

/// Letters that an address of a heading has at most.
const LONGEST: usize = 80;

/// A heading in small letters, with `-` for blanks and nothing for what is neither letter, digit, `-` nor `_`.
pub fn slug(heading: &str) -> String {
    let mut slug = String::new();
    for sign in heading.trim().chars().flat_map(char::to_lowercase).take(LONGEST) {
        if sign.is_alphanumeric() || sign == '_' || sign == '-' {
            slug.push(sign);
        } else if sign.is_whitespace() {
            slug.push('-');
        }
    }
    slug
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn a_heading_has_the_address_that_links_have() {
        assert_eq!(slug("Undo & redo: `what` holds"), "undo--redo-what-holds");
        assert_eq!(slug("Türen (außen)"), "türen-außen");
        assert_eq!(slug("!!!"), "");
    }
}
