//! Letters made alike: case, umlauts in both spellings, `ß`, accents. `Tür`, `Tuer` and `TUR` become one word.
//!
//! `ae`, `oe` and `ue` are read as umlauts wherever no vowel and no `q` stands before them, in any language: what an English word
//! loses by that it loses in texts and questions alike.

/// A word in small letters, umlauts and accents as their base letters.
pub fn fold(word: &str) -> String {
    let mut folded = String::with_capacity(word.len());
    for sign in word.chars().flat_map(char::to_lowercase) {
        match base(sign) {
            Some(text) => folded.push_str(text),
            None => folded.push(sign),
        }
    }
    umlauts(&folded)
}

fn base(sign: char) -> Option<&'static str> {
    Some(match sign {
        'ä' | 'à' | 'á' | 'â' | 'ã' | 'å' | 'ā' | 'ă' | 'ą' => "a",
        'ö' | 'ò' | 'ó' | 'ô' | 'õ' | 'ø' | 'ō' | 'ő' => "o",
        'ü' | 'ù' | 'ú' | 'û' | 'ū' | 'ů' | 'ű' => "u",
        'ß' => "ss",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ę' | 'ě' => "e",
        'ì' | 'í' | 'î' | 'ï' | 'ī' => "i",
        'ç' | 'ć' | 'č' => "c",
        'ñ' | 'ń' | 'ň' => "n",
        'ý' | 'ÿ' => "y",
        'š' | 'ś' => "s",
        'ž' | 'ź' | 'ż' => "z",
        'ł' => "l",
        'æ' => "ae",
        'œ' => "oe",
        '²' => "2",
        '³' => "3",
        // combining marks: a decomposed letter is its base letter
        '\u{300}'..='\u{36f}' | '\u{ad}' => "",
        _ => return None,
    })
}

/// `ae`, `oe`, `ue` as `a`, `o`, `u`.
fn umlauts(word: &str) -> String {
    if !word.contains('e') {
        return word.to_owned();
    }
    let mut text = String::with_capacity(word.len());
    let mut before = ' ';
    let mut last = ' ';
    for sign in word.chars() {
        let vowel = matches!(before, 'a' | 'e' | 'i' | 'o' | 'u' | 'q');
        if !(sign == 'e' && matches!(last, 'a' | 'o' | 'u') && !vowel) {
            text.push(sign);
        }
        before = last;
        last = sign;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::fold;

    #[test]
    fn an_umlaut_is_found_in_every_spelling() {
        for word in ["Tür", "Tuer", "TÜR", "tur", "Tu\u{308}r"] {
            assert_eq!(fold(word), "tur", "{word}");
        }
        assert_eq!(fold("Außenbauteil"), fold("Aussenbauteil"));
        assert_eq!(fold("Straße"), "strasse");
    }

    #[test]
    fn vowels_before_an_e_keep_it() {
        assert_eq!(fold("Mauer"), "mauer");
        assert_eq!(fold("Quelle"), "quelle");
        assert_eq!(fold("neue"), "neue");
    }
}
